"""Progression: the demand that a formula still makes on the rest of a trace after each letter.

Such a residual is a disjunction of conjunctions of *duties*; a duty is a formula that must hold from the
next position on. At the end of the trace a strong duty has failed and a weak one is met. Conjunctions that
others make redundant are dropped, so equal residuals are mostly equal terms and there are finitely many.
Formulas that do not look ahead are decided at once from the letter and one truth value for each
`previously` and `since` in them: this is all the memory that the past needs.
"""

from __future__ import annotations

from typing import TypeAlias

from liven.types.formalism.atoms import Atom
from liven.types.formalism.plugin import FormulaError
from liven.types.formalism.trace.alphabet import matches
from liven.types.formalism.trace.formula import (
    And,
    Formula,
    Next,
    Not,
    Or,
    Previously,
    Release,
    Since,
    Truth,
    Until,
    looks_ahead,
    negation,
    walk,
)

Duty: TypeAlias = int
"""Twice the number of a node, and one more if strong."""
Residual: TypeAlias = frozenset[frozenset[Duty]]
Memory: TypeAlias = tuple[bool, ...]
"""A truth value of each past formula at the last position read."""

MET: Residual = frozenset([frozenset()])
FAILED: Residual = frozenset()

MAX_CLAUSES = 48
"""The most alternatives a residual may have."""
MAX_WORK = 400_000
"""The most small steps to spend on one formula."""


class TooLargeError(FormulaError):
    """A formula that cannot be decided within the stated bounds."""


class Progression:
    """One formula being read letter by letter."""

    def __init__(self, formula: Formula) -> None:
        self._nodes: list[tuple[str, tuple[int, ...], Formula]] = []
        self._numbers: dict[tuple[Formula, bool], int] = {}
        self._past = _past_of(formula)
        self._places = _places(formula, self._past)
        self._work = 0
        self.start: Residual = frozenset([frozenset([2 * self._node(formula, True) + 1])])
        self.blank: Memory = (False,) * len(self._past)

    def step(self, residual: Residual, memory: Memory, letter: Atom) -> tuple[Residual, Memory]:
        """Return the residual and the memory after `letter`."""
        truths, remembered = self._remember(memory, letter)
        known: dict[int, Residual] = {}
        result = FAILED
        for clause in sorted(residual, key=sorted):
            met = MET
            for duty in sorted(clause):
                met = self._both(met, self._derive(duty // 2, truths, letter, known))
            result = self._either(result, met)
        return result, self.blank if result in (MET, FAILED) else remembered

    @staticmethod
    def ends_well(residual: Residual) -> bool:
        """True if the trace may end here."""
        return any(all(duty % 2 == 0 for duty in clause) for clause in residual)

    def _node(self, formula: Formula, positive: bool) -> int:
        """Return the number of the formula, or of its negation, with all negations pushed to the leaves."""
        key = formula, positive
        if key not in self._numbers:
            kind, inner = self._shape(formula, positive)
            self._numbers[key] = len(self._nodes)
            self._nodes.append((kind, inner, formula if positive else negation(formula)))
        return self._numbers[key]

    def _shape(self, formula: Formula, positive: bool) -> tuple[str, tuple[int, ...]]:
        if not looks_ahead(formula):
            return "now", ()
        match formula:
            case Not(body):
                return "same", (self._node(body, not positive),)
            case And(parts) | Or(parts):
                both = isinstance(formula, And) == positive
                return "and" if both else "or", tuple(self._node(part, positive) for part in parts)
            case Next(body, strong):
                return "next" if strong == positive else "weak", (self._node(body, positive),)
            case Until(one, two) | Release(one, two):
                kind = "until" if isinstance(formula, Until) == positive else "release"
                return kind, (self._node(one, positive), self._node(two, positive))
        raise AssertionError(f"{formula!r} looks ahead and is none of the above")

    def _derive(self, node: int, truths: list[bool], letter: Atom, known: dict[int, Residual]) -> Residual:
        found = known.get(node)
        if found is None:
            self._spend(1)
            found = known[node] = self._derived(node, truths, letter, known)
        return found

    def _derived(self, node: int, truths: list[bool], letter: Atom, known: dict[int, Residual]) -> Residual:
        kind, inner, formula = self._nodes[node]
        if kind == "now":
            return MET if self._holds(formula, truths, letter) else FAILED
        if kind in ("next", "weak"):
            return frozenset([frozenset([2 * inner[0] + (kind == "next")])])
        parts = [self._derive(part, truths, letter, known) for part in inner]
        if kind == "until":
            again = frozenset([frozenset([2 * node + 1])])
            return self._either(parts[1], self._both(parts[0], again))
        if kind == "release":
            again = frozenset([frozenset([2 * node])])
            return self._both(parts[1], self._either(parts[0], again))
        join = self._both if kind in ("and", "same") else self._either
        result = parts[0]
        for part in parts[1:]:
            result = join(result, part)
        return result

    def _both(self, one: Residual, two: Residual) -> Residual:
        if one == MET or two == FAILED:
            return two
        if two == MET or one == FAILED:
            return one
        self._spend(len(one) * len(two))
        if len(one) * len(two) > MAX_CLAUSES**2 // 2:
            raise _too_many()
        return self._shortest({_tidy(left | right) for left in one for right in two})

    def _either(self, one: Residual, two: Residual) -> Residual:
        if one in (FAILED, two):
            return two
        return one if two == FAILED else self._shortest({*one, *two})

    def _shortest(self, clauses: set[frozenset[Duty]]) -> Residual:
        """Return the clauses that contain no other clause."""
        kept: list[frozenset[Duty]] = []
        for clause in sorted(clauses, key=len):
            self._spend(len(kept) + 1)
            if not any(other <= clause for other in kept):
                kept.append(clause)
        if len(kept) > MAX_CLAUSES:
            raise _too_many()
        return frozenset(kept)

    def _spend(self, steps: int) -> None:
        self._work += steps
        if self._work > MAX_WORK:
            raise TooLargeError(
                f"this formula takes more than {MAX_WORK} steps to decide; split it into simpler parts"
            )

    def _remember(self, memory: Memory, letter: Atom) -> tuple[list[bool], Memory]:
        """Return the present truth of each past formula, and the memory for the next position."""
        truths: list[bool] = []
        kept: list[bool] = []
        for formula, before in zip(self._past, memory, strict=True):
            self._spend(1)
            if isinstance(formula, Previously):
                truths.append(before)
                kept.append(self._holds(formula.body, truths, letter))
            else:
                origin = self._holds(formula.origin, truths, letter)
                truths.append(origin or (before and self._holds(formula.path, truths, letter)))
                kept.append(truths[-1])
        return truths, tuple(kept)

    def _holds(self, formula: Formula, truths: list[bool], letter: Atom) -> bool:
        """Return the truth, at this letter, of a formula that does not look ahead."""
        match formula:
            case Atom():
                return matches(formula, letter)
            case Truth(value):
                return value
            case Not(body):
                return not self._holds(body, truths, letter)
            case And(parts):
                return all(self._holds(part, truths, letter) for part in parts)
            case Or(parts):
                return any(self._holds(part, truths, letter) for part in parts)
            case Previously() | Since():
                return truths[self._places[id(formula)]]
        raise AssertionError(f"{formula!r} has no truth at one position")


def _past_of(formula: Formula) -> list[Previously | Since]:
    """Return the past formulas inside, inner ones first."""
    found: dict[Previously | Since, None] = {}
    for inner in reversed(list(walk(formula))):
        if isinstance(inner, Previously | Since):
            found.setdefault(inner)
    return list(found)


def _places(formula: Formula, past: list[Previously | Since]) -> dict[int, int]:
    """Return the index in the memory of each past formula, by its identity: comparing long ones is slow."""
    numbers = {inner: number for number, inner in enumerate(past)}
    return {id(inner): numbers[inner] for inner in walk(formula) if isinstance(inner, Previously | Since)}


def _tidy(clause: frozenset[Duty]) -> frozenset[Duty]:
    """Return the clause without weak duties whose strong twin it contains."""
    return frozenset(duty for duty in clause if duty % 2 or duty + 1 not in clause)


def _too_many() -> TooLargeError:
    return TooLargeError(
        f"this formula leaves more than {MAX_CLAUSES} alternatives open; split it into simpler parts"
    )
