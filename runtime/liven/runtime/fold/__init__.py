"""Replicated state as a fold over changes: models, optimistic state, undo for each person, and state proofs.

Nothing here knows a channel or a view: an object gives an `Editor` a function that sends, and passes it what
the channel delivers. Start with `model`, then `optimistic` and `editor`.
"""

from liven.runtime.fold.editor import Editor, Listener
from liven.runtime.fold.map_digest import MapDigest
from liven.runtime.fold.model import Model, RefusedError, applied, overwritten, sparing_others
from liven.runtime.fold.optimistic import Gesture, OptimisticState, Settled
from liven.runtime.fold.persistent_map import PersistentMap
from liven.runtime.fold.replay import ReplayedState
from liven.runtime.fold.state_proof import Fold, Packing, Proof, Snapshot, proof_of
from liven.runtime.fold.undo import Step, UndoList
from liven.runtime.fold.undo_codec import decode_steps, encode_steps
from liven.runtime.fold.undo_store import Undoable, UndoStore, keep_undo

__all__ = [
    "Editor",
    "Fold",
    "Gesture",
    "Listener",
    "MapDigest",
    "Model",
    "OptimisticState",
    "Packing",
    "PersistentMap",
    "Proof",
    "RefusedError",
    "ReplayedState",
    "Settled",
    "Snapshot",
    "Step",
    "UndoList",
    "UndoStore",
    "Undoable",
    "applied",
    "decode_steps",
    "encode_steps",
    "keep_undo",
    "overwritten",
    "proof_of",
    "sparing_others",
]
