"""Operators: their precedence and their meaning."""

from __future__ import annotations

import pytest

from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import TraceFormalism

NAMES = Vocabulary(frozenset({"A", "B", "C", "D"}))

SAME = [
    ("A or B and C", "A or (B and C)"),
    ("A and B or C", "(A and B) or C"),
    ("not A and B", "(not A) and B"),
    ("not A until B", "(not A) until B"),
    ("always A or B", "(always A) or B"),
    ("always A until B", "(always A) until B"),
    ("A until B and C", "(A until B) and C"),
    ("A until B until C", "A until (B until C)"),
    ("A since B since C", "A since (B since C)"),
    ("A implies B implies C", "A implies (B implies C)"),
    ("A or B implies C and D", "(A or B) implies (C and D)"),
    ("A iff B implies C", "A iff (B implies C)"),
    ("eventually always A", "eventually (always A)"),
    ("next weakly next A", "next (weakly next A)"),
    ("once previously A", "once (previously A)"),
    ("A -> B", "A implies B"),
    ("A <-> B", "(A implies B) and (B implies A)"),
    ("!A & B | C", "((not A) and B) or C"),
    ("never A", "always not A"),
    ("not not A", "A"),
    ("not true", "false"),
    ("A and true", "A"),
    ("A or false", "A"),
    ("A and A", "A"),
    ("A or (B or C)", "A or B or C"),
    ("A unless B", "B release (A or B)"),
    ("historically A", "not once not A"),
    ("*", "in.* or out.*"),
    ("no A; no B", "(no A) and (no B)"),
    ("given A, given B, C", "A implies (B implies C)"),
    ("((A))", "A"),
    ("A   until\n\tB", "A until B"),
]


@pytest.mark.parametrize(("text", "meant"), SAME, ids=[row[0] for row in SAME])
def test_a_formula_is_grouped_as_the_table_of_operators_says(
    text: str, meant: str, trace: TraceFormalism
) -> None:
    assert trace.parse(text, NAMES) == trace.parse(meant, NAMES)


DIFFERENT = [
    ("(A or B) and C", "A or B and C"),
    ("not (A until B)", "not A until B"),
    ("(A until B) until C", "A until B until C"),
    ("next A", "weakly next A"),
    ("always (A or B)", "always A or B"),
    ("not C and (A until B)", "not C and (A unless B)"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=[row[0] for row in DIFFERENT])
def test_parentheses_and_strength_matter(one: str, other: str, trace: TraceFormalism) -> None:
    """Formulas are compared after the connect, where only events are possible."""
    left, right = (trace.parse(f"next ({text})", NAMES) for text in (one, other))
    assert not (trace.implies(left, right) and trace.implies(right, left))


PRINTED = [
    ("A and (B or C)", "in.A and (in.B or in.C)"),
    ("A until (B and C)", "in.A until (in.B and in.C)"),
    ("not (A and B)", "not (in.A and in.B)"),
    ("A unless B", "in.B release (in.A or in.B)"),
    ("always (A implies eventually B)", "always (in.A implies eventually in.B)"),
    ("historically not A", "not once in.A"),
    ("historically A", "historically in.A"),
    ("not historically not not A", "not historically in.A"),
    ("once not A", "not historically in.A"),
    ("true since A", "once in.A"),
    ("true until A", "eventually in.A"),
    ("false release A", "always in.A"),
    ("A since B", "in.A since in.B"),
    ("weakly next not A", "weakly next not in.A"),
    ("given self is causal, A", "self is causal implies in.A"),
    ("true", "true"),
    ("false", "false"),
]


@pytest.mark.parametrize(("text", "printed"), PRINTED, ids=[row[0] for row in PRINTED])
def test_a_formula_is_printed_in_operators(text: str, printed: str, trace: TraceFormalism) -> None:
    formula = trace.parse(text, NAMES)
    assert trace.print(formula) == printed
    assert trace.parse(printed, NAMES) == formula


def test_long_rows_of_one_operator_are_not_deep(trace: TraceFormalism) -> None:
    for word in ("and", "or"):
        formula = trace.parse(f" {word} ".join(["A", "B", "not C"] * 100), NAMES)
        assert trace.print(formula).count(word) == 2


def test_a_sentence_may_stand_in_parentheses(trace: TraceFormalism) -> None:
    formula = trace.parse("(at most one A, and nothing after it) or (no B; no C)", NAMES)
    assert trace.implies(trace.parse("no B; no C", NAMES), formula)
    assert trace.implies(trace.parse("nothing after A", NAMES), formula)
    assert not trace.implies(formula, trace.parse("no B", NAMES))
