"""Value types: the types of the data that an event carries.

They are terms: plain frozen values that compare by structure. Relations between them are in `matching`,
their bytes in `codec`, their printed form in `type_text`. Integers of every width are intervals, so `int32
⊑ int64` and a bounded integer follow one rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from liven.types.ids import ClassId

if TYPE_CHECKING:
    from liven.types.terms.endpoint_types import EndpointType, ObjectType


@dataclass(frozen=True, slots=True)
class ClassTag:
    """The name of a declared class. It helps people and speeds up files; no check relies on it."""

    id: ClassId
    alias: str


@dataclass(frozen=True, slots=True)
class Integer:
    """Every whole number from `low` to `high`."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if max(self.low.bit_length(), self.high.bit_length()) > 256:
            raise ValueError("the bounds of a whole number must fit in 256 bits")
        if self.low > self.high:
            raise ValueError(
                f"there is no whole number from {self.low} to {self.high}; give the lower bound first"
            )


@dataclass(frozen=True, slots=True)
class Float:
    """An IEEE number of 32 or 64 bits."""

    bits: Literal[32, 64]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A truth value, a text, bytes, or a 128-bit id."""

    kind: Literal["bool", "text", "bytes", "id"]


@dataclass(frozen=True, slots=True)
class ListOf:
    item: ValueType


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map from text to `item`."""

    item: ValueType


@dataclass(frozen=True, slots=True)
class OptionalOf:
    """An `item` or nothing. Use `optional` to make one: an optional never holds an optional."""

    item: ValueType


@dataclass(frozen=True, slots=True)
class Record:
    """Named fields, in the order of their names."""

    fields: tuple[tuple[str, ValueType], ...]
    tag: ClassTag | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Union:
    """Exactly one of the tags with its value; the tags are in the order of their names."""

    tags: tuple[tuple[str, ValueType], ...]
    tag: ClassTag | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Recursive:
    """A recursive type: `Loop(name)` inside `body` stands for this whole type."""

    name: str
    body: ValueType
    unfolded: list[ValueType] = field(default_factory=list, init=False, repr=False, compare=False)
    """A cache for the single unfolding that `recursion.unfold` makes."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A reference to the enclosing `Recursive` of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class RefTo:
    """A reference to a live object of type `target`; on the wire it is canonical XML text."""

    target: ObjectType


@dataclass(frozen=True, slots=True)
class EndpointTo:
    """A reference to an external endpoint: its receiver may connect to it, across a tunnel if necessary."""

    target: EndpointType


@dataclass(frozen=True, slots=True)
class Local:
    """A handle that is valid in this process only: typed and matchable, never serialized."""

    name: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """A class of the original program of which only the name is known; it fits itself and nothing else."""

    tag: ClassTag


ValueType: TypeAlias = (
    Integer
    | Float
    | Scalar
    | ListOf
    | MapOf
    | OptionalOf
    | Record
    | Union
    | Recursive
    | Loop
    | RefTo
    | EndpointTo
    | Local
    | Opaque
)

BOOL = Scalar("bool")
TEXT = Scalar("text")
BYTES = Scalar("bytes")
ID = Scalar("id")
INT8, INT16, INT32, INT64 = (Integer(-(2 ** (n - 1)), 2 ** (n - 1) - 1) for n in (8, 16, 32, 64))
UINT8, UINT16, UINT32, UINT64 = (Integer(0, 2**n - 1) for n in (8, 16, 32, 64))
FLOAT32 = Float(32)
FLOAT64 = Float(64)


def optional(item: ValueType) -> OptionalOf:
    """Return the optional of `item`; an optional of an optional is the optional itself."""
    return item if isinstance(item, OptionalOf) else OptionalOf(item)


def record(tag: ClassTag | None = None, /, **fields: ValueType) -> Record:
    """Return the record with these fields."""
    return Record(tuple(sorted(fields.items())), tag)


def union(tag: ClassTag | None = None, /, **tags: ValueType) -> Union:
    """Return the tagged union with these cases."""
    return Union(tuple(sorted(tags.items())), tag)
