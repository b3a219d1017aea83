"""What an image holds, and what may happen to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from liven.runtime.fold import PersistentMap
from liven.types.declare import UInt32, value


@value
class Begin:
    """A picture is on its way."""

    picture: str
    """A key that its sender gives it, once."""
    name: str
    kind: str
    width: UInt32
    height: UInt32
    size: UInt32
    """Bytes of its file."""


@value
class Slice:
    """The next bytes of a picture that is on its way."""

    picture: str
    offset: UInt32
    data: bytes


@value
class Abandon:
    """A picture that is on its way will not come."""

    picture: str


@value
class Show:
    """This picture is seen now; an empty key is none."""

    picture: str


Change: TypeAlias = Begin | Slice | Abandon | Show


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, or as much of it as has come."""

    about: Begin
    parts: tuple[bytes, ...] = ()
    got: int = 0
    check: int = 0
    """A checksum of what has come, however it was cut."""

    @property
    def whole(self) -> bool:
        """Whether all of it has come."""
        return self.got == self.about.size

    @property
    def data(self) -> bytes:
        """What has come of its file."""
        return b"".join(self.parts)


@dataclass(frozen=True, slots=True)
class Album:
    """A state of an image: the picture that is seen, those to go back to, and those on their way."""

    pictures: PersistentMap[str, Picture] = field(default_factory=PersistentMap)
    order: tuple[str, ...] = ()
    """All pictures, by when they began."""
    shown: str = ""

    @property
    def seen(self) -> Picture | None:
        """The picture that is seen."""
        return self.pictures.get(self.shown)

    @property
    def arriving(self) -> Picture | None:
        """The newest picture that is on its way."""
        for key in reversed(self.order):
            if not self.pictures[key].whole:
                return self.pictures[key]
        return None
