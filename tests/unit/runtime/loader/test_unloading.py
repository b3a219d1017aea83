"""Loaded objects end, and leave nothing behind."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest
from tests.unit.runtime.loader.conftest import SINK, instance, pipeline, refused, run, source

from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    ObjectClass,
    Parameter,
    Plain,
    Reference,
)

pytestmark = pytest.mark.usefixtures("learned")


def test_an_object_dereferences_and_holds_what_it_was_given(loader: Loader, node: Node) -> None:
    handle = run(loader, Reference("test:holder", (Parameter("inner", source("held")),)))
    held = instance(handle).held
    assert held.path == ("test:holder", "inner")
    assert instance(held).text == "held"
    del held
    handle.close()
    assert not node.running


def test_a_held_object_ends_when_its_handle_is_dropped(loader: Loader, node: Node) -> None:
    handle = run(loader, Reference("test:holder", (Parameter("inner", source("held")),)))
    assert len(node.running) == 2
    instance(handle).held = None
    assert len(node.running) == 1


def test_no_cycle_is_left_of_what_was_loaded(loader: Loader, node: Node, without_collector: None) -> None:
    watches = []
    for number in range(200):
        handle = run(loader, pipeline(str(number)))
        watches.append(weakref.ref(instance(handle.proxy().parts[2])))
        del handle
        refused(
            loader, Composite("", components=(Component("a", SINK), Component("b", Reference("test:broken"))))
        )
    assert not any(watch() for watch in watches)
    assert not node.running


def wrong(loader: Loader) -> None:
    """One recipe for each kind of fault that a check finds."""
    refused(loader, Reference("test:nobody"))
    refused(loader, Reference("test:sink", (Parameter("more", Plain("string", "x")),)))
    refused(loader, replace(pipeline(), connections=(Connection("source.out", "source.out"),)))
    refused(loader, replace(pipeline(), object_class=ObjectClass("test:source")))


@pytest.mark.parametrize("times", [50, pytest.param(10_000, marks=pytest.mark.slow)])
def test_checking_and_loading_leave_nothing_to_the_collector(
    loader: Loader, without_collector: None, times: int
) -> None:
    def once(number: int) -> None:
        run(loader, pipeline(str(number % 7))).close()
        if number % 10 == 0:
            wrong(loader)

    once(0)  # what is made once for a class may be in cycles
    gc.collect()
    for number in range(times):
        once(number)
    assert gc.collect() == 0
