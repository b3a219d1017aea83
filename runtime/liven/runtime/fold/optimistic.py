"""Optimistic state: your own changes show at once, and take their final place in the channel's order later.

The *confirmed* state is the fold of everything that the channel delivered; checkpoints and digests are made
from it. The *shown* state adds your own pending gestures. A gesture by somebody else goes below them: the
shown state is folded again from the confirmed one. When your oldest pending gesture comes back, the shown
state is already right, because that gesture was at the bottom of the pending ones."""

from __future__ import annotations

import uuid
from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from liven.runtime.fold.model import Model, RefusedError, applied

S = TypeVar("S")
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Gesture(Generic[C]):
    """One step of one person: the unit of undo, sent as one message."""

    origin: uuid.UUID
    """The replica that made it; different for each run of a program."""
    number: int
    """The number of the gesture at that replica, from 1."""
    author: str
    """The person who made it."""
    name: str
    """Its name in the undo list."""
    changes: tuple[C, ...]


@dataclass(frozen=True, slots=True)
class Settled(Generic[C]):
    """The result of a delivered gesture."""

    gesture: Gesture[C]
    own: bool
    inverse: tuple[C, ...]
    """The changes that undo it; empty if none of its own applied."""
    refused: tuple[str, ...]


class OptimisticState(Generic[S, C]):
    """One replica's state of an object."""

    def __init__(self, model: Model[S, C], author: str, origin: uuid.UUID) -> None:
        self.model = model
        self.author = author
        self.origin = origin
        self.confirmed = model.empty()
        self.shown = self.confirmed
        self._pending: deque[Gesture[C]] = deque()
        self._made = 0

    @property
    def pending(self) -> tuple[Gesture[C], ...]:
        """Your own gestures that the channel has not delivered yet, oldest first."""
        return tuple(self._pending)

    def edit(self, name: str, *changes: C) -> Gesture[C]:
        """Show a gesture, which the caller sends. Raise RefusedError if none of its changes applies."""
        after, _, refused = applied(self.model, self.shown, changes)
        if len(refused) == len(changes):
            raise RefusedError("; ".join(refused) or "nothing to do")
        self._made += 1
        gesture = Gesture(self.origin, self._made, self.author, name, changes)
        self._pending.append(gesture)
        self.shown = after
        return gesture

    def start(self, state: S | None) -> None:
        """Begin with a checkpoint, or with an empty state if it is None. Pending gestures stay pending: the
        channel delivers them later or reports their loss."""
        self.confirmed = self.model.empty() if state is None else state
        self._show()

    def receive(self, gesture: Gesture[C]) -> Settled[C]:
        """Apply the next gesture in the channel's order."""
        self.confirmed, inverse, refused = applied(self.model, self.confirmed, gesture.changes)
        own = gesture.origin == self.origin
        if not (own and self._came_back(gesture)):
            self._show()
        return Settled(gesture, own, inverse, refused)

    def drop(self, number: int) -> Gesture[C] | None:
        """Remove an own gesture that the channel will not deliver, and return it if it was pending."""
        lost = next((one for one in self._pending if one.number == number), None)
        if lost is not None:
            self._pending.remove(lost)
            self._show()
        return lost

    def _came_back(self, gesture: Gesture[C]) -> bool:
        """Remove a delivered own gesture from the pending ones. Return true if it was the oldest, so that the
        shown state is still right."""
        if self._pending and self._pending[0].number == gesture.number:
            self._pending.popleft()
            return True
        self.drop(gesture.number)
        return False

    def _show(self) -> None:
        state = self.confirmed
        for gesture in self._pending:
            state, _, _ = applied(self.model, state, gesture.changes)
        self.shown = state
