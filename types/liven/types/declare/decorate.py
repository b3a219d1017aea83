"""Steps that all decorators share: ids, names and bases of a class, and attaching its declaration."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any, Generic, TypeVar, get_origin

from liven.types.declare.annotation.reader import ATTACHED
from liven.types.declare.annotation.scope import Scope
from liven.types.declare.declaration import Declaration
from liven.types.declare.errors import DeclarationError
from liven.types.ids import ClassId
from liven.types.terms.value_types import ClassTag

NO_ID = ClassId(0)
"""The id of a class without one: it is known by its structure, and in messages by its name."""


_ALIAS = re.compile(r"[\w.-]+(:[\w.-]+)?")


def named(cls: type) -> str:
    """Return the class's name for errors."""
    return f"{cls.__module__}.{cls.__qualname__}"


def tag_for(cls: type, written: object, alias: object) -> ClassTag:
    """Return the tag of a class: its id, if it has one, and its name for people."""
    if not isinstance(alias, str) or (alias and not _ALIAS.fullmatch(alias)):
        raise DeclarationError(
            named(cls),
            f"alias: {alias!r} is not a valid name for a type",
            'write letters, digits, dots and hyphens after a prefix of your own: "weather:tower"',
        )
    number = NO_ID if written == "" else _id(cls, written)
    return ClassTag(number, alias or cls.__name__)


def _id(cls: type, written: object) -> ClassId:
    fix = "write 32 hexadecimal digits as a text; `liven new TYPE` writes a module with a fresh id"
    try:
        number = ClassId.parse(written) if isinstance(written, str) else NO_ID
    except ValueError as problem:
        raise DeclarationError(named(cls), f"id: {problem}", fix) from problem
    if not number.component:
        raise DeclarationError(named(cls), f"id: {written!r} is not an id", fix)
    return number


def demand_class(given: object, decorator: str) -> None:
    """Raise DeclarationError unless the decorator was applied to a class."""
    if not isinstance(given, type):
        name = f"{getattr(given, '__module__', '')}.{getattr(given, '__qualname__', repr(given))}"
        raise DeclarationError(name, f"{decorator} belongs above a class, and this is not one", "write class")


def attach(declaration: Declaration) -> None:
    """Attach the declaration to its class and read it; a reference to a later class is read by `scan`."""
    if ATTACHED in vars(declaration.cls):
        raise DeclarationError(
            declaration.name, "it is declared already", "leave one of the two decorators out"
        )
    setattr(declaration.cls, ATTACHED, declaration)
    try:
        declaration.check()
    except DeclarationError as problem:
        if not names_later(problem):
            delattr(declaration.cls, ATTACHED)
            raise


def names_later(problem: DeclarationError) -> bool:
    """True if the problem is a name that may be defined further down."""
    return isinstance(problem.__cause__, NameError)


def parameters_of(cls: type) -> tuple[TypeVar, ...]:
    """Return the type parameters of a generic class, in order."""
    return tuple(getattr(cls, "__parameters__", ()))


def scope_of(owner: type, cls: type, scope: Scope) -> Scope:
    """Return the scope of `owner`, which is `cls` or one of its bases."""
    if owner is cls:
        return scope
    declaration = vars(owner).get(ATTACHED)
    if isinstance(declaration, Declaration):
        return declaration.scope
    module = sys.modules.get(owner.__module__)
    return Scope(vars(module) if module else scope.module_names, {owner.__name__: owner})


def bases_of(cls: type) -> Iterator[Any]:
    """Yield the bases with their arguments, without `Generic[…]`."""
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        if (get_origin(base) or base) is not Generic:
            yield base
