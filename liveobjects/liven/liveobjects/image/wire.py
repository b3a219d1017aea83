"""The operations and checkpoints of an image. Both are the original program's *frame*, which its files
declare."""

from __future__ import annotations

import uuid
from zlib import crc32

from liven.liveobjects.image.model import SLICE
from liven.liveobjects.image.state import Abandon, Album, Begin, Change, Picture, Show, Slice
from liven.liveobjects.shared_object import Wire, gesture_of, operation_of
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
    """One picture, as far as it has arrived."""

    about: Begin
    data: bytes


@value
class Held:
    """All pictures, in the order in which they began."""

    pictures: list[Kept]
    shown: str


@value(id="137E793B3B6345E689B0701C2F9019E6", alias="liven:frame")
class Frame:
    """A gesture or a whole state."""

    said: Said | None
    held: Held | None


class NoFrameError(ValueError):
    """A frame that lacks its content."""


def operation(gesture: Gesture[Change]) -> Frame:
    """Return a gesture as a message."""
    return Frame(operation_of(Said, gesture), None)


def gesture(frame: Frame) -> Gesture[Change]:
    """Return the gesture of a message. Raise NoFrameError if it has none."""
    said = frame.said
    if said is None:
        raise NoFrameError("it has no gesture")
    return gesture_of(said)


def packed(state: Album) -> Frame:
    """Return a state as a checkpoint."""
    kept = [Kept(state.pictures[key].about, state.pictures[key].data) for key in state.order]
    return Frame(None, Held(kept, state.shown))


def unpacked(checkpoint: Frame) -> Album:
    """Return the state of a checkpoint. Raise NoFrameError if it has none."""
    if checkpoint.held is None:
        raise NoFrameError("it has no state")
    pictures = {one.about.picture: _picture(one) for one in checkpoint.held.pictures}
    order = tuple(pictures)
    shown = checkpoint.held.shown
    seen = pictures.get(shown)
    return Album(PersistentMap(pictures), order, shown if seen is not None and seen.whole else "")


def _picture(kept: Kept) -> Picture:
    data = kept.data[: kept.about.size]
    parts = tuple(data[at : at + SLICE] for at in range(0, len(data), SLICE))
    return Picture(kept.about, parts, len(data), crc32(data))


WIRE: Wire[Album, Change, Frame, Frame] = Wire(operation, gesture, packed, unpacked, (Show,))
