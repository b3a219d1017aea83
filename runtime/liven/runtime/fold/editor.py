"""The editor of a replicated state: the object that a proxy and its view use to change the state.

An editor joins the optimistic state with the undo list, sends gestures to the channel, and gives its
listeners the state before and after each change, so that a view repaints only the difference."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from liven.runtime.fold.model import Model, applied, overwritten, sparing_others
from liven.runtime.fold.optimistic import Gesture, OptimisticState, Settled
from liven.runtime.fold.undo import Left, Step, UndoList

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
C = TypeVar("C")


class Listener(Protocol[S_contra]):
    """A view, or any other observer, of an editor's state."""

    def changed(self, before: S_contra, after: S_contra) -> None:
        """Update the view: the optimistic state has changed."""
        ...

    def notify(self, message: str) -> None:
        """Show a sentence to the person."""
        ...


class Editor(Generic[S, C]):
    """One person's access to one object. An exception of `send` reaches the caller, and the state stays as it
    was."""

    def __init__(
        self,
        model: Model[S, C],
        author: str,
        send: Callable[[Gesture[C]], None],
        undo: UndoList[C] | None = None,
        origin: uuid.UUID | None = None,
    ) -> None:
        self.model = model
        self._shown = OptimisticState(model, author, origin or uuid.uuid4())
        self._send = send
        self._listeners: list[Listener[S]] = []
        self.undo_list = undo or UndoList()
        self.undo_changed: Callable[[], object] = lambda: None
        """Called after each change of the undo list."""
        self._when_settled: list[Callable[[], object]] = []

    @property
    def state(self) -> S:
        """The optimistic state: the confirmed state plus your own pending gestures."""
        return self._shown.shown

    @property
    def confirmed(self) -> S:
        """The state that all replicas agree on. Checkpoints and digests are made from it."""
        return self._shown.confirmed

    @property
    def pending(self) -> int:
        """The number of your own gestures that the channel has not delivered yet."""
        return len(self._shown.pending)

    def listen(self, listener: Listener[S]) -> None:
        """Add a listener."""
        self._listeners.append(listener)

    def unlisten(self, listener: Listener[S]) -> None:
        """Remove a listener."""
        self._listeners.remove(listener)

    def when_settled(self, call: Callable[[], object]) -> None:
        """Call `call` once none of your own gestures is pending: now, or as soon as the channel has delivered
        them all."""
        self._when_settled.append(call)
        self._settle()

    def edit(self, name: str, *changes: C) -> None:
        """Make a gesture and send it. Raise RefusedError if none of its changes applies."""
        self.undo_list.did(self._make(name, changes))
        self.undo_changed()

    def also(self, name: str, *changes: C) -> None:
        """Make a gesture that undo skips, such as one that only prepares or follows another. Your earlier
        gestures can still be undone. Raise RefusedError if none of its changes applies."""
        before = self.state
        self._make(name, changes)
        self.undo_list.follow(
            lambda step: overwritten(self.model, before, step.inverse),
            lambda step: overwritten(self.model, self.state, step.inverse),
        )

    def did_elsewhere(self, name: str) -> Step[C]:
        """Add a step for a gesture in another object. The caller undoes it there."""
        step: Step[C] = Step(0, name, (), elsewhere=True)
        self.undo_list.did(step)
        self.undo_changed()
        return step

    def undo(self) -> str | None:
        """Undo your newest gesture that can be undone, and return its name. Return None if there is none,
        and an empty name after explaining why none can be undone. Later changes by others to the same
        items stay."""
        undo = self.undo_list
        return self._again(undo.take_undo, undo.undid, undo.redid)

    def redo(self) -> str | None:
        """Redo the last undone gesture and return its name, or None if there is none."""
        undo = self.undo_list
        return self._again(undo.take_redo, undo.redid, undo.undid)

    def start(self, state: S | None) -> None:
        """Begin with the checkpoint that the channel delivered, or with an empty state."""
        before = self.state
        self._shown.start(state)
        self._tell(before)

    def receive(self, gesture: Gesture[C]) -> Settled[C]:
        """Apply a gesture that the channel delivered."""
        before = self.state
        settled = self._shown.receive(gesture)
        if settled.own:
            own = overwritten(self.model, self.confirmed, settled.inverse)
            self.undo_list.confirm(gesture.number, settled.inverse, own)
            self.undo_changed()
            for why in dict.fromkeys(settled.refused):
                self._say(f"{gesture.name}: {why}")
        self._tell(before)
        self._settle()
        return settled

    def lost(self, number: int) -> None:
        """Take back an own gesture that the channel will not deliver."""
        before = self.state
        gesture = self._shown.drop(number)
        if gesture is not None:
            self.undo_list.confirm(number, ())
            self.undo_changed()
            self._tell(before)
            self._say(f"“{gesture.name}” could not be saved")
            self._settle()

    def _make(self, name: str, changes: tuple[C, ...]) -> Step[C]:
        before = self.state
        _, inverse, _ = applied(self.model, before, changes)
        gesture = self._shown.edit(name, *changes)
        try:
            self._send(gesture)
        except BaseException:
            self._shown.drop(gesture.number)
            raise
        self._tell(before)
        return Step(gesture.number, name, inverse, overwritten(self.model, self.state, inverse))

    def _again(
        self,
        take: Callable[[Left[C]], tuple[Step[C] | None, tuple[str, ...]]],
        keep: Callable[[Step[C]], None],
        give_back: Callable[[Step[C]], None],
    ) -> str | None:
        step, passed = take(self._left)
        for sentence in passed:
            self._say(sentence)
        if passed:
            self.undo_changed()
        if step is None:
            return "" if passed else None
        try:
            keep(self._make(step.name, step.inverse))
        except BaseException:
            give_back(step)  # as if it had never been removed
            raise
        self.undo_changed()
        return step.name

    def _left(self, step: Step[C]) -> tuple[tuple[C, ...], tuple[str, ...]]:
        return sparing_others(self.model, self.state, step.inverse, step.own)

    def _tell(self, before: S) -> None:
        if before is not self.state:
            for listener in tuple(self._listeners):
                listener.changed(before, self.state)

    def _settle(self) -> None:
        while self._when_settled and not self.pending:
            self._when_settled.pop(0)()

    def _say(self, message: str) -> None:
        for listener in tuple(self._listeners):
            listener.notify(message)
