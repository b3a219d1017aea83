"""Formulas as terms: equal meanings are equal terms where that is cheap."""

from __future__ import annotations

from liven.types.formalism.atoms import Atom
from liven.types.formalism.trace.formula import (
    FALSE,
    TRUE,
    And,
    Assumed,
    Formula,
    Next,
    Not,
    Or,
    Previously,
    Release,
    Since,
    Until,
    always,
    assumptions_of,
    atoms_of,
    children,
    conjunction,
    disjunction,
    eventually,
    historically,
    implication,
    looks_ahead,
    negation,
    once,
    rebuild,
    unless,
    walk,
)

A, B, C = (Atom("", "in", name) for name in "ABC")
PEER = Assumed("peer", "fifo")


def test_a_double_negation_vanishes() -> None:
    assert negation(negation(A)) == A
    assert negation(TRUE) == FALSE


def test_rows_are_flat_without_repetition_and_keep_their_order() -> None:
    assert conjunction(A, conjunction(B, A), C) == And((A, B, C))
    assert disjunction(disjunction(B, A), B) == Or((B, A))


def test_redundant_operands_are_left_out() -> None:
    assert conjunction() == TRUE
    assert disjunction() == FALSE
    assert conjunction(A, TRUE) == A
    assert disjunction(FALSE, A) == A
    assert conjunction(A, A) == A


def test_a_conjunction_with_false_is_left_to_the_automaton() -> None:
    assert conjunction(A, FALSE) == And((A, FALSE))


def test_few_operators_carry_the_others() -> None:
    assert implication(A, B) == Or((Not(A), B))
    assert eventually(A) == Until(TRUE, A)
    assert always(A) == Release(FALSE, A)
    assert unless(A, B) == Release(B, Or((A, B)))
    assert once(A) == Since(TRUE, A)
    assert historically(A) == Not(Since(TRUE, Not(A)))


EVERY: Formula = conjunction(
    negation(A), Next(B), Until(A, C), Release(A, B), Previously(A), Since(B, C), disjunction(PEER, TRUE, A)
)


def test_walking_meets_every_formula_inside() -> None:
    met = list(walk(EVERY))
    assert met[0] == EVERY
    assert {A, B, C, PEER} <= set(met)
    assert len(met) == 1 + sum(len(list(walk(child))) for child in children(EVERY))


def test_names_are_collected() -> None:
    assert atoms_of(EVERY) == {A, B, C}
    assert assumptions_of(EVERY) == {PEER}


def test_rebuilding_replaces_the_leaves_and_nothing_else() -> None:
    assert rebuild(EVERY, lambda leaf: leaf) == EVERY
    swapped = rebuild(EVERY, lambda leaf: B if leaf == A else leaf)
    assert A not in atoms_of(swapped)
    assert rebuild(conjunction(A, B), lambda _: A) == A


def test_only_what_looks_ahead_depends_on_what_comes() -> None:
    assert all(map(looks_ahead, (Next(A), Until(A, B), Release(A, B), negation(Next(A)))))
    assert not any(map(looks_ahead, (A, Previously(A), Since(A, B), conjunction(A, negation(B)), PEER)))
