"""`@object_type`: the endpoints of an object, each an annotated name, and its constraints."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, TypeVar, get_origin, overload

from liven.types.declare.annotation.markers import Clause
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.scope import Scope, scope_of_caller
from liven.types.declare.clause_checks import attach_object
from liven.types.declare.declaration import Member, ObjectDeclaration
from liven.types.declare.decorate import bases_of, demand_class, named, parameters_of, tag_for
from liven.types.declare.errors import DeclarationError

C = TypeVar("C", bound=type)


@overload
def object_type(cls: C, /) -> C: ...


@overload
def object_type(*clauses: Clause, id: str = "", alias: str = "") -> Callable[[C], C]: ...


def object_type(*given: Any, id: str = "", alias: str = "") -> Any:  # noqa: A002  the name that files use
    """Declare an object type. Constraints on the whole object come first: `provides(…)`, `requires(…)`."""

    def declare(cls: C) -> C:
        demand_class(cls, "@object_type")
        scope = scope_of_caller(cls)
        members = tuple(map(_with_type, repeat(cls), endpoint_members(cls, scope)))
        bases = tuple(object_bases(cls, scope))
        tag = tag_for(cls, id, alias)
        attach_object(ObjectDeclaration(cls, tag, parameters_of(cls), scope, members, clauses, bases))
        return cls

    if len(given) == 1 and hasattr(given[0], "__qualname__"):
        clauses: tuple[Clause, ...] = ()
        return declare(given[0])
    clauses = checked_clauses(given)
    return declare


def checked_clauses(given: tuple[object, ...]) -> tuple[Clause, ...]:
    """Return the positional arguments of a decorator, which have to be constraints."""
    for clause in given:
        if not isinstance(clause, Clause):
            raise DeclarationError(
                "object_type", f"{clause!r} is not a constraint", 'write provides("guarantee", "fifo")'
            )
    return tuple(clause for clause in given if isinstance(clause, Clause))


def endpoint_members(cls: type, scope: Scope) -> Iterator[Member]:
    """Yield each public annotated name, and each property with an annotated result."""
    for name, annotation in inspect.get_annotations(cls).items():
        if not name.startswith("_"):
            yield Member(name, annotation, scope)
    for name, given in vars(cls).items():
        if isinstance(given, property) and not name.startswith("_") and given.fget is not None:
            yield Member(name, inspect.signature(given.fget).return_annotation, scope)


def object_bases(cls: type, scope: Scope) -> Iterator[Member]:
    """Yield the bases that are object types."""
    for base in bases_of(cls):
        if isinstance(declaration_of(get_origin(base) or base), ObjectDeclaration):
            yield Member("base", base, scope)


def _with_type(cls: type, member: Member) -> Member:
    if member.annotation is inspect.Signature.empty:
        where = f"{named(cls)}.{member.name}"
        raise DeclarationError(where, "the property has no result type", "write -> Exports[I]")
    return member
