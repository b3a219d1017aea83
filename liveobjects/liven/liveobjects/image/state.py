"""The state of an image and its changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from liven.runtime.fold import PersistentMap
from liven.types.declare import UInt32, value


@value
class Begin:
    """Announce a picture."""

    picture: str
    """A unique key, chosen by the sender."""
    name: str
    kind: str
    width: UInt32
    height: UInt32
    size: UInt32
    """The size of the file in bytes."""


@value
class Slice:
    """Add the next bytes of a picture."""

    picture: str
    offset: UInt32
    data: bytes


@value
class Abandon:
    """Give up an announced picture."""

    picture: str


@value
class Show:
    """Show this picture; an empty key shows none."""

    picture: str


Change: TypeAlias = Begin | Slice | Abandon | Show


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, as far as it has arrived."""

    about: Begin
    parts: tuple[bytes, ...] = ()
    got: int = 0
    check: int = 0
    """A checksum of the received bytes, independent of the slices."""

    @property
    def whole(self) -> bool:
        """True once the picture is complete."""
        return self.got == self.about.size

    @property
    def data(self) -> bytes:
        """The received bytes of its file."""
        return b"".join(self.parts)


@dataclass(frozen=True, slots=True)
class Album:
    """The state of an image: the shown picture, earlier ones for undo, and those still arriving."""

    pictures: PersistentMap[str, Picture] = field(default_factory=PersistentMap)
    order: tuple[str, ...] = ()
    """The keys of all pictures, oldest first."""
    shown: str = ""

    @property
    def seen(self) -> Picture | None:
        """The shown picture."""
        return self.pictures.get(self.shown)

    @property
    def arriving(self) -> Picture | None:
        """The newest picture that is still arriving."""
        for key in reversed(self.order):
            if not self.pictures[key].whole:
                return self.pictures[key]
        return None
