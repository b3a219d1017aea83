"""A second author's module, which declares the same wall without knowledge of the first."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated, Generic, Protocol, TypeVar
from uuid import UUID

from liven.types.declare import (
    Dual,
    EndpointRef,
    Exports,
    Float32,
    ImportedUI,
    Int32,
    Range,
    Ref,
    interface,
    object_type,
    provides,
    requires,
    value,
)

T = TypeVar("T")
S = TypeVar("S", contravariant=True)


@interface
class Takes(Protocol[S]):
    def send(self, message: S) -> None: ...


@value
class Where:
    y: Float32
    x: float


@value
class Paint(enum.Enum):
    GREEN = "g"
    RED = "r"


@value
@dataclass(frozen=True, slots=True)
class Leaf:
    likes: Annotated[int, Range(0, 1000)]
    replies: list[Leaf]
    author: UUID | None
    tags: tuple[str, ...]
    colour: Paint
    at: Where
    text: str


@value
class Pin:
    note: Leaf


@value
class Unpin:
    place: Int32


@value
class Two(Generic[T]):
    left: T
    right: T


@interface
class Surface(Protocol):
    def borders(self) -> Two[Where]: ...
    def find(self, text: str, most: int) -> tuple[Leaf, ...]: ...
    def change(self, change: Pin | Unpin) -> None: ...


@interface
class Watcher(Protocol):
    def moved(self, to: Ref[Board], door: EndpointRef[Exports[Takes[str]]]) -> None: ...
    def changed(self, change: Unpin | Pin, by: dict[str, int]) -> None: ...


@object_type(alias="stranger:board")
class Board:
    wall: Annotated[Dual[Surface, Watcher], requires("trace", "at most one find")]


@object_type(alias="stranger:eye")
class Eye:
    wall: Annotated[Dual[Watcher, Surface], provides("trace", "at most one find")]
    frame: ImportedUI
