"""An image's gestures and states as they travel. Both are the original's *frame*, for its files say so."""

from __future__ import annotations

import uuid
from zlib import crc32

from liven.liveobjects.image.model import SLICE
from liven.liveobjects.image.state import Abandon, Album, Begin, Change, Picture, Show, Slice
from liven.runtime.fold import Gesture, PersistentMap
from liven.types.declare import UInt64, value


@value
class Said:
    """One gesture of one person."""

    origin: uuid.UUID
    number: UInt64
    author: str
    name: str
    changes: list[Begin | Slice | Abandon | Show]


@value
class Kept:
    """One picture, or as much of it as has come."""

    about: Begin
    data: bytes


@value
class Held:
    """All pictures, by when they began."""

    pictures: list[Kept]
    shown: str


@value(id="137E793B3B6345E689B0701C2F9019E6", alias="liven:frame")
class Frame:
    """What somebody did, or all that there is."""

    said: Said | None
    held: Held | None


class NoFrameError(ValueError):
    """A frame that says nothing where it should."""


def operation(gesture: Gesture[Change]) -> Frame:
    """A gesture, to be sent."""
    changes = list(gesture.changes)
    return Frame(Said(gesture.origin, gesture.number, gesture.author, gesture.name, changes), None)


def gesture(frame: Frame) -> Gesture[Change]:
    """A gesture that was received; NoFrameError if it is none."""
    said = frame.said
    if said is None:
        raise NoFrameError("it says nothing")
    return Gesture(said.origin, said.number, said.author, said.name, tuple(said.changes))


def packed(state: Album) -> Frame:
    """A state as a checkpoint."""
    kept = [Kept(state.pictures[key].about, state.pictures[key].data) for key in state.order]
    return Frame(None, Held(kept, state.shown))


def unpacked(checkpoint: Frame) -> Album:
    """The state of a checkpoint; NoFrameError if it is none."""
    if checkpoint.held is None:
        raise NoFrameError("it holds nothing")
    pictures = {one.about.picture: _picture(one) for one in checkpoint.held.pictures}
    order = tuple(pictures)
    shown = checkpoint.held.shown
    seen = pictures.get(shown)
    return Album(PersistentMap(pictures), order, shown if seen is not None and seen.whole else "")


def _picture(kept: Kept) -> Picture:
    data = kept.data[: kept.about.size]
    parts = tuple(data[at : at + SLICE] for at in range(0, len(data), SLICE))
    return Picture(kept.about, parts, len(data), crc32(data))
