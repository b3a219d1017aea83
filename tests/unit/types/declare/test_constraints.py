"""Constraints as formalisms read them."""

from __future__ import annotations

import pytest

from liven.types.declare import DeclarationError, provides, requires
from liven.types.declare.constraints import ClauseReader, vocabulary_of
from liven.types.formalism.registry import Formalisms
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.value_types import TEXT

DOOR = EndpointType(inputs=(("come", TEXT),), outputs=(("go", TEXT),))


@pytest.fixture
def reader(formalisms: Formalisms) -> ClauseReader:
    return ClauseReader(formalisms)


def test_an_endpoint_without_clauses_is_left_alone(reader: ClauseReader) -> None:
    assert reader.on_endpoint("x", DOOR, ()) is DOOR
    house = ObjectType((("door", DOOR),))
    assert reader.on_object("x", house, ()) is house


def test_the_vocabulary_is_the_endpoints_events() -> None:
    words = vocabulary_of(DOOR)
    assert (words.inputs, words.outputs) == (frozenset({"come"}), frozenset({"go"}))


def test_each_clause_binds_its_side_and_keeps_its_words(reader: ClauseReader) -> None:
    made = reader.on_endpoint(
        "x",
        DOOR,
        (
            provides("guarantee", "fifo"),
            requires("trace", "at most one come"),
            requires("count", "at most 3"),
        ),
    )
    assert [one.text for one in made.provides] == ["fifo"]
    assert [one.text for one in made.requires] == ["at most one come", "at most 3"]
    assert made.inputs == DOOR.inputs


def test_an_object_speaks_of_the_events_of_its_endpoints(reader: ClauseReader) -> None:
    house = ObjectType((("door", DOOR),))
    made = reader.on_object("x", house, (requires("trace", "at most one door.come"),))
    assert [one.text for one in made.requires] == ["at most one door.come"]
    with pytest.raises(DeclarationError, match="at most one come"):
        reader.on_object("x", house, (requires("trace", "at most one come"),))


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        (provides("trace", "at most one nothing"), "x provides trace `at most one nothing`: "),
        (requires("guarantee", "fiffo"), "x requires guarantee `fiffo`: "),
        (requires("count", "several"), "x requires count `several`: "),
        (requires("timing", "soon"), "x requires timing `soon`: "),
        (
            requires("zeal", "soon"),
            "x: no formalism is called 'zeal'; write one of Secure, count, guarantee",
        ),
        (requires("tracee", "soon"), "x: no formalism is called 'tracee'; write trace"),
    ],
)
def test_an_unreadable_constraint_is_reported_with_its_text(
    reader: ClauseReader, clause: object, said: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        reader.on_endpoint("x", DOOR, (clause,))  # type: ignore[arg-type]
    assert str(caught.value).startswith(said)


REALIZABLE = [
    (("at most one go",), (), True),
    (("at most one come",), (), False),
    (("at most one come",), ("at most one come",), True),
    (("go never precedes come",), (), True),
    (("come never precedes go",), (), False),
    (("come never precedes go",), ("come never precedes go",), True),
    (("every come is followed by a go",), (), True),
    (("every go is followed by a come",), (), False),
    (("at most one go", "every come is followed by a go"), (), False),
    (("at most one go", "every come is followed by a go"), ("at most one come",), False),
]


@pytest.mark.parametrize(("promises", "demands", "realizable"), REALIZABLE)
def test_a_promise_must_be_one_that_its_owner_can_keep(
    reader: ClauseReader, promises: tuple[str, ...], demands: tuple[str, ...], realizable: bool
) -> None:
    clauses = (
        *(provides("trace", text) for text in promises),
        *(requires("trace", text) for text in demands),
    )
    if realizable:
        assert len(reader.on_endpoint("x", DOOR, clauses).provides) == len(promises)
        return
    with pytest.raises(DeclarationError) as caught:
        reader.on_endpoint("x", DOOR, clauses)
    assert caught.value.where == "x provides trace"
    assert "this may happen: connect" in caught.value.problem
    assert str(caught.value).endswith("\npromise less, or require that the other side prevents it")


def test_a_demand_need_not_be_realizable(reader: ClauseReader) -> None:
    assert reader.on_endpoint("x", DOOR, (requires("trace", "at most one come"),)).requires


def test_a_promise_that_says_nothing_is_dropped_before_it_is_judged(reader: ClauseReader) -> None:
    assert not reader.on_endpoint("x", DOOR, (provides("trace", "true"),)).provides
