"""An entry of the catalogue: the names of a class, and the source of its structure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, get_args

from liven.types.ids import ClassId
from liven.types.terms.value_types import ValueType

Kind: TypeAlias = Literal["value", "interface", "endpoint", "object", "component", "formalism"]
KINDS: tuple[Kind, ...] = get_args(Kind)
KIND_NAMES: dict[Kind, str] = {
    "value": "value class",
    "interface": "interface",
    "endpoint": "endpoint class",
    "object": "object type",
    "component": "object",
    "formalism": "formalism",
}


@dataclass(frozen=True, slots=True)
class TypeParameter:
    """A type parameter of a class: its name in files, and the kind of class it takes."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class ValueParameter:
    """A parameter that takes a value or a reference."""

    name: str
    written: str
    """The type of the value, as text."""
    type_with: Callable[[tuple[Any, ...]], ValueType]
    """Returns the type of the value for the classes given to the type parameters."""


class Source(Protocol):
    """The source of a class's structure; read on demand."""

    def type_parameters(self) -> tuple[TypeParameter, ...]:
        """Return the parameters that must be given before the class is a type."""

    def term(self, arguments: tuple[Any, ...]) -> Any:
        """Return the structure: a value, endpoint or object term, or the events of an interface."""

    def value_parameters(self) -> tuple[ValueParameter, ...]:
        """Return the parameters of an object that take values, not classes."""

    def lines(self) -> tuple[str, ...]:
        """Return the lines of the structure as it was declared."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A class by its names. Two entries are the same class if their kinds and ids are equal."""

    kind: Kind
    id: ClassId
    alias: str
    name: str
    """The name for people."""
    origin: str
    """The library of the original program, or the module that declares it."""
    source: Source = field(compare=False, repr=False)
    typed: bool = True
    """False if only the name is known: then the class fits nothing but itself until it is declared."""
    never: bool = False
    """True for a class of the original program that Liven will never implement."""
    used: bool = False
    """True if a file of the original program mentions it."""
    view: str = ""
    """The place of an object's view: `package.module:Class`."""

    @property
    def has_id(self) -> bool:
        """True if the class has an id; one without is known by its name here, and by its structure
        elsewhere."""
        return self.id.component != 0

    def __str__(self) -> str:
        return f"{KIND_NAMES[self.kind]} {self.alias}"
