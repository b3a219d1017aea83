"""Models as folds: immutable states, one's own edits shown at once, undo for each person."""

from liven.runtime.fold.editor import Editor, Listener
from liven.runtime.fold.map_digest import MapDigest
from liven.runtime.fold.model import Model, RefusedError, applied, covered, uncovering
from liven.runtime.fold.optimistic import Gesture, Settled, Shown
from liven.runtime.fold.persistent_map import PersistentMap
from liven.runtime.fold.proof import proven
from liven.runtime.fold.replay import Replayed
from liven.runtime.fold.undo import Step, UndoList
from liven.runtime.fold.undo_codec import kept_steps, read_steps
from liven.runtime.fold.undo_store import Undoable, UndoStore, remembered

__all__ = [
    "Editor",
    "Gesture",
    "Listener",
    "MapDigest",
    "Model",
    "PersistentMap",
    "RefusedError",
    "Replayed",
    "Settled",
    "Shown",
    "Step",
    "UndoList",
    "UndoStore",
    "Undoable",
    "applied",
    "covered",
    "kept_steps",
    "proven",
    "read_steps",
    "remembered",
    "uncovering",
]
