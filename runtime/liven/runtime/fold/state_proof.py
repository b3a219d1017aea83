"""State proofs: what a replicated object gives its channel so that replicas can be compared and repaired.

An object on a shared channel shows the channel a `Proof` beside its events. The digest covers the visible
state, not an encoder's bytes, so that equal replicas have equal digests. A `Fold` is the state alone, without
the object: a worker makes one and feeds it the log from the disk, to decide which of two replicas is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from liven.runtime.fold.editor import Editor

S = TypeVar("S")


class Fold(Protocol):
    """A state computed by the object's rules alone, independent of a running program."""

    def initialize(self, checkpoint: Any) -> None:
        """Begin with a checkpoint, as the object does."""

    def receive(self, message: Any) -> None:
        """Apply a message, as the object does."""

    def digest(self) -> bytes:
        """Return a hash of the visible state, of at most 64 bytes."""


class Snapshot(Protocol):
    """A state at one moment, unaffected by later messages."""

    def checkpoint(self) -> Any:
        """Return the object's checkpoint. Called in a worker."""


@dataclass(frozen=True, slots=True)
class Packing(Generic[S]):
    """A snapshot of an immutable state, with the function that encodes it."""

    state: S
    pack: Callable[[S], Any]

    def checkpoint(self) -> Any:
        """Return the object's checkpoint."""
        return self.pack(self.state)


@dataclass(frozen=True, slots=True)
class Proof:
    """The functions that an object gives its channel."""

    digest: Callable[[], bytes]
    """The digest of the state after exactly the messages received so far."""
    fold: Callable[[], Fold] | None = None
    """Makes an empty state; None if the object cannot be separated from its rules."""
    snapshot: Callable[[], Snapshot] | None = None
    """Captures the current state at once, so that a large one can be encoded in a worker; None if the object
    can only make checkpoints itself."""


def proof_of(
    editor: Editor[S, Any], fold: Callable[[], Fold], pack: Callable[[S], Any] | None = None
) -> Proof:
    """Return the proof of an editor's confirmed state. `pack` encodes a possibly large state in a worker;
    without it the object is asked for its checkpoint."""
    return Proof(
        lambda: editor.model.digest(editor.confirmed),
        fold,
        (lambda: Packing(editor.confirmed, pack)) if pack is not None else None,
    )
