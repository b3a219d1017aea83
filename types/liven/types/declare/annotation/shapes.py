"""Shapes: the meaning of annotations, with the author's own classes still in them.

A shape is halfway between an annotation and a term: it knows that a list of `Note` is a list of *this*
module's `Note`. Terms forget the class and keep the structure (`term_builder`); fronts and backs need
both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from liven.types.terms.value_types import ClassTag, Float, Integer, Scalar

ParameterKind: TypeAlias = Literal["value", "interface", "endpoint", "object"]


@dataclass(frozen=True, slots=True)
class ScalarShape:
    """A number, truth value, text or bytes with its Python type."""

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
    """An open parameter of a template."""

    name: str


@dataclass(frozen=True, slots=True)
class GivenUse:
    """A class known only as a term, given to a parameter by the catalogue."""

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
    """The interfaces that an endpoint exports and imports, or its kind of UI endpoint."""

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
