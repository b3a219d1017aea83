"""Declarations that members will not come back: what their marks tell about two histories."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import ALIKE, BEGINNING, Comparison, Epoch, Position, mark
from liven.liveobjects.channel.history.declarations import MARK_BYTES, Declaration, declarations

FOUNDED = b"f" * 16
NUMBERS = st.integers(0, 2**40 - 1)
SHARED = Epoch(b"s" * 16, BEGINNING, main=True)


def begins(number: int) -> Epoch:
    return Epoch(b"l" * 16, Position(SHARED.identity, number, b"c" * 16), main=True)


@given(st.lists(st.tuples(st.binary(min_size=6, max_size=6), NUMBERS, NUMBERS), max_size=5))
def test_marks_are_read_as_they_were_made(made: list[tuple[bytes, int, int]]) -> None:
    founding = FOUNDED + b"".join(mark(*each) for each in made)
    assert declarations(founding) == [Declaration(*each) for each in made]
    assert len(founding) == len(FOUNDED) + len(made) * MARK_BYTES


def test_without_declarations_an_epoch_tells_everything() -> None:
    assert not ALIKE.may_differ(5, [SHARED])
    assert not Comparison(FOUNDED, FOUNDED).may_differ(5, [SHARED])


def test_only_what_was_not_confirmed_before_may_differ() -> None:
    declared = FOUNDED + mark(b"person", 9, 85)
    ours = Comparison(declared, FOUNDED)
    assert [ours.may_differ(number, [SHARED, begins(90)]) for number in (9, 10, 90, 91)] == [
        False,
        True,
        True,
        False,
    ]
    theirs = Comparison(FOUNDED, declared)
    assert [theirs.may_differ(number, [SHARED]) for number in (9, 10, 1000)] == [False, True, True]


def test_it_may_differ_until_an_epoch_begins() -> None:
    declared = FOUNDED + mark(b"person", 9, 85)
    assert Comparison(declared, declared).may_differ(1000, [SHARED, begins(80)])
    assert not Comparison(declared, declared).may_differ(1000, [SHARED, begins(85)])


def test_declarations_of_both_sides_count() -> None:
    one, other = FOUNDED + mark(b"person", 9, 9), FOUNDED + mark(b"people", 20, 20)
    compared = Comparison(one, other)
    assert not compared.may_differ(15, [SHARED, begins(9)])
    assert compared.may_differ(21, [SHARED, begins(9)])
