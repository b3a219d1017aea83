"""A state recomputed from the log by the rules of a model alone. It decides which of two differing replicas
is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from liven.runtime.fold.model import Model, applied
from liven.runtime.fold.optimistic import Gesture

S = TypeVar("S")
C = TypeVar("C")


class ReplayedState(Generic[S, C]):
    """The state after a checkpoint and messages, decoded with `state_of` and `gesture_of` as the object
    does. Messages that cannot be decoded are skipped, as the object skips them."""

    def __init__(
        self, model: Model[S, C], state_of: Callable[[Any], S], gesture_of: Callable[[Any], Gesture[C]]
    ) -> None:
        self._model = model
        self._state_of = state_of
        self._gesture_of = gesture_of
        self._state = model.empty()

    def initialize(self, checkpoint: Any) -> None:
        """Begin with a checkpoint, or with an empty state."""
        self._state = self._model.empty() if checkpoint is None else self._state_of(checkpoint)

    def receive(self, message: Any) -> None:
        """Apply one message."""
        try:
            gesture = self._gesture_of(message)
        except ValueError:
            return
        self._state = applied(self._model, self._state, gesture.changes)[0]

    def digest(self) -> bytes:
        """Return a hash of the visible state."""
        return self._model.digest(self._state)
