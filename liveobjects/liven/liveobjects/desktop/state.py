"""What a desktop holds, and what may happen to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from liven.runtime.fold import PersistentMap
from liven.types.declare import value


@value
class Place:
    """Where a thing lies: its upper left corner before it is turned, and how far it is turned."""

    x: float
    y: float
    width: float
    height: float
    degrees: float = 0.0


@value
class Item:
    """One object on the desktop."""

    key: str
    """Given once, by who added it."""
    label: str
    place: Place
    reference: str
    """The recipe of the object, as XML text."""
    z: int = 0
    """Higher lies on top; equal ones lie by their keys."""
    group: str = ""
    """Things of one group move and are chosen together; empty is no group."""
    locked: bool = False


@value
class Link:
    """A connector drawn from one thing to another; it goes with either."""

    key: str
    source: str
    target: str
    label: str = ""


@value
class Add:
    item: Item


@value
class Remove:
    key: str


@value
class Move:
    """Puts a thing somewhere; size and turn are part of the place."""

    key: str
    place: Place


@value
class Rename:
    """Gives a thing or a connector another name."""

    key: str
    label: str


@value
class Restack:
    key: str
    z: int


@value
class Regroup:
    key: str
    group: str


@value
class Lock:
    key: str
    locked: bool


@value
class Join:
    """Draws a connector."""

    link: Link


@value
class Part:
    """Takes a connector away."""

    key: str


@value
class Paint:
    """Gives the plane a colour, as #rrggbb; empty is the viewer's own."""

    background: str


KINDS: Final = (Add, Remove, Move, Rename, Restack, Regroup, Lock, Join, Part, Paint)
Change: TypeAlias = Add | Remove | Move | Rename | Restack | Regroup | Lock | Join | Part | Paint


@dataclass(frozen=True, slots=True)
class Desktop:
    """A state of a desktop."""

    items: PersistentMap[str, Item] = field(default_factory=PersistentMap)
    links: PersistentMap[str, Link] = field(default_factory=PersistentMap)
    background: str = ""

    def stacked(self) -> tuple[Item, ...]:
        """All things, the lowest first."""
        return tuple(sorted(self.items.values(), key=lambda item: (item.z, item.key)))

    @property
    def top(self) -> int:
        """The height of what lies on top of all; -1 when there is nothing."""
        return max((item.z for item in self.items.values()), default=-1)

    @property
    def bottom(self) -> int:
        """The height of what lies below all; 1 when there is nothing."""
        return min((item.z for item in self.items.values()), default=1)
