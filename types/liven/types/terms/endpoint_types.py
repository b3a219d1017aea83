"""Endpoint types and object types as terms: τ = (I, O, C, C') and Θ = (E, C, C') in the model."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

from liven.types.ids import ClassId
from liven.types.terms.value_types import ClassTag, ValueType

Events: TypeAlias = tuple[tuple[str, ValueType], ...]
"""Event names with the types of their values, sorted by name."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A predicate of one formalism, as that formalism parsed it."""

    formalism: ClassId
    predicate: Hashable
    text: str = field(compare=False)
    """The text as its author wrote it, for people and for files."""


@dataclass(frozen=True, slots=True)
class EndpointType:
    """The events that an endpoint receives and sends, seen by its owner, and the constraints it provides and
    requires."""

    inputs: Events = ()
    outputs: Events = ()
    provides: tuple[Constraint, ...] = ()
    requires: tuple[Constraint, ...] = ()
    local: str = ""
    """For a UI endpoint, the name of its kind, and `~name` for its opposite: it matches only that and
    never tunnels. Empty for an endpoint of events."""
    tag: ClassTag | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ObjectType:
    """The endpoints of an object by name, and the constraints that bind the object as a whole."""

    endpoints: tuple[tuple[str, EndpointType], ...] = ()
    provides: tuple[Constraint, ...] = ()
    requires: tuple[Constraint, ...] = ()
    tag: ClassTag | None = field(default=None, compare=False)
