"""What an annotation means, with the local classes still in it.

A shape is halfway between an author's annotation and a term: it knows that a list of `Note` is a list of
*this* module's `Note`. Terms forget the class and keep the structure (`terms`); fronts and backs need both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from liven.types.terms.value_types import ClassTag, Float, Integer, Scalar

ParameterKind: TypeAlias = Literal["value", "interface", "endpoint", "object"]


@dataclass(frozen=True, slots=True)
class ScalarShape:
    """A number, truth value, text or bytes, as Python has it."""

    term: Integer | Float | Scalar


@dataclass(frozen=True, slots=True)
class IdShape:
    """A 128-bit id, locally a `uuid.UUID`."""


@dataclass(frozen=True, slots=True)
class ListShape:
    """A list, or locally a tuple of any length."""

    item: ValueShape
    local: Literal["list", "tuple"]


@dataclass(frozen=True, slots=True)
class MapShape:
    item: ValueShape


@dataclass(frozen=True, slots=True)
class OptionalShape:
    item: ValueShape


@dataclass(frozen=True, slots=True)
class ClassShape:
    """A value class of the author's, with the arguments of its parameters."""

    cls: type
    arguments: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class UnionShape:
    """One of several value classes, told apart by their names."""

    cases: tuple[ClassShape, ...]
    tag: ClassTag | None = None


@dataclass(frozen=True, slots=True)
class RefShape:
    target: ObjectUse | ParameterUse | GivenUse


@dataclass(frozen=True, slots=True)
class EndpointRefShape:
    target: EndpointUse | ParameterUse | GivenUse


@dataclass(frozen=True, slots=True)
class ParameterUse:
    """A template's own parameter, not given yet."""

    name: str


@dataclass(frozen=True, slots=True)
class GivenUse:
    """A class that is known as a term only: the catalogue's, given to a parameter."""

    term: Any


@dataclass(frozen=True, slots=True)
class InterfaceUse:
    """An interface of the author's, with the arguments of its parameters."""

    cls: type
    arguments: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectUse:
    """An object type of the author's, with the arguments of its parameters."""

    cls: type
    arguments: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class EndpointUse:
    """What an endpoint exports and imports, or which kind of UI endpoint it is."""

    exported: InterfaceUse | ParameterUse | GivenUse | None = None
    imported: InterfaceUse | ParameterUse | GivenUse | None = None
    local: str = ""


ValueShape: TypeAlias = (
    ScalarShape
    | IdShape
    | ListShape
    | MapShape
    | OptionalShape
    | ClassShape
    | UnionShape
    | RefShape
    | EndpointRefShape
    | ParameterUse
    | GivenUse
)
Use: TypeAlias = ValueShape | InterfaceUse | ObjectUse | EndpointUse
