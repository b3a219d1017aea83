"""Automata of formulas: their size, and the properties of each state."""

from __future__ import annotations

import pytest

from liven.types.formalism.atoms import OTHER, Atom
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import TraceFormalism
from liven.types.formalism.trace.alphabet import Scope
from liven.types.formalism.trace.automaton import IMPOSSIBLE, MAX_STATES, Automaton, compiled
from liven.types.formalism.trace.formula import TRUE, atoms_of

NAMES = Vocabulary(frozenset({"A", "B"}))
LETTERS = {
    "c": Atom("", "connect"),
    "d": Atom("", "disconnect"),
    "a": Atom("", "in", "A"),
    "b": Atom("", "in", "B"),
    "z": Atom("", "out", "Z"),
}


def built(trace: TraceFormalism, text: str) -> Automaton:
    formula = trace.parse(text, NAMES)
    return compiled(formula, Scope.of(atoms_of(formula)))


def run(automaton: Automaton, word: str) -> int:
    state = 0
    for letter in word:
        state = automaton.step(state, LETTERS[letter])
        assert state != IMPOSSIBLE
    return state


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("true", 3),
        ("false", 3),
        ("no A", 5),
        ("at most one A", 7),
        ("eventually A", 5),
        ("no A before B", 7),
        ("at most 16 A", 37),
    ],
)
def test_common_formulas_have_few_states(text: str, states: int, trace: TraceFormalism) -> None:
    assert len(built(trace, text).table) <= states


def test_every_state_has_a_row_for_every_letter(trace: TraceFormalism) -> None:
    automaton = built(trace, "A alternates with B")
    count = len(automaton.table)
    assert {len(row) for row in automaton.table} == {len(automaton.alphabet.letters)}
    assert all(IMPOSSIBLE <= then < count for row in automaton.table for then in row)
    assert len(automaton.accepting) == len(automaton.hopeful) == len(automaton.settled) == count


@pytest.mark.parametrize(
    ("word", "accepting", "hopeful", "settled"),
    [
        ("", False, True, False),
        ("c", True, True, False),
        ("ca", True, True, False),
        ("caa", False, False, False),
        ("cad", True, True, True),
    ],
)
def test_a_safety_formula_is_never_settled_before_the_end(
    word: str, accepting: bool, hopeful: bool, settled: bool, trace: TraceFormalism
) -> None:
    automaton = built(trace, "at most one A")
    state = run(automaton, word)
    assert (automaton.accepting[state], automaton.hopeful[state], automaton.settled[state]) == (
        accepting,
        hopeful,
        settled,
    )


@pytest.mark.parametrize(
    ("word", "accepting", "hopeful", "settled"),
    [
        ("c", False, True, False),
        ("cb", False, True, False),
        ("ca", True, True, True),
        ("cd", False, False, False),
    ],
)
def test_a_duty_is_settled_once_met(
    word: str, accepting: bool, hopeful: bool, settled: bool, trace: TraceFormalism
) -> None:
    automaton = built(trace, "eventually A")
    state = run(automaton, word)
    assert (automaton.accepting[state], automaton.hopeful[state], automaton.settled[state]) == (
        accepting,
        hopeful,
        settled,
    )


def test_an_event_that_is_not_named_is_the_other_letter(trace: TraceFormalism) -> None:
    automaton = built(trace, "no A")
    assert automaton.place(LETTERS["z"]) == automaton.index[OTHER]
    assert automaton.place(LETTERS["b"]) == automaton.index[OTHER]
    assert automaton.place(LETTERS["a"]) != automaton.index[OTHER]


@pytest.mark.parametrize("word", ["a", "d", "z", "cc", "cdd", "cda", "cdz"])
def test_an_impossible_letter_leads_nowhere(word: str, trace: TraceFormalism) -> None:
    automaton = built(trace, "no A")
    state = run(automaton, word[:-1])
    assert automaton.step(state, LETTERS[word[-1]]) == IMPOSSIBLE


def test_the_same_formula_is_built_once(trace: TraceFormalism) -> None:
    assert built(trace, "no A before B") is built(trace, "A only after B")


def test_the_bound_is_on_states_as_they_are_found(trace: TraceFormalism) -> None:
    automaton = built(trace, "at most 10 A; at most 8 B")
    assert 99 <= len(automaton.table) <= MAX_STATES


def test_a_true_formula_is_settled_from_the_connect_on() -> None:
    automaton = compiled(TRUE, Scope())
    assert automaton.settled == (False, True, True)
