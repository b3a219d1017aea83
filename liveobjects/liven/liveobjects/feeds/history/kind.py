"""One kind of object as history sees it: how its states follow from a recording, differ, and are restored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from liven.liveobjects.feeds.history.difference import Authors, Authorship, Difference, note_author
from liven.liveobjects.shared_object import Wire
from liven.runtime.fold import Model, applied
from liven.types.declare import TermBuilder
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.fronts import Fronts
from liven.types.fronts.fronts import Conversion
from liven.types.terms.value_types import ValueType


class CannotRestoreError(Exception):
    """Nothing of an object can be restored; the message says why, and what else can be done."""


class Follower(Protocol):
    """A state that follows the checkpoints and messages of a channel, all in neutral form."""

    def begin(self, checkpoint: Any | None) -> None:
        """Begin, or go on, with a checkpoint; None is the state before the first message. The authors stay
        known as far as the state stays the same."""

    def take(self, message: Any, author: str, when: int) -> None:
        """Apply a message as the object does; an invalid one changes nothing."""

    def state(self) -> Any:
        """Return the state, which does not change when more messages are taken."""

    def checkpoint(self) -> Any:
        """Return the state in neutral form."""

    def mark(self) -> None:
        """Forget all authors: what differs from now on is of interest."""

    def authors(self, before: Any, after: Any) -> Mapping[str, Authorship]:
        """Return who made each difference since the mark, by key, given the states then and now."""


def no_recipes(state: Any) -> Mapping[str, tuple[str, str]]:
    """Return nothing: an object of this kind has no others inside."""
    del state
    return {}


@dataclass(frozen=True, slots=True)
class Kind:
    """The rules of one kind of object."""

    name: str
    checkpoints: Callable[[], ValueType]
    """Returns the type of the checkpoints."""
    messages: Callable[[], ValueType]
    follower: Callable[[], Follower]
    differences: Callable[[Any, Any], tuple[Difference, ...]]
    """Takes the earlier and the later state."""
    state_of: Callable[[Any], Any]
    """Takes the model of a running object and returns its state, with what is still on its way."""
    restore: Callable[[Any, str, Any, Iterable[str] | None], int]
    """Takes a model, the name of the gesture, the state to return to, and the keys of differences, or None
    for all. Makes one gesture, and returns the number of its changes."""
    recipes: Callable[[Any], Mapping[str, tuple[str, str]]] = no_recipes
    """Returns the name and the recipe of each object inside a state, by the key of its difference."""


class SharedFollower:
    """The follower of an object whose state is a fold over gestures."""

    def __init__(
        self,
        model: Model[Any, Any],
        wire: Wire[Any, Any, Any, Any],
        messages: Any,
        checkpoints: Any,
        touched: Callable[[Any, Any], Iterable[str]],
    ) -> None:
        """`touched` returns the keys of the differences that a change of a state may make."""
        self._model = model
        self._wire = wire
        self._messages = conversion(messages)
        self._checkpoints = conversion(checkpoints)
        self._touched = touched
        self._state = model.empty()
        self._authors: Authors = {}

    def begin(self, checkpoint: Any | None) -> None:
        if checkpoint is None:
            self._state = self._model.empty()
        else:
            self._state = self._wire.unpack(self._checkpoints.inward(checkpoint))

    def take(self, message: Any, author: str, when: int) -> None:
        try:
            gesture = self._wire.gesture(self._messages.inward(message))
        except ValueError:
            return
        for change in gesture.changes:
            touched: Iterable[str] = ()
            with suppress(KeyError):  # a change of a thing that is not there, which the model refuses
                touched = self._touched(change, self._state)
            before = self._state
            self._state = applied(self._model, before, (change,))[0]
            if self._state is not before:
                note_author(self._authors, touched, author, when)

    def state(self) -> Any:
        return self._state

    def checkpoint(self) -> Any:
        return self._checkpoints.outward(self._wire.pack(self._state))

    def mark(self) -> None:
        self._authors = {}

    def authors(self, before: Any, after: Any) -> Mapping[str, Authorship]:
        del before, after
        return self._authors


@cache
def _fronts() -> Fronts:
    return Fronts()


@cache
def _terms() -> TermBuilder:
    return TermBuilder(Formalisms(builtin_formalisms()))


def conversion(annotation: Any) -> Conversion:
    """Return the conversion between values of a class and their neutral form."""
    return _fronts().conversion(annotation)


def term(cls: type) -> Callable[[], ValueType]:
    """Return a function that makes the type of a value class when it is needed."""
    return lambda: _terms().value_of(cls)


def editor_restoration(changes: Callable[[Any, Any, Any], tuple[Any, ...]]) -> Callable[..., int]:
    """Return a function that restores a state by one gesture of the object's editor."""

    def restore(model: Any, name: str, then: Any, keys: Iterable[str] | None) -> int:
        made = changes(model.editor.state, then, None if keys is None else frozenset(keys))
        if made:
            model.editor.edit(name, *made)
        return len(made)

    return restore


def editor_state(model: Any) -> Any:
    return model.editor.state
