"""The possible outcomes of assumptions."""

from __future__ import annotations

import pytest

from liven.types.formalism.atoms import Atom
from liven.types.formalism.guarantee import builtin_table
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import TooLargeError, TraceFormalism
from liven.types.formalism.trace.assumptions import (
    consequences,
    in_some_case,
    mirrored,
    possible_facts,
    under,
)
from liven.types.formalism.trace.formula import (
    FALSE,
    TRUE,
    Assumed,
    Formula,
    conjunction,
    disjunction,
    implication,
    negation,
)

TABLE = builtin_table()
A = Atom("", "in", "A")
CAUSAL, FIFO, TOTAL = (Assumed("peer", name) for name in ("causal", "fifo", "total"))
OWN_FIFO = Assumed("self", "fifo")


def cases(*formulas: Formula) -> list[set[Assumed]]:
    return [set(facts) for facts in possible_facts(TABLE, *formulas)]


def test_without_assumptions_there_is_one_case() -> None:
    assert cases(A) == [set()]


def test_one_assumption_is_true_or_not() -> None:
    assert cases(implication(FIFO, A)) == [set(), {FIFO}]


def test_consequences_of_a_fact_are_facts() -> None:
    assert cases(CAUSAL, FIFO) == [set(), {FIFO}, {CAUSAL, FIFO}]


def test_independent_assumptions_turn_out_in_every_way() -> None:
    assert len(cases(TOTAL, FIFO)) == 4


def test_each_subject_has_facts_of_its_own() -> None:
    assert {CAUSAL} in cases(CAUSAL, OWN_FIFO)
    assert consequences(TABLE, frozenset({CAUSAL})) == {CAUSAL, FIFO}


def test_two_facts_together_can_mean_a_third() -> None:
    whole, one, two = (Assumed("peer", name) for name in ("exactly-once", "at-most-once", "at-least-once"))
    found = cases(whole, one, two)
    assert {one, two} not in found
    assert {whole, one, two} in found
    assert {whole} not in found


def test_a_formula_under_facts_has_no_assumptions_left() -> None:
    formula = conjunction(implication(FIFO, A), negation(TOTAL))
    assert under(formula, frozenset({FIFO})) == A
    assert under(formula, frozenset()) == disjunction(TRUE, A)
    assert under(TOTAL, frozenset()) == FALSE


def test_an_unseen_assumption_counts_in_favour_of_the_formula() -> None:
    assert in_some_case(A, TABLE) == A
    trace = TraceFormalism(TABLE)
    names = Vocabulary(frozenset({"A"}))
    excused = in_some_case(trace.parse("given peer is fifo, no A", names), TABLE)
    assert trace.trivial(excused)
    bound = in_some_case(trace.parse("(given peer is fifo, no A); (peer is fifo)", names), TABLE)
    assert trace.implies(bound, trace.parse("no A", names))


def test_too_many_assumptions_are_refused() -> None:
    names = ("fifo", "total", "timed", "durable", "encrypted", "exclusive", "same-view")
    with pytest.raises(TooLargeError, match="at most 6 assumptions can be weighed at once, here are 7"):
        cases(*(Assumed("peer", name) for name in names))


def test_mirroring_swaps_the_sides() -> None:
    assert mirrored(FIFO) == OWN_FIFO
    assert mirrored(OWN_FIFO) == FIFO
    assert mirrored(Assumed("detector", "fifo")) == Assumed("detector", "fifo")
    assert mirrored(A) == Atom("", "out", "A")
