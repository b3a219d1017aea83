"""A state as the order of a channel makes it, by a model's rules alone; it judges replicas that differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from liven.runtime.fold.model import Model, applied
from liven.runtime.fold.optimistic import Gesture

S = TypeVar("S")
C = TypeVar("C")


class Replayed(Generic[S, C]):
    """`state_of` reads a checkpoint, and `gesture_of` a message, as the object itself does. A message that
    cannot be read is passed over, as by the object."""

    def __init__(
        self, model: Model[S, C], state_of: Callable[[Any], S], gesture_of: Callable[[Any], Gesture[C]]
    ) -> None:
        self._model = model
        self._state_of = state_of
        self._gesture_of = gesture_of
        self._state = model.empty()

    def initialize(self, checkpoint: Any) -> None:
        """As the object's."""
        self._state = self._model.empty() if checkpoint is None else self._state_of(checkpoint)

    def receive(self, message: Any) -> None:
        """As the object's."""
        try:
            gesture = self._gesture_of(message)
        except ValueError:
            return
        self._state = applied(self._model, self._state, gesture.changes)[0]

    def digest(self) -> bytes:
        """A hash of what can be seen of the state."""
        return self._model.digest(self._state)
