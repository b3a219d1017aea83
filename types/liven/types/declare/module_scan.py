"""Finds the declarations of a module. Nothing is constructed: the classes are only read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TypeVar

from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.clause_checks import check_clauses
from liven.types.declare.declaration import (
    Declaration,
    InterfaceDeclaration,
    ObjectDeclaration,
    ProxyDeclaration,
    ValueDeclaration,
)
from liven.types.declare.decorate import NO_ID
from liven.types.declare.errors import DeclarationError
from liven.types.declare.proxy import demand_handlers
from liven.types.ids import ClassId

D = TypeVar("D", bound=Declaration)


@dataclass(frozen=True, slots=True)
class Declarations:
    """The declarations of one module, in the order they were written."""

    module: str
    all: tuple[Declaration, ...]

    @property
    def values(self) -> tuple[ValueDeclaration, ...]:
        return tuple(one for one in self.all if isinstance(one, ValueDeclaration))

    @property
    def interfaces(self) -> tuple[InterfaceDeclaration, ...]:
        return tuple(one for one in self.all if isinstance(one, InterfaceDeclaration))

    @property
    def objects(self) -> tuple[ObjectDeclaration, ...]:
        """The object types without the proxies."""
        return tuple(one for one in self.all if type(one) is ObjectDeclaration)

    @property
    def proxies(self) -> tuple[ProxyDeclaration, ...]:
        return tuple(one for one in self.all if isinstance(one, ProxyDeclaration))

    def __iter__(self) -> Iterator[Declaration]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)


def scan(module: ModuleType) -> Declarations:
    """Return every class that `module` itself declares, read completely; raise DeclarationError."""
    found = [
        declaration
        for given in vars(module).values()
        if (declaration := declaration_of(given)) is not None and given.__module__ == module.__name__
    ]
    unique = tuple(dict.fromkeys(found))
    for declaration in unique:
        declaration.check()
        if isinstance(declaration, ObjectDeclaration):
            check_clauses(declaration)
        if isinstance(declaration, ProxyDeclaration):
            demand_handlers(declaration)
    _demand_own_ids(unique)
    _demand_own_aliases(unique)
    return Declarations(module.__name__, unique)


def _demand_own_ids(declarations: tuple[Declaration, ...]) -> None:
    taken: dict[tuple[type[Declaration], ClassId], Declaration] = {}
    for declaration in declarations:
        if declaration.tag.id == NO_ID:
            continue
        other = taken.setdefault((type(declaration), declaration.tag.id), declaration)
        if other is not declaration:
            raise DeclarationError(
                declaration.name,
                f"its id {declaration.tag.id} also belongs to {other.name}",
                "give it one of its own; `liven new TYPE` writes a module with a fresh id",
            )


def _demand_own_aliases(declarations: tuple[Declaration, ...]) -> None:
    """Raise DeclarationError if two classes share an alias; two versions of one class may."""
    taken: dict[tuple[type[Declaration], str], Declaration] = {}
    for declaration in declarations:
        tag = declaration.tag
        other = taken.setdefault((type(declaration), tag.alias), declaration)
        versions = tag.id != NO_ID and tag.id.component == other.tag.id.component
        if other is not declaration and not versions:
            raise DeclarationError(
                declaration.name,
                f"its alias {tag.alias} also belongs to {other.name}",
                "give it one of its own",
            )
