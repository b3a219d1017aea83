"""The operations and checkpoints of a folder, under the ids of the original program."""

from __future__ import annotations

import uuid

from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.liveobjects.shared_object import Wire, gesture_of, operation_of
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
    """The whole state of a folder."""

    items: list[Put]


def operation(gesture: Gesture[Change]) -> FolderOperation:
    """Return a gesture as a message."""
    return operation_of(FolderOperation, gesture)


def packed(state: Content) -> FolderState:
    """Return a state as a checkpoint, in an order that is the same everywhere."""
    return FolderState([Put(name, state.items[name]) for name in sorted(state.items)])


def unpacked(checkpoint: FolderState) -> Content:
    """Return the state of a checkpoint."""
    return Content(PersistentMap({one.name: one.reference for one in checkpoint.items}))


WIRE: Wire[Content, Change, FolderOperation, FolderState] = Wire(
    operation, gesture_of, packed, unpacked, (Put, Take, Rename)
)
