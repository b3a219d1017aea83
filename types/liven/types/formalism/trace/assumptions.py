"""The `given X is …` part of formulas: the possible truth values of assumptions, and formulas under each.

Assumptions are about guarantees, so not every combination is possible: a causal endpoint is fifo as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

from liven.types.formalism.atoms import Atom
from liven.types.formalism.guarantee import GuaranteeTable
from liven.types.formalism.trace.formula import Assumed, Formula, Truth, assumptions_of, disjunction, rebuild
from liven.types.formalism.trace.progression import TooLargeError

Facts: TypeAlias = frozenset[Assumed]
"""The assumptions that are true."""

MAX_ASSUMPTIONS = 6
"""The most different assumptions in one decision; each doubles the cases."""

_OPPOSITE = {"self": "peer", "peer": "self"}


def possible_facts(table: GuaranteeTable, *formulas: Formula) -> Iterator[Facts]:
    """Yield every possible set of true assumptions in the formulas, smallest sets first."""
    named = sorted(frozenset().union(*map(assumptions_of, formulas)), key=str)
    if len(named) > MAX_ASSUMPTIONS:
        raise TooLargeError(
            f"at most {MAX_ASSUMPTIONS} assumptions can be weighed at once, here are {len(named)}"
        )
    for size in range(len(named) + 1):
        for chosen in combinations(named, size):
            facts = frozenset(chosen)
            if facts == consequences(table, facts) & frozenset(named):
                yield facts


def consequences(table: GuaranteeTable, facts: Facts) -> Facts:
    """Return the facts and everything that follows from them by the rules between guarantees."""
    return frozenset(
        Assumed(subject, guarantee)
        for subject in {fact.subject for fact in facts}
        for guarantee in table.closure(fact.guarantee for fact in facts if fact.subject == subject)
    )


def under(formula: Formula, facts: Facts) -> Formula:
    """Return the formula with each assumption replaced by its truth value."""
    return rebuild(formula, lambda leaf: leaf if isinstance(leaf, Atom) else Truth(leaf in facts))


def in_some_case(formula: Formula, table: GuaranteeTable) -> Formula:
    """Return a formula that holds of the traces that keep `formula` under some truth values of its
    assumptions."""
    if not assumptions_of(formula):
        return formula
    return disjunction(*(under(formula, facts) for facts in possible_facts(table, formula)))


def mirrored(leaf: Atom | Assumed) -> Formula:
    """Return an atom or assumption as seen at the other end of the connection."""
    if isinstance(leaf, Atom):
        return leaf.mirrored()
    return Assumed(_OPPOSITE.get(leaf.subject, leaf.subject), leaf.guarantee)
