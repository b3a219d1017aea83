"""How an object lets its channel see that replicas agree, and find out which of two is right.

An object that stands on a shared channel hands it a `Proof` beside its events. The digest is of what can be
seen, not of an encoder's bytes, so that equal replicas have equal digests. A `Fold` is a state alone, without
the object: a worker makes one, and gives it what is on the disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

S = TypeVar("S")


class Fold(Protocol):
    """A state as the order makes it: the object's own rules, and nothing of a running program."""

    def initialize(self, checkpoint: Any) -> None:
        """As the object's."""

    def receive(self, message: Any) -> None:
        """As the object's."""

    def digest(self) -> bytes:
        """A hash of what can be seen of the state; of at most 64 bytes."""


class Snapshot(Protocol):
    """A state as it was at one moment; what came later does not change it."""

    def checkpoint(self) -> Any:
        """As the object's. Called in a worker."""


@dataclass(frozen=True, slots=True)
class Packing(Generic[S]):
    """A snapshot of what never changes: the state itself, and how it is packed."""

    state: S
    pack: Callable[[S], Any]

    def checkpoint(self) -> Any:
        """As the object's."""
        return self.pack(self.state)


@dataclass(frozen=True, slots=True)
class Proof:
    """What an object hands to its channel."""

    digest: Callable[[], bytes]
    """Of the state after exactly what was received so far."""
    fold: Callable[[], Fold] | None = None
    """Makes a state before anything; None if the object cannot be told apart from its rules."""
    snapshot: Callable[[], Snapshot] | None = None
    """Takes the state as it is now, at once, so that a long one is put into bytes beside the loop; None if
    the object can only be asked for a checkpoint."""
