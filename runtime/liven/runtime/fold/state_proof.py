"""The proof of an object's state: how its channel checks that replicas agree, and which of two is right.

A shared object offers its channel a `Proof` besides its events. The digest covers what people can see, not an
encoder's bytes, so that equal replicas have equal digests. A `Fold` is the state alone, without the object: a
worker creates one and replays the log on disk with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

S = TypeVar("S")


class Fold(Protocol):
    """A state that follows from ordered messages alone: the object's rules, without anything of a running
    program."""

    def initialize(self, checkpoint: Any) -> None:
        """Begin with a checkpoint, as the object does."""

    def receive(self, message: Any) -> None:
        """Apply a message, as the object does."""

    def digest(self) -> bytes:
        """Return a hash of the visible state, at most 64 bytes."""


class Snapshot(Protocol):
    """A state at one moment. Later changes do not affect it."""

    def checkpoint(self) -> Any:
        """Return the checkpoint, as the object does. A worker calls this."""


@dataclass(frozen=True, slots=True)
class Packing(Generic[S]):
    """A snapshot of an immutable state, with the function that packs it."""

    state: S
    pack: Callable[[S], Any]

    def checkpoint(self) -> Any:
        """Return the checkpoint, as the object does."""
        return self.pack(self.state)


@dataclass(frozen=True, slots=True)
class Proof:
    """What an object offers its channel to prove its state."""

    digest: Callable[[], bytes]
    """Returns the digest of the state after exactly the messages received so far."""
    fold: Callable[[], Fold] | None = None
    """Creates an empty state; None if the rules cannot run without the object."""
    snapshot: Callable[[], Snapshot] | None = None
    """Takes the present state at once, so that a worker can encode it; None if only the object can make a
    checkpoint."""
