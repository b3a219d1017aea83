"""The result of a check: every fault with its place and reasons, and the type of each part of the recipe."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from liven.runtime.foreign_text import visible
from liven.runtime.reference.errors import shortened
from liven.runtime.reference.model import Object, Path
from liven.types.catalogue import Entry
from liven.types.explanation import Explanation
from liven.types.terms.endpoint_types import Constraint, ObjectType


class FaultKind(enum.Enum):
    """The kind of a fault; the text is stable and programs may read it."""

    UNKNOWN = "unknown"
    """An id or an alias that no class here has."""
    PARAMETER = "parameter"
    """A parameter that is missing, given twice, or that the class does not have."""
    VALUE = "value"
    """A value that does not fit its parameter."""
    CLASS = "class"
    """A class that is given the wrong arguments, or none."""
    CAST = "cast"
    """An `ObjectClass` that the object is not of."""
    SOURCE = "source"
    """A `From` that is not a folder."""
    NAME = "name"
    """A name inside a composite that is wrong."""
    CONNECTION = "connection"
    """Two endpoints inside a composite that do not match."""
    AUTHORITY = "authority"
    """An authority that is missing, or that is none."""
    CONSTRAINT = "constraint"
    """A constraint that cannot be read."""
    PARTNER = "partner"
    """A connection to another object than an endpoint demands."""
    SIZE = "size"
    """The recipe unfolds to more parts than anybody intends."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault."""

    kind: FaultKind
    path: Path
    """From `Object`, the element at fault."""
    what: str
    advice: str = ""
    explanation: Explanation | None = field(default=None, compare=False)

    def __str__(self) -> str:
        place = visible("/".join(shortened(step) for step in self.path))
        text = f"{place}: {self.what}" + (f"; {self.advice}" if self.advice else "")
        return f"{text}\n{self.explanation.render()}" if self.explanation is not None else text


@dataclass(frozen=True, slots=True)
class Part:
    """One object of the recipe, and its type."""

    path: Path
    object: Object
    type: ObjectType | None
    """None if it cannot be known without running code."""
    entry: Entry | None = None
    """The class of a reference without `From`, if it is known."""
    passed: bool = False
    """True if it is only passed on, as a reference: building the whole does not build it."""


@dataclass(frozen=True, slots=True)
class Asserted:
    """A promise of a composite as a whole that cannot be derived: its author vouches for it."""

    path: Path
    constraint: Constraint


@dataclass(frozen=True, slots=True)
class Report:
    """The whole result."""

    type: ObjectType | None
    faults: tuple[Fault, ...]
    parts: tuple[Part, ...]
    asserted: tuple[Asserted, ...] = ()
    unknown: tuple[str, ...] = ()
    """The ids and aliases without a class here, each once, in the order of the file."""

    @property
    def ok(self) -> bool:
        """True if there is no fault."""
        return not self.faults

    def part(self, path: Path) -> Part | None:
        """Return the object at that place."""
        return next((part for part in self.parts if part.path == path), None)

    def unbuilt(self) -> tuple[Part, ...]:
        """Return the parts without code here: their class is known by its declaration only,
        or not at all."""
        return tuple(part for part in self.parts if _unbuilt(part))


def _unbuilt(part: Part) -> bool:
    plain = not part.object.null and hasattr(part.object, "source") and part.object.source is None
    return plain and not part.passed and (part.entry is None or not can_build(part.entry))


def can_build(entry: Entry) -> bool:
    """True if the class of objects has code here, not only a name."""
    return hasattr(entry.source, "declaration") or hasattr(entry.source, "confined")
