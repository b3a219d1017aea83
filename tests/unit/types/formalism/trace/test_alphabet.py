"""The letters of formulas, and the traces that are possible."""

from __future__ import annotations

import pytest

from liven.types.formalism.atoms import ANY, OTHER, Atom
from liven.types.formalism.trace.alphabet import CONNECTED, FRESH, GONE, Alphabet, Scope, matches

A, B = Atom("", "in", "A"), Atom("", "out", "B")
ANY_IN, ANY_OUT = Atom("", "in", ANY), Atom("", "out", ANY)
CONNECT, DISCONNECT = Atom("", "connect"), Atom("", "disconnect")
X, Y = Atom("x", "in", "A"), Atom("y", "out", "B")


def letters(*atoms: Atom) -> list[str]:
    return [str(letter) for letter in Alphabet.of(atoms, Scope.of(atoms)).letters]


def test_what_is_named_is_a_letter_and_one_more_is_everything_else() -> None:
    assert letters(A, B) == ["connect", "in.A", "out.B", "disconnect", "other"]


def test_a_formula_that_names_nothing_still_has_the_connection() -> None:
    assert letters() == ["connect", "disconnect", "other"]


def test_a_direction_splits_everything_else_in_two() -> None:
    assert letters(A, ANY_OUT) == ["connect", "in.A", "in.*", "out.*", "disconnect"]


def test_of_several_endpoints_each_is_connected_by_itself() -> None:
    assert letters(X, Y) == [
        "x.connect",
        "x.in.A",
        "x.disconnect",
        "y.connect",
        "y.out.B",
        "y.disconnect",
        "other",
    ]


def test_only_the_endpoint_that_says_so_is_split() -> None:
    names = letters(X, Atom("y", "in", ANY))
    assert "y.in.*" in names and "y.out.*" in names
    assert "x.in.*" not in names
    assert "other" in names


def test_a_comparison_can_ask_for_directions_everywhere() -> None:
    assert Scope.of([X, Y], directed=True).split == {"x", "y"}
    assert Scope.of([], directed=True) == Scope(False, frozenset({""}))


def test_a_part_of_a_comparison_takes_its_part_of_the_scope() -> None:
    scope = Scope.of([X, Atom("y", "in", ANY)])
    assert scope.within([X]) == Scope(True, frozenset())
    assert scope.within([Y]) == Scope(True, frozenset({"y"}))


@pytest.mark.parametrize(
    ("atom", "letter"),
    [(A, A), (Atom("", "in", "Z"), ANY_IN), (Atom("", "out", "Z"), ANY_OUT), (CONNECT, CONNECT)],
)
def test_every_atom_has_its_letter(atom: Atom, letter: Atom) -> None:
    atoms = (A, B, ANY_IN)
    assert Alphabet.of(atoms, Scope.of(atoms)).letter(atom) == letter


def test_an_unnamed_event_is_the_other_letter() -> None:
    assert Alphabet.of((A,), Scope.of((A,))).letter(Atom("", "out", "Z")) == OTHER
    assert Alphabet.of((X,), Scope.of((X,))).letter(Atom("z", "connect")) == OTHER


@pytest.mark.parametrize(
    ("phase", "letter", "after"),
    [
        (FRESH, CONNECT, CONNECTED),
        (FRESH, A, None),
        (FRESH, OTHER, None),
        (FRESH, DISCONNECT, None),
        (CONNECTED, A, CONNECTED),
        (CONNECTED, OTHER, CONNECTED),
        (CONNECTED, CONNECT, None),
        (CONNECTED, DISCONNECT, GONE),
        (GONE, A, None),
        (GONE, OTHER, None),
        (GONE, CONNECT, None),
        (GONE, DISCONNECT, None),
    ],
)
def test_a_trace_begins_with_connect_and_ends_with_its_disconnect(
    phase: int, letter: Atom, after: int | None
) -> None:
    alphabet = Alphabet.of((A,), Scope.of((A,)))
    assert alphabet.after((phase,), letter) == (None if after is None else (after,))


def test_endpoints_of_an_object_connect_independently() -> None:
    alphabet = Alphabet.of((X, Y), Scope.of((X, Y)))
    assert alphabet.start() == (FRESH, FRESH)
    assert alphabet.after((FRESH, FRESH), OTHER) == (FRESH, FRESH)
    assert alphabet.after((FRESH, CONNECTED), X) is None
    assert alphabet.after((FRESH, CONNECTED), Y) == (FRESH, CONNECTED)
    assert alphabet.after((GONE, CONNECTED), Atom("y", "disconnect")) == (GONE, GONE)
    assert alphabet.after((GONE, GONE), OTHER) == (GONE, GONE)


@pytest.mark.parametrize(
    ("pattern", "letter", "does"),
    [
        (A, A, True),
        (A, B, False),
        (A, ANY_IN, False),
        (ANY_IN, A, True),
        (ANY_IN, ANY_IN, True),
        (ANY_IN, B, False),
        (ANY_IN, OTHER, False),
        (ANY_IN, X, False),
        (CONNECT, CONNECT, True),
        (CONNECT, DISCONNECT, False),
    ],
)
def test_a_direction_means_every_event_of_it(pattern: Atom, letter: Atom, does: bool) -> None:
    assert matches(pattern, letter) is does
