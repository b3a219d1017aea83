"""Recipes are built as written: values, endpoints, composites."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.runtime.loader.conftest import SINK, Sink, instance, pipeline, refused, run, source, text

from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.problems import Kind, Problems
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Export,
    Parameter,
    ParameterUse,
    Plain,
    Reference,
)

pytestmark = pytest.mark.usefixtures("learned")


def test_an_installed_class_is_built_with_its_values(loader: Loader) -> None:
    handle = run(loader, source("hi", Parameter("times", Plain("int", "3"))))
    assert (instance(handle).text, instance(handle).times) == ("hi", 3)
    assert list(handle.endpoints) == ["out"]


def test_a_default_replaces_a_missing_parameter(loader: Loader) -> None:
    assert instance(run(loader, source("hi"))).times == 1


def test_an_object_given_for_an_endpoint_is_built_and_connected(loader: Loader) -> None:
    handle = run(loader, source("hello", Parameter("out", SINK)))
    (child,) = handle.proxy().parts
    assert instance(child).taken == ["hello"]
    assert child.path == ("test:source-1", "Parameter[out]", "Value")


def test_a_null_parameter_leaves_the_endpoint_open(loader: Loader) -> None:
    handle = run(loader, source("hello", Parameter("out", Reference())))
    assert not handle.endpoint("out").connected


def test_a_composite_is_built_connected_and_ends_as_one(loader: Loader, node: Node) -> None:
    handle = run(loader, pipeline())
    sink = instance(handle.proxy().parts[2])
    assert sink.taken == ["hello|"]
    del sink
    handle.close()
    assert not node.running


def test_a_composite_exports_endpoints_of_its_parts(loader: Loader, node: Node) -> None:
    whole = Composite(
        "",
        components=(Component("pipe", Reference("test:pipe")), Component("sink", SINK)),
        connections=(Connection("pipe.out", "sink.end"),),
        exports=(Export("entry", "pipe.end"),),
    )
    handle = run(loader, whole)
    assert list(handle.endpoints) == ["entry"]
    assert [name for name, _ in handle.type.endpoints] == ["entry"]
    feeder = run(loader, source("in"))
    node.connect(feeder.endpoint("out"), handle.endpoint("entry"))
    assert instance(handle.proxy().parts[1]).taken == ["in|"]


def test_a_composite_passes_its_parameters_on(loader: Loader) -> None:
    whole = Composite(
        "",
        parameters=(Parameter("word", text("default")),),
        components=(
            Component("a", Reference("test:source-1", (Parameter("text", ParameterUse("word")),))),
            Component("b", SINK),
        ),
        connections=(Connection("a.out", "b.end"),),
    )
    handle = run(loader, whole)
    assert instance(handle.proxy().parts[1]).taken == ["default"]


def test_a_composite_ends_when_one_of_its_parts_fails(loader: Loader, node: Node, problems: Problems) -> None:
    handle = run(loader, pipeline("boo"))
    feeder = instance(handle.proxy().parts[0])
    feeder.text = "boom"
    parts = handle.proxy().parts
    instance(parts[1]).out.peer.take("boom")
    assert handle.failed
    assert [problem.kind for problem in problems] == [Kind.RAISED]
    assert [part.ended for part in parts] == []
    del feeder, parts
    assert not node.running


def test_recipes_twenty_deep_are_built(loader: Loader, node: Node) -> None:
    thing: Reference = SINK
    for _ in range(19):
        thing = Reference("test:pipe", (Parameter("out", thing),))
    handle = run(loader, thing)
    assert len(node.running) == 20
    feeder = run(loader, source("x"))
    node.connect(feeder.endpoint("out"), handle.endpoint("end"))
    deepest = next(proxy for proxy in node.running.values() if isinstance(proxy.instance, Sink))
    assert instance_of(deepest).taken == ["x" + "|" * 19]


def instance_of(proxy: Any) -> Any:
    return proxy.instance


def test_an_object_with_two_endpoints_that_match_a_parameter_is_refused(loader: Loader) -> None:
    two = Composite(
        "",
        components=(Component("a", SINK), Component("b", SINK)),
        exports=(Export("a", "a.end"), Export("b", "b.end")),
    )
    error = refused(loader, source("x", Parameter("out", two)))
    assert "all match 'out'" in error.what
    assert error.advice.startswith("name the right one")
