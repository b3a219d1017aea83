"""Confirmed and shown: one's own edits at once, in the order that the channel gives in the end.

*Confirmed* is the fold of what the channel delivered; checkpoints and digests are taken from it. *Shown* is
confirmed and, on top, one's own gestures that are on their way. A gesture of somebody else goes underneath
them: shown is folded again from confirmed. When an own gesture comes back as the oldest on its way, shown
stays as it is, since it had that gesture underneath all others already.
"""

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
    """What one person did at one go: the step that undo takes back."""

    origin: uuid.UUID
    """The replica that made it; another for each run of a program."""
    number: int
    """Counts the gestures of that replica from 1."""
    author: str
    """The person."""
    name: str
    """What the list of things to undo calls it."""
    changes: tuple[C, ...]


@dataclass(frozen=True, slots=True)
class Settled(Generic[C]):
    """What became of a gesture when the channel delivered it."""

    gesture: Gesture[C]
    own: bool
    inverse: tuple[C, ...]
    """What takes back those of its changes that applied; empty when none did."""
    refused: tuple[str, ...]


class Shown(Generic[S, C]):
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
        """One's own gestures that the channel has not delivered yet, oldest first."""
        return tuple(self._pending)

    def edit(self, name: str, *changes: C) -> Gesture[C]:
        """Shows a gesture; the caller sends it. Raises RefusedError when nothing of it applies."""
        after, _, refused = applied(self.model, self.shown, changes)
        if len(refused) == len(changes):
            raise RefusedError("; ".join(refused) or "nothing to do")
        self._made += 1
        gesture = Gesture(self.origin, self._made, self.author, name, changes)
        self._pending.append(gesture)
        self.shown = after
        return gesture

    def start(self, state: S | None) -> None:
        """Begins from a checkpoint, or anew when it is None. What was on its way stays on its way: the
        channel delivers it later, or says that it does not."""
        self.confirmed = self.model.empty() if state is None else state
        self._show()

    def receive(self, gesture: Gesture[C]) -> Settled[C]:
        """Takes the next gesture in the channel's order."""
        self.confirmed, inverse, refused = applied(self.model, self.confirmed, gesture.changes)
        own = gesture.origin == self.origin
        if not (own and self._came_back(gesture)):
            self._show()
        return Settled(gesture, own, inverse, refused)

    def drop(self, number: int) -> Gesture[C] | None:
        """Takes an own gesture back that the channel will not deliver, and gives it if it was on its way."""
        lost = next((one for one in self._pending if one.number == number), None)
        if lost is not None:
            self._pending.remove(lost)
            self._show()
        return lost

    def _came_back(self, gesture: Gesture[C]) -> bool:
        """Takes an own gesture from those on their way; whether it was the oldest, so that shown holds."""
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
