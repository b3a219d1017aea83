"""The classes given to templates."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.runtime.loader.conftest import SINK, external, folder, instance, refused, run, source, text

from liven.runtime.loader import Loader
from liven.runtime.problems import Problems
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    OtherClass,
    Parameter,
    Plain,
    Reference,
)

pytestmark = pytest.mark.usefixtures("learned")


def template(class_: str, *more: Parameter) -> Reference:
    return Reference("test:template", (Parameter("T", OtherClass("ValueClass", class_)), *more))


def test_classes_are_given_before_values_and_make_the_type(loader: Loader, problems: Problems) -> None:
    name = Parameter("name", text("first in the file, and needs no class"))
    thing = replace(template("liven:string"), parameters=(name, *template("liven:string").parameters))
    whole = Composite(
        "",
        components=(Component("a", source("hi")), Component("t", thing), Component("b", SINK)),
        connections=(Connection("a.out", "t.end"), Connection("t.out", "b.end")),
    )
    handle = run(loader, replace(whole, connections=whole.connections[::-1]))
    assert instance(handle.proxy().parts[2]).taken == ["hi"]
    assert instance(handle.proxy().parts[1]).name.startswith("first")
    assert len(problems) == 0


def test_a_template_without_its_classes_is_refused(loader: Loader) -> None:
    assert "the parameter 'T' is not given" in refused(loader, Reference("test:template")).what


def test_a_template_given_another_class_does_not_match(loader: Loader) -> None:
    whole = Composite(
        "",
        components=(Component("a", source("hi")), Component("t", template("liven:color"))),
        connections=(Connection("a.out", "t.end"),),
    )
    assert "a.out and t.end do not match" in refused(loader, whole).what


def test_a_template_in_a_folder_is_given_its_classes_too(loader: Loader) -> None:
    asked = external("t", folder(t=Reference("test:template")), None, *template("liven:string").parameters)
    handle = run(loader, asked)
    assert [name for name, _ in handle.type.endpoints] == ["end", "out"]


def test_a_template_in_a_folder_is_given_its_parameters_by_whoever_asks(loader: Loader) -> None:
    template = Reference("test:source-1", (Parameter("times", Plain("int", "2")),))
    asked = external("t", folder(t=template), None, Parameter("text", text("given outside")))
    handle = run(loader, asked)
    assert (instance(handle).text, instance(handle).times) == ("given outside", 2)
