"""The state of a desktop (items, connectors, background) and the changes that can be made to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from liven.runtime.fold import PersistentMap
from liven.types.declare import value


@value
class Place:
    """The position and size of an item before rotation, and its rotation in degrees."""

    x: float
    y: float
    width: float
    height: float
    degrees: float = 0.0


@value
class Item:
    """One object on the desktop."""

    key: str
    """Assigned once, by whoever adds the item."""
    label: str
    place: Place
    reference: str
    """The object's recipe as XML."""
    z: int = 0
    """Items with a higher number are on top; ties are broken by key."""
    group: str = ""
    """Items of a group are selected and moved together; empty for none."""
    locked: bool = False


SHAPES: Final = ("straight", "curve", "corners")
HEADS: Final = ("none", "arrow", "dot")
HUES: Final = ("blue", "orange", "green", "pink", "violet", "gold", "teal", "grey")
"""Hues by name; each light has its own colours for them, in this order."""


@value
class Style:
    """The look of a connector."""

    shape: str = "straight"
    """One of `SHAPES`."""
    start: str = "none"
    """The head at the source, one of `HEADS`."""
    end: str = "arrow"
    dashed: bool = False
    hue: str = ""
    """One of `HUES`; empty for a quiet line."""


USUAL: Final = Style()
"""The look of connectors that nobody gave another."""


@value
class Link:
    """A connector from one item to another; it is removed together with either."""

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
    """Move, resize or rotate an item: all three are part of its place."""

    key: str
    place: Place


@value
class Rename:
    """Rename an item or a connector."""

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
    """Add a connector."""

    link: Link


@value
class Restyle:
    """Give a connector another look. The looks are not part of `Link`, whose form is that of older logs."""

    key: str
    style: Style


@value
class Part:
    """Remove a connector."""

    key: str


@value
class Redraw:
    """Give a drawing another look: its recipe, which holds all of it, is replaced by that of the same kind of
    drawing."""

    key: str
    reference: str


@value
class Paint:
    """Set the background to #rrggbb, or to the viewer's own colour if empty."""

    background: str


@value
class Retitle:
    """Name the desktop; empty for the name in its recipe."""

    title: str


@value
class Timer:
    """A timer that everybody on the desktop sees."""

    ends: float
    """The moment at which it is over, in seconds since 1970 by the clock of who started it."""
    seconds: float
    """Its length."""


@value
class SetTimer:
    """Start a timer in place of the one that there may be; None ends that."""

    timer: Timer | None


KINDS: Final = (
    Add,
    Remove,
    Move,
    Rename,
    Restack,
    Regroup,
    Lock,
    Join,
    Restyle,
    Part,
    Paint,
    Retitle,
    Redraw,
    SetTimer,
)
Change: TypeAlias = (
    Add
    | Remove
    | Move
    | Rename
    | Restack
    | Regroup
    | Lock
    | Join
    | Restyle
    | Part
    | Paint
    | Retitle
    | Redraw
    | SetTimer
)


@dataclass(frozen=True, slots=True)
class Desktop:
    """The state of a desktop; immutable."""

    items: PersistentMap[str, Item] = field(default_factory=PersistentMap)
    links: PersistentMap[str, Link] = field(default_factory=PersistentMap)
    background: str = ""
    styles: PersistentMap[str, Style] = field(default_factory=PersistentMap)
    """The looks of connectors that have another than the usual one."""
    title: str = ""
    timer: Timer | None = None

    def style_of(self, link: Link) -> Style:
        """Return the look of a connector."""
        return self.styles.get(link.key) or USUAL

    def stacked(self) -> tuple[Item, ...]:
        """Return all items, the lowest first."""
        return tuple(sorted(self.items.values(), key=lambda item: (item.z, item.key)))

    @property
    def top(self) -> int:
        """The z of the topmost item; -1 if the desktop is empty."""
        return max((item.z for item in self.items.values()), default=-1)

    @property
    def bottom(self) -> int:
        """The z of the lowest item; 1 if the desktop is empty."""
        return min((item.z for item in self.items.values()), default=1)
