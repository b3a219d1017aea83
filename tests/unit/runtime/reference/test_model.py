"""The model: plain values, and the few questions they answer."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import HealthCheck, given, settings

from liven.runtime.reference.model import (
    COMMENT,
    NAME,
    Attribute,
    Component,
    Composite,
    Object,
    OtherClass,
    Parameter,
    Plain,
    Reference,
    attribute,
    name_of,
    parts,
)
from liven.runtime.testing.reference_strategies import OBJECTS

LEAF = Reference("1")


@pytest.mark.parametrize(
    ("thing", "null"),
    [
        (Reference(), True),
        (Reference(nil=True), True),
        (Reference("1", nil=True), True),
        (Reference("1"), False),
        (Reference("", source=LEAF), True),
        (Composite(), False),
        (Composite(nil=True), True),
    ],
)
def test_an_object_is_null_without_an_id_or_when_it_says_so(thing: Object, null: bool) -> None:
    assert thing.null is null


def test_names_and_remarks_are_attributes() -> None:
    thing = Reference("1", attributes=(Attribute(COMMENT, "a comment"), Attribute(NAME, "a name")))
    assert name_of(thing) == "a name"
    assert attribute(thing, COMMENT) == "a comment"
    assert name_of(LEAF) == attribute(LEAF, "AB") == ""


def test_the_objects_inside_an_object_come_with_their_steps() -> None:
    thing = Reference(
        "1",
        (
            Parameter("p", LEAF),
            Parameter("q", Plain("int", "1")),
            Parameter("r", OtherClass("ValueClass", "1")),
        ),
        source=Reference("2"),
        authority=Reference("3"),
    )
    assert list(parts(thing)) == [
        (("Parameter[p]", "Value"), LEAF),
        (("From",), Reference("2")),
        (("Authority",), Reference("3")),
    ]
    whole = Composite(components=(Component("a", LEAF),), parameters=(Parameter("p", LEAF),))
    assert [steps for steps, _ in parts(whole)] == [("Parameter[p]", "Value"), ("Component[a]", "Object")]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OBJECTS)
def test_objects_are_values(thing: Object) -> None:
    again = pickle.loads(pickle.dumps(thing))
    assert again == thing
    assert hash(again) == hash(thing)
    assert len({thing, again}) == 1


def test_nothing_in_an_object_can_be_changed() -> None:
    with pytest.raises(AttributeError):
        LEAF.id = "2"  # type: ignore[misc]  # that is the point
