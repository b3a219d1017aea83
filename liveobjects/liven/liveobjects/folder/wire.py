"""A folder's gestures and states as they travel, under the original's ids."""

from __future__ import annotations

import uuid

from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.runtime.fold import Gesture, PersistentMap
from liven.types.declare import UInt64, value


@value(id="B0592A046E5E47E69A1AC39E412B7AD0", alias="liven:folder-operation")
class FolderOperation:
    """One gesture of one person."""

    origin: uuid.UUID
    number: UInt64
    author: str
    name: str
    changes: list[Put | Take | Rename]


@value(id="5B1608BEE89B434F967E92EDADF0EEB2", alias="liven:folder-state")
class FolderState:
    """A whole folder."""

    items: list[Put]


def operation(gesture: Gesture[Change]) -> FolderOperation:
    """A gesture, to be sent."""
    changes = list(gesture.changes)
    return FolderOperation(gesture.origin, gesture.number, gesture.author, gesture.name, changes)


def gesture(received: FolderOperation) -> Gesture[Change]:
    """A gesture that was received."""
    changes = tuple(received.changes)
    return Gesture(received.origin, received.number, received.author, received.name, changes)


def packed(state: Content) -> FolderState:
    """A state as a checkpoint, in an order that is the same everywhere."""
    return FolderState([Put(name, state.items[name]) for name in sorted(state.items)])


def unpacked(checkpoint: FolderState) -> Content:
    """The state of a checkpoint."""
    return Content(PersistentMap({one.name: one.reference for one in checkpoint.items}))
