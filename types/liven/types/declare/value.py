"""`@value`: a class of plain data that can be sent in events."""

from __future__ import annotations

import dataclasses
import enum
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform, overload

from liven.types.declare.annotation.scope import Scope, scope_of_caller
from liven.types.declare.declaration import Member, ValueDeclaration
from liven.types.declare.decorate import attach, demand_class, named, parameters_of, scope_of, tag_for
from liven.types.declare.errors import DeclarationError

C = TypeVar("C", bound=type)


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def value(cls: C, /) -> C: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def value(*, id: str = "", alias: str = "") -> Callable[[C], C]: ...


def value(cls: Any = None, /, *, id: str = "", alias: str = "") -> Any:  # noqa: A002  the name that files use
    """Declare a value class: its annotated fields make a record, the names of an Enum make a union.

    A class that is not a dataclass yet becomes a frozen one, in place.
    """

    def declare(cls: C) -> C:
        demand_class(cls, "@value")
        scope = scope_of_caller(cls)
        tag = tag_for(cls, id, alias)
        if issubclass(cls, enum.Enum):
            _demand(
                cls,
                not issubclass(cls, enum.Flag),
                "a Flag can have several values at once",
                "write a bool for each",
            )
            names = tuple(cls.__members__)
            _demand(cls, bool(names), "it has no member", "write at least one")
            attach(ValueDeclaration(cls, tag, (), scope, cases=names))
            return cls
        _demand_declared_bases(cls)
        stores = _make_dataclass(cls)
        members = tuple(_member(cls, field, scope) for field in dataclasses.fields(cls))  # type: ignore[arg-type]  # it is one by now
        _demand_constructor(cls, [member.name for member in members])
        attach(ValueDeclaration(cls, tag, parameters_of(cls), scope, members, stores=stores))
        return cls

    return declare if cls is None else declare(cls)


def _demand_declared_bases(cls: type) -> None:
    """Refuse a base that is not a dataclass: Python would silently leave its fields out."""
    for base in cls.__mro__[1:]:
        if "__dataclass_fields__" in vars(base) or base.__module__ in ("builtins", "typing", "abc"):
            continue
        for name, annotation in vars(base).get("__annotations__", {}).items():
            if not name.startswith("_") and "ClassVar" not in str(annotation):
                raise DeclarationError(
                    f"{named(cls)}.{name}",
                    f"it is a field of the base {base.__name__}, which is not a value class",
                    f"put @value above class {base.__name__}",
                )


def _make_dataclass(cls: type) -> bool:
    """Make the class a dataclass unless it is one; return True if its constructor only stores the fields."""
    _demand(cls, not issubclass(cls, tuple), "it is a tuple", "write the fields in a class with no base")
    if "__dataclass_fields__" in vars(cls):
        return False
    special = any(
        "__new__" in vars(owner) or vars(owner).get("__slots__")
        for owner in cls.__mro__
        if owner is not object
    )
    plain = "__init__" not in vars(cls) and not special
    for name, given in vars(cls).items():
        attribute = not name.startswith("_") and not callable(given) and not hasattr(given, "__get__")
        if attribute and name not in cls.__annotations__:
            raise DeclarationError(
                f"{named(cls)}.{name}",
                "it has a value and no type",
                f"write {name}: {type(given).__name__} = …",
            )
    try:
        dataclasses.dataclass(frozen=True)(cls)
    except (TypeError, ValueError) as problem:
        raise DeclarationError(named(cls), str(problem), "correct that field") from problem
    return plain and "__post_init__" not in dir(cls)


def _demand_constructor(cls: type, fields: list[str]) -> None:
    """Refuse a constructor without a parameter for each field: values are rebuilt from their fields, by
    name."""
    try:
        inspect.signature(cls).bind(**dict.fromkeys(fields))
    except TypeError as problem:
        raise DeclarationError(
            named(cls),
            f"its constructor cannot be called with its fields: {problem}",
            "leave the constructor to @value; what it should check belongs in __post_init__",
        ) from problem


def _member(cls: type, field: dataclasses.Field[Any], scope: Scope) -> Member:
    where = f"{named(cls)}.{field.name}"
    if not field.init:
        raise DeclarationError(
            where, "it is not a parameter of the constructor, so it cannot be rebuilt", "leave init=False out"
        )
    if field.name.startswith("_"):
        raise DeclarationError(
            where, "a private field would be sent", "drop the underscore, or write ClassVar"
        )
    owner = next(one for one in cls.__mro__ if field.name in vars(one).get("__annotations__", {}))
    return Member(field.name, vars(owner)["__annotations__"][field.name], scope_of(owner, cls, scope))


def _demand(cls: type, holds: bool, problem: str, fix: str) -> None:
    if not holds:
        raise DeclarationError(named(cls), problem, fix)
