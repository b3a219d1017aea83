"""Reactions, and when one follows from another."""

from __future__ import annotations

from fractions import Fraction

import pytest

from liven.types.formalism.atoms import Atom
from liven.types.formalism.timing.reaction import Reaction, Where

A, B = Atom("", "in", "A"), Atom("", "out", "B")


def reaction(seconds: str = "1", share: str = "1", where: Where = "here") -> Reaction:
    return Reaction(A, B, Fraction(seconds), Fraction(share), where)


@pytest.mark.parametrize(
    ("one", "other", "follows"),
    [
        (reaction(), reaction(), True),
        (reaction("1/2"), reaction("1"), True),
        (reaction("2"), reaction("1"), False),
        (reaction(share="1"), reaction(share="1/2"), True),
        (reaction(share="1/2"), reaction(share="1"), False),
        (reaction("1/2", "1/2"), reaction("1", "1"), False),
        (reaction(where="all"), reaction(where="some"), True),
        (reaction(where="some"), reaction(where="all"), False),
        (reaction(where="all"), reaction(where="here"), False),
        (reaction(where="here"), reaction(where="some"), False),
        (reaction(), Reaction(B, A, Fraction(1)), False),
    ],
)
def test_a_reaction_implies_weaker_ones(one: Reaction, other: Reaction, follows: bool) -> None:
    assert one.implies(other) is follows


def test_mirroring_turns_both_events() -> None:
    assert reaction().mirrored() == Reaction(A.mirrored(), B.mirrored(), Fraction(1))


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (reaction(), "at least 100% of the time, out.B within 1 s after in.A"),
        (
            reaction("1/5", "995/1000", "all"),
            "at least 99.5% of the time, out.B at all instances within 0.2 s after in.A",
        ),
        (
            reaction("90", "1/2", "some"),
            "at least 50% of the time, out.B at some instance within 90 s after in.A",
        ),
    ],
)
def test_a_reaction_is_told_as_it_would_be_written(one: Reaction, text: str) -> None:
    assert str(one) == text
