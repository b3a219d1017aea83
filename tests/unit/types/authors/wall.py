"""An author's module: a wall of notes, declared with nothing but annotated classes."""

from __future__ import annotations

import enum
from typing import Annotated, Generic, Protocol, TypeAlias, TypeVar
from uuid import UUID

from liven.types.declare import (
    Dual,
    EndpointRef,
    ExportedUI,
    Exports,
    Float32,
    Imports,
    Int32,
    Range,
    Ref,
    interface,
    object_type,
    provides,
    proxy,
    requires,
    value,
)

M = TypeVar("M", contravariant=True)
Item = TypeVar("Item")


@value
class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@value
class Point:
    x: float
    y: Float32 = 0.0


@value
class Note:
    text: str
    at: Point
    colour: Colour
    tags: list[str]
    author: UUID | None = None
    replies: tuple[Note, ...] = ()
    likes: Annotated[int, Range(0, 1000)] = 0


@value
class Pin:
    note: Note


@value
class Unpin:
    place: Int32


Change: TypeAlias = Pin | Unpin


@value
class Pair(Generic[Item]):
    left: Item
    right: Item


@interface
class Sender(Protocol[M]):
    def send(self, message: M) -> None: ...


@interface
class Wall(Protocol):
    def change(self, change: Change) -> None: ...
    def find(self, text: str, most: int = 10) -> list[Note]: ...
    def borders(self) -> Pair[Point]: ...


@interface
class Looker(Protocol):
    def changed(self, change: Change, by: dict[str, int]) -> None: ...
    def moved(self, to: Ref[WallObject], door: EndpointRef[Exports[Sender[str]]]) -> None: ...


@object_type(provides("guarantee", "causal"), id="5B0E17B6F2C44D1B8E3C2B6E44A0D001", alias="demo:wall")
class WallObject:
    wall: Annotated[
        Dual[Wall, Looker],
        provides("guarantee", "fifo"),
        provides("trace", "changed never precedes change"),
        requires("trace", "at most one find"),
    ]
    ui: ExportedUI


@proxy(id="5B0E17B6F2C44D1B8E3C2B6E44A0D002", alias="demo:paper-wall", view="demo.wall.view:PaperView")
class PaperWall(WallObject):
    def __init__(self, context: object, channel: Ref[WallObject], title: str = "wall") -> None:
        self.context = context
        self.channel = channel
        self.title = title
        self.notes: list[Note] = []

    def change(self, change: Change) -> None:
        if isinstance(change, Pin):
            self.notes.append(change.note)
        else:
            del self.notes[change.place]
        self.wall.peer.changed(change, {"author": 1})

    def find(self, text: str, most: int = 10) -> list[Note]:
        return [note for note in self.notes if text in note.text][:most]

    def borders(self) -> Pair[Point]:
        return Pair(Point(0.0), Point(1.0, 1.0))


@proxy(id="5B0E17B6F2C44D1B8E3C2B6E44A0D003", alias="demo:repeater")
class Repeater(Generic[Item]):
    messages: Imports[Sender[Item]]

    def __init__(self, seed: Item, times: int = 3) -> None:
        self.seed = seed
        self.times = times

    def start(self) -> None:
        for _ in range(self.times):
            self.messages.peer.send(self.seed)
