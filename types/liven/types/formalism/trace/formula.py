"""Temporal formulas over finite traces, as terms.

There are few operators: the functions below build all others from these, so equal meanings often are equal
terms. Conjunctions and disjunctions are flat and without repetition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from liven.types.formalism.atoms import Atom


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


@dataclass(frozen=True, slots=True)
class Assumed:
    """The assumption that `subject` (an endpoint, `self` or `peer`) provides a guarantee; it is true or false
    of a whole trace."""

    subject: str
    guarantee: str


@dataclass(frozen=True, slots=True)
class Not:
    body: Formula


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Next:
    """`body` at the next position; where there is none, false if `strong`, else true."""

    body: Formula
    strong: bool = True


@dataclass(frozen=True, slots=True)
class Until:
    """`goal` comes, now or later, and `path` holds at every position before it."""

    path: Formula
    goal: Formula


@dataclass(frozen=True, slots=True)
class Release:
    """`body` holds up to and including the first position of `freeing`; for ever if that never comes."""

    freeing: Formula
    body: Formula


@dataclass(frozen=True, slots=True)
class Previously:
    """`body` at the position before this one, which must exist."""

    body: Formula


@dataclass(frozen=True, slots=True)
class Since:
    """`origin` holds now or held before, and `path` has held at every position after it."""

    path: Formula
    origin: Formula


Formula: TypeAlias = Truth | Assumed | Atom | Not | And | Or | Next | Until | Release | Previously | Since

TRUE = Truth(True)
FALSE = Truth(False)


def negation(body: Formula) -> Formula:
    if isinstance(body, Not):
        return body.body
    return Truth(not body.value) if isinstance(body, Truth) else Not(body)


def conjunction(*parts: Formula) -> Formula:
    flat = dict.fromkeys(
        inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,))
    )
    flat.pop(TRUE, None)
    if len(flat) == 1:
        return next(iter(flat))
    return And(tuple(flat)) if flat else TRUE


def disjunction(*parts: Formula) -> Formula:
    flat = dict.fromkeys(
        inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,))
    )
    flat.pop(FALSE, None)
    if len(flat) == 1:
        return next(iter(flat))
    return Or(tuple(flat)) if flat else FALSE


def implication(given: Formula, then: Formula) -> Formula:
    return disjunction(negation(given), then)


def eventually(body: Formula) -> Formula:
    return Until(TRUE, body)


def always(body: Formula) -> Formula:
    return Release(FALSE, body)


def unless(path: Formula, goal: Formula) -> Formula:
    """Return `path until goal`, or `path` for ever."""
    return Release(goal, disjunction(path, goal))


def once(body: Formula) -> Formula:
    return Since(TRUE, body)


def historically(body: Formula) -> Formula:
    return negation(once(negation(body)))


def children(formula: Formula) -> tuple[Formula, ...]:
    """Return the formulas directly inside."""
    match formula:
        case Not(body) | Next(body) | Previously(body):
            return (body,)
        case And(parts) | Or(parts):
            return parts
        case Until(one, two) | Release(one, two) | Since(one, two):
            return (one, two)
        case _:
            return ()


def walk(formula: Formula) -> Iterator[Formula]:
    """Yield the formula and all inside it, inner ones last."""
    yield formula
    for child in children(formula):
        yield from walk(child)


def rebuild(formula: Formula, leaf: Callable[[Atom | Assumed], Formula]) -> Formula:
    """Return the formula with every atom and assumption replaced."""

    def again(inner: Formula) -> Formula:
        return rebuild(inner, leaf)

    match formula:
        case Atom() | Assumed():
            return leaf(formula)
        case Not(body):
            return negation(again(body))
        case And(parts):
            return conjunction(*map(again, parts))
        case Or(parts):
            return disjunction(*map(again, parts))
        case Next(body, strong):
            return Next(again(body), strong)
        case Previously(body):
            return Previously(again(body))
        case Until(one, two) | Release(one, two) | Since(one, two):
            return type(formula)(again(one), again(two))
        case _:
            return formula


def atoms_of(formula: Formula) -> frozenset[Atom]:
    return frozenset(inner for inner in walk(formula) if isinstance(inner, Atom))


def assumptions_of(formula: Formula) -> frozenset[Assumed]:
    return frozenset(inner for inner in walk(formula) if isinstance(inner, Assumed))


def looks_ahead(formula: Formula) -> bool:
    """True if the formula's truth at a position may depend on later ones."""
    return any(isinstance(inner, Next | Until | Release) for inner in walk(formula))
