"""Models as folds: immutable states, one's own edits shown at once, undo for each person."""

from liven.liveobjects.fold.editor import Editor, Listener
from liven.liveobjects.fold.map_digest import MapDigest
from liven.liveobjects.fold.memory import Remembering, UndoMemory, remembered
from liven.liveobjects.fold.model import Model, RefusedError, applied, covered, uncovering
from liven.liveobjects.fold.persistent import PersistentMap
from liven.liveobjects.fold.proven import proven
from liven.liveobjects.fold.replayed import Replayed
from liven.liveobjects.fold.shown import Gesture, Settled, Shown
from liven.liveobjects.fold.steps import kept_steps, read_steps
from liven.liveobjects.fold.undo import Step, UndoList

__all__ = [
    "Editor",
    "Gesture",
    "Listener",
    "MapDigest",
    "Model",
    "PersistentMap",
    "RefusedError",
    "Remembering",
    "Replayed",
    "Settled",
    "Shown",
    "Step",
    "UndoList",
    "UndoMemory",
    "applied",
    "covered",
    "kept_steps",
    "proven",
    "read_steps",
    "remembered",
    "uncovering",
]
