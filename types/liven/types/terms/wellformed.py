"""Checks of a whole term that the constructors cannot make, because they see one part at a time.

Terms that are read from files or written by hand are checked here once; relations and codecs rely on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.recursion import UnguardedRecursionError, demand_guard
from liven.types.terms.type_text import Entity, brief
from liven.types.terms.value_types import (
    EndpointTo,
    ListOf,
    Loop,
    MapOf,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Union,
)

MOST_PARTS = 50_000
DEEPEST = 150
"""The deepest nesting of a term. Recursive types allow deep values of a shallow term."""

Named: TypeAlias = tuple[tuple[str, Entity], ...]
_Visit: TypeAlias = tuple[Entity, str, frozenset[str], int]


class IllFormedError(ValueError):
    """A term that is not a type; the text names each faulty part and its fault."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def demand_wellformed(term: Entity) -> None:
    """Raise IllFormedError with every fault of the term."""
    problems = tuple(find_problems(term))
    if problems:
        raise IllFormedError(problems)


def find_problems(term: Entity) -> Iterator[str]:
    """Yield each fault of the term as one sentence with the path of the part."""
    todo: list[_Visit] = [(term, "", frozenset(), 0)]
    for _ in range(MOST_PARTS):
        if not todo:
            return
        part, path, binders, depth = todo.pop()
        if depth > DEEPEST:
            yield f"{path[:80]}…: nested more than {DEEPEST} levels deep"
            return
        yield from (f"{path or brief(part)}: {said}" for said in _problems(part, binders))
        bound = binders | {part.name} if isinstance(part, Recursive) else binders
        todo.extend((inner, path + step, bound, depth + 1) for step, inner in _inner(part))
    yield f"the type has more than {MOST_PARTS} parts"


def _problems(part: Entity, binders: frozenset[str]) -> Iterator[str]:
    match part:
        case Loop(name) if name not in binders:
            yield f"`{name}` is used outside the recursive type that it names"
        case Recursive():
            yield from _unguarded(part)
        case Record(held) | Union(held):
            yield from _names(held)
        case EndpointType():
            yield from _names(part.inputs)
            yield from _names(part.outputs)
            if part.local and (part.inputs or part.outputs):
                yield f"an endpoint of the local kind `{part.local}` has no events"
        case ObjectType():
            yield from _names(part.endpoints)


def _unguarded(part: Recursive) -> Iterator[str]:
    try:
        demand_guard(part)  # not `unfold`, which recurses as deep as the term
    except UnguardedRecursionError as problem:
        yield str(problem)


def _names(held: Named) -> Iterator[str]:
    names = [name for name, _ in held]
    if "" in names:
        yield "a name is empty"
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        yield f"`{doubled[0]}` is named twice"
    elif names != sorted(names):
        yield "the names are not in order; sort them"


def _inner(part: Entity) -> Iterator[tuple[str, Entity]]:
    match part:
        case ListOf(item) | MapOf(item):
            yield "[]", item
        case OptionalOf(item):
            yield "", item
        case Recursive(_, body):
            yield "", body
        case RefTo(target) | EndpointTo(target):
            yield "→", target
        case Record(held) | Union(held):
            yield from ((f".{name}", inner) for name, inner in held)
        case EndpointType():
            yield from ((f".in.{name}", inner) for name, inner in part.inputs)
            yield from ((f".out.{name}", inner) for name, inner in part.outputs)
        case ObjectType():
            yield from ((f".{name}", inner) for name, inner in part.endpoints)
