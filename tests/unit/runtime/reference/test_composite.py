"""Composites: wrong names, and parameters that are passed on."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from liven.runtime.reference.composite import Port, PortError, instantiate, name_faults, substitute, uses
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Export,
    Object,
    ObjectClass,
    OtherClass,
    Parameter,
    ParameterUse,
    Plain,
    Reference,
)
from liven.runtime.testing.reference_strategies import OBJECTS

A, B = Component("a", Reference("1")), Component("b", Reference("2"))
SOUND = Composite(
    "3",
    (Parameter("p"),),
    (A, B),
    (Export("u", "a.u"),),
    (Connection("a.x", "b.y"), Connection("a.z", "b.z")),
)
SEVEN = Plain("int", "7")


def test_a_port_is_a_component_and_an_endpoint() -> None:
    assert Port.parse(" ring.Channel ") == Port("ring", "Channel")
    assert str(Port("ring", "Channel")) == "ring.Channel"


@pytest.mark.parametrize("text", ["", "ring", "ring.", ".Channel", "a.b.c"])
def test_a_port_has_exactly_one_dot_and_a_name_on_either_side(text: str) -> None:
    with pytest.raises(PortError, match="with one dot"):
        Port.parse(text)


def test_a_sound_composite_has_no_fault() -> None:
    assert list(name_faults(SOUND)) == []


@pytest.mark.parametrize(
    ("thing", "step", "words"),
    [
        (Composite(components=(A, A)), "Component[a]", "given 2 times"),
        (
            Composite(components=(Component("a b", Reference()),)),
            "Component[a b]",
            "letters, digits and underscores",
        ),
        (
            Composite(components=(Component("é", Reference()),)),
            "Component[é]",
            "letters, digits and underscores",
        ),
        (Composite(parameters=(Parameter("p"), Parameter("p"))), "Parameter[p]", "given 2 times"),
        (
            Composite(components=(A,), exports=(Export("u", "a.u"), Export("u", "a.v"))),
            "Endpoint[u]",
            "given 2 times",
        ),
        (Composite(components=(A,), exports=(Export("u", "a"),)), "Endpoint[u]", "with one dot"),
        (
            Composite(components=(A,), exports=(Export("u", "c.u"),)),
            "Endpoint[u]",
            "no component 'c'; there is a",
        ),
        (Composite(connections=(Connection("a.x", "b.y"),)), "Connection[a.x b.y]", "there is none"),
        (
            Composite(components=(A, B), connections=(Connection("a.x", "b.y"), Connection("a.x", "b.z"))),
            "Connection[a.x b.y]",
            "an endpoint joins one other",
        ),
        (
            Composite(
                components=(A, B), exports=(Export("u", "a.x"),), connections=(Connection("a.x", "b.y"),)
            ),
            "Endpoint[u]",
            "is connected inside",
        ),
        (
            Composite(components=(A,), exports=(Export("u", "a.u"), Export("v", "a.u"))),
            "Endpoint[u]",
            "export it once",
        ),
        (
            Composite(components=(A,), connections=(Connection("a.x", "a.x"),)),
            "Connection[a.x a.x]",
            "joins one other",
        ),
    ],
)
def test_each_wrong_name_is_a_fault_with_its_place(thing: Composite, step: str, words: str) -> None:
    faults = list(name_faults(thing))
    assert any(fault.path == (step,) and words in fault.reason for fault in faults), faults


def test_every_fault_is_reported_not_only_the_first() -> None:
    thing = Composite(components=(A, A), exports=(Export("u", "a"),), connections=(Connection("b.x", "c.y"),))
    assert len(list(name_faults(thing))) == 4


def use(name: str = "p") -> Parameter:
    return Parameter("x", ParameterUse(name))


def test_a_parameter_is_passed_to_wherever_it_is_used() -> None:
    deep = Reference(
        "1",
        (
            use(),
            Parameter("c", OtherClass("ValueClass", "2", (use(),))),
            Parameter("o", ObjectClass("3", (use(),))),
        ),
        Reference("4", (use(),)),
        ObjectClass("5", (use(),)),
        Reference("6", (use(),)),
    )
    assert len(list(uses(deep))) == 6
    done = substitute(deep, {"p": SEVEN})
    assert list(uses(done)) == []
    assert done.parameters[0].value == SEVEN


def test_a_parameter_that_is_not_given_is_left_for_another_time() -> None:
    thing = Reference("1", (use("q"),))
    assert substitute(thing, {"p": SEVEN}) == thing


def test_a_composite_takes_what_is_given_and_else_its_defaults() -> None:
    part = Component("a", Reference("1", (use("p"), Parameter("y", ParameterUse("q")))))
    thing = Composite("2", (Parameter("p", SEVEN), Parameter("q", SEVEN)), (part,))
    done = instantiate(thing, {"q": None})
    assert done.parameters == ()
    assert [item.value for item in done.components[0].object.parameters] == [SEVEN, None]


def test_a_composite_inside_a_composite_fills_its_own_uses() -> None:
    inner = Composite(
        "1", (Parameter("p", ParameterUse("outer")),), (Component("a", Reference("2", (use("p"),))),)
    )
    outer = Composite(
        "3", (Parameter("outer", SEVEN), Parameter("p", Plain("int", "8"))), (Component("in", inner),)
    )
    done = instantiate(outer, {}).components[0].object
    assert isinstance(done, Composite)
    assert done.parameters == (Parameter("p", SEVEN),)
    assert done.components == inner.components
    assert instantiate(done, {}).components[0].object.parameters[0].value == SEVEN


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OBJECTS)
def test_uses_are_found_exactly_where_something_is_put_in_their_place(thing: Object) -> None:
    names = {item.id for _, item in uses(thing)}
    done = substitute(thing, dict.fromkeys(names, SEVEN))
    assert list(uses(done)) == []
    assert (done == thing) == (not names)
