"""Decides if one formula implies another, with a shortest counterexample if not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from liven.types.explanation import Explanation
from liven.types.formalism.atoms import ANY, Atom
from liven.types.formalism.guarantee import GuaranteeTable
from liven.types.formalism.trace.alphabet import Scope
from liven.types.formalism.trace.assumptions import Facts, possible_facts, under
from liven.types.formalism.trace.automaton import Automaton, compiled
from liven.types.formalism.trace.formula import And, Formula, atoms_of, disjunction
from liven.types.formalism.trace.formula_text import show
from liven.types.formalism.trace.inclusion import Trace, missing_trace
from liven.types.formalism.trace.product import part_automaton, product_automaton
from liven.types.formalism.trace.progression import TooLargeError


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A trace that keeps one formula and breaks another."""

    trace: Trace
    facts: Facts = frozenset()
    """The assumptions, of those in either formula, under which it does so."""

    def __str__(self) -> str:
        told = trace_text(self.trace)
        given = " and ".join(sorted(show(fact) for fact in self.facts))
        return f"{told} (given {given})" if given else told


def trace_text(trace: Trace) -> str:
    """Return a trace in words."""
    return ", ".join(_told(atom) for atom in trace) or "nothing at all"


def _told(atom: Atom) -> str:
    if atom.kind == "other":
        return "any other event"
    return (
        f"{atom.endpoint and atom.endpoint + '.'}{atom.kind}.(any other)" if atom.event == ANY else str(atom)
    )


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    return formula.parts if isinstance(formula, And) else (formula,)


def counterexample(provided: Formula, required: Formula, table: GuaranteeTable) -> Counterexample | None:
    """Return a shortest trace that keeps `provided` and breaks `required`; raise TooLargeError.

    If all provided formulas together are too large, a single one that implies `required` by itself is
    enough.
    """
    try:
        return _counterexample(provided, required, table)
    except TooLargeError:
        if any(_implies_alone(part, required, table) for part in conjuncts(provided)):
            return None
        raise


def _counterexample(provided: Formula, required: Formula, table: GuaranteeTable) -> Counterexample | None:
    found: list[Counterexample] = []
    for facts in possible_facts(table, provided, required):
        trace = _missing(under(provided, facts), under(required, facts))
        if trace is not None:
            found.append(Counterexample(trace, facts))
    return min(found, key=lambda one: len(one.trace), default=None)


def _implies_alone(part: Formula, required: Formula, table: GuaranteeTable) -> bool:
    try:
        return _counterexample(part, required, table) is None
    except TooLargeError:
        return False


def _missing(left: Formula, right: Formula) -> Trace | None:
    """Return a shortest trace of `left` that `right` rejects, from as few parts of `left` as possible.

    A trace that keeps the parts considered so far, and that none of the others rejects, is shortest for
    all of them. So a promise that does not matter is never considered, however many there are.
    """
    scope = Scope.of(atoms_of(left) | atoms_of(right))
    against = part_automaton(right, scope)
    weighed: tuple[Formula, ...] = ()
    others = list(conjuncts(left))
    while True:
        trace = missing_trace(product_automaton(weighed, scope), against, scope)
        if trace is None:
            return None
        broken = [part for part in others if not _keeps(part_automaton(part, scope), trace)]
        if not broken:
            return trace
        chosen = max(broken, key=lambda part: len(atoms_of(part) & atoms_of(right)))
        others.remove(chosen)
        weighed = (*weighed, chosen)


def _keeps(automaton: Automaton, trace: Trace) -> bool:
    state = 0
    for letter in trace:
        state = automaton.step(state, letter)
    return automaton.accepting[state]


@lru_cache(maxsize=4096)
def _decided(provided: Formula, required: Formula, table: GuaranteeTable) -> Explanation:
    """Return whether `provided` implies one conjunct of the required formula."""
    right = show(required)
    if required in conjuncts(provided):
        return Explanation(True, f"{right}: provided in these words", left=right, right=right)
    left = show(provided)
    try:
        against = counterexample(provided, required, table)
    except TooLargeError as error:
        return Explanation(False, f"{right}: not decided, {error}", left=left, right=right)
    if against is None:
        return Explanation(True, f"{right}: follows from what is provided", left=left, right=right)
    told = Explanation(False, f"this may happen: {against}", left=left, right=right)
    return Explanation(
        False, f"{right}: does not follow from what is provided", (told,), left=left, right=right
    )


@lru_cache(maxsize=4096)
def implied(provided: Formula, required: Formula, table: GuaranteeTable) -> Explanation:
    """Return whether `provided` implies each conjunct of `required`, with a counterexample if not."""
    reasons = tuple(_decided(provided, part, table) for part in conjuncts(required))
    left, right = show(provided), show(required)
    if len(reasons) == 1:
        return reasons[0]
    verb = "implies" if all(reasons) else "does not imply"
    return Explanation(all(reasons), f"{left} {verb} {right}", reasons, left=left, right=right)


def tautology(formula: Formula, table: GuaranteeTable) -> bool:
    """True if every trace keeps the formula, whatever its assumptions."""
    return all(_always_true(under(formula, facts)) for facts in possible_facts(table, formula))


def _always_true(formula: Formula) -> bool:
    automaton = compiled(formula, Scope.of(atoms_of(formula)))
    return all(automaton.accepting[1:])


def check_size(formula: Formula, table: GuaranteeTable) -> None:
    """Raise TooLargeError if the formula cannot be decided, or watched, within the bounds."""
    cases = [under(formula, facts) for facts in possible_facts(table, formula)]
    for one in (*cases, disjunction(*cases)):
        compiled(one, Scope.of(atoms_of(one)))
