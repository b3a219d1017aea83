"""Progression of formulas, letter by letter."""

from __future__ import annotations

import pytest

from liven.types.formalism.atoms import Atom
from liven.types.formalism.trace.formula import (
    Formula,
    Next,
    Previously,
    Release,
    Since,
    Until,
    always,
    conjunction,
    disjunction,
    eventually,
    negation,
    once,
)
from liven.types.formalism.trace.progression import FAILED, MET, Progression, TooLargeError

A, B, C = (Atom("", "in", name) for name in "ABC")
LETTERS = {"a": A, "b": B, "c": C}


def verdicts(formula: Formula, trace: str) -> str:
    """Return after each letter `+` or `-` if the formula is settled, else `?` and whether the trace may
    end."""
    rest = Progression(formula)
    state, memory, told = rest.start, rest.blank, ""
    for letter in trace:
        state, memory = rest.step(state, memory, LETTERS[letter])
        settled = {MET: "+", FAILED: "-"}
        told += settled.get(state, "." if rest.ends_well(state) else "?")
    return told


@pytest.mark.parametrize(
    ("formula", "trace", "told"),
    [
        (A, "ab", "++"),
        (A, "ba", "--"),
        (negation(A), "b", "+"),
        (eventually(B), "aaba", "??++"),
        (always(A), "aab", "..-"),
        (Until(A, B), "aab", "??+"),
        (Until(A, B), "ac", "?-"),
        (Release(B, A), "aa", ".."),
        (Release(B, A), "ab", ".-"),
        (Release(B, disjunction(A, B)), "abc", ".++"),
        (Next(A), "ba", "?+"),
        (Next(A), "bb", "?-"),
        (Next(A, strong=False), "ba", ".+"),
        (negation(Next(A)), "b", "."),
        (Next(Next(A)), "bba", "??+"),
        (always(disjunction(negation(A), eventually(B))), "abab", "?.?."),
        (always(disjunction(negation(A), once(B))), "cba", "..."),
        (always(disjunction(negation(A), once(B))), "ca", ".-"),
        (always(disjunction(negation(C), Previously(B))), "bcc", "..-"),
        (always(disjunction(negation(C), Since(negation(A), B))), "bccac", "....-"),
        (conjunction(eventually(A), eventually(B)), "cab", "??+"),
        (disjunction(always(A), eventually(B)), "aacb", "..?+"),
        (negation(eventually(A)), "bca", "..-"),
        (negation(always(A)), "aab", "??+"),
    ],
)
def test_a_formula_is_followed_along_a_trace(formula: Formula, trace: str, told: str) -> None:
    assert verdicts(formula, trace) == told


def test_the_empty_trace_is_rejected() -> None:
    rest = Progression(always(A))
    assert not rest.ends_well(rest.start)


def test_a_recurring_residual_is_equal() -> None:
    """This keeps the number of states finite."""
    rest = Progression(always(disjunction(negation(A), Next(eventually(B)))))
    state, memory, seen = rest.start, rest.blank, set()
    for letter in "abcab" * 20:
        state, memory = rest.step(state, memory, LETTERS[letter])
        seen.add((state, memory))
    assert len(seen) == 2


def test_the_memory_of_the_past_is_one_bit_for_each_of_its_operators() -> None:
    rest = Progression(always(disjunction(negation(A), Previously(once(B)), Since(A, once(B)))))
    assert rest.blank == (False, False, False)


def test_the_past_is_forgotten_once_the_formula_is_settled() -> None:
    rest = Progression(conjunction(eventually(B), negation(Previously(A))))
    state, memory = rest.step(rest.start, rest.blank, B)
    assert (state, memory) == (MET, rest.blank)


def test_too_many_alternatives_are_refused() -> None:
    parts = [
        disjunction(*(eventually(conjunction(letter, Next(Next(other)))) for letter in (A, B, C)))
        for other in (A, B, C)
    ]
    nested = conjunction(*(always(eventually(conjunction(part, Next(part)))) for part in parts))
    rest = Progression(nested)
    state, memory = rest.start, rest.blank
    with pytest.raises(TooLargeError, match="split it into simpler parts"):
        for letter in "abcabcaabbcc" * 10:
            state, memory = rest.step(state, memory, LETTERS[letter])
