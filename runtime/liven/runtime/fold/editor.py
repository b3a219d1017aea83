"""An editor: what an object's proxy and its view use to change a replicated state.

It joins what is shown with the list of what can be undone, hands gestures to the channel, and tells its
listener the state before and after, so that a view repaints what differs and no more.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from liven.runtime.fold.model import Model, applied, covered, uncovering
from liven.runtime.fold.optimistic import Gesture, Settled, Shown
from liven.runtime.fold.undo import Left, Step, UndoList

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
C = TypeVar("C")


class Listener(Protocol[S_contra]):
    """Who shows the state."""

    def changed(self, before: S_contra, after: S_contra) -> None:
        """What is shown differs now."""
        ...

    def told(self, message: str) -> None:
        """Something the person should know, in a sentence."""
        ...


class Editor(Generic[S, C]):
    """One person's hand on one object. What `send` raises comes through, and nothing is shown then."""

    def __init__(
        self,
        model: Model[S, C],
        author: str,
        send: Callable[[Gesture[C]], None],
        undo: UndoList[C] | None = None,
        origin: uuid.UUID | None = None,
    ) -> None:
        self.model = model
        self._shown = Shown(model, author, origin or uuid.uuid4())
        self._send = send
        self._listeners: list[Listener[S]] = []
        self.undo_list = undo or UndoList()
        self.undo_changed: Callable[[], object] = lambda: None
        """Called when what can be undone is another."""
        self._when_settled: list[Callable[[], object]] = []

    @property
    def state(self) -> S:
        """What is shown: confirmed, and one's own gestures on their way."""
        return self._shown.shown

    @property
    def confirmed(self) -> S:
        """What all agree on; checkpoints and digests are taken from it."""
        return self._shown.confirmed

    @property
    def pending(self) -> int:
        """How many of one's own gestures are on their way."""
        return len(self._shown.pending)

    def listen(self, listener: Listener[S]) -> None:
        """Tells `listener` from now on."""
        self._listeners.append(listener)

    def unlisten(self, listener: Listener[S]) -> None:
        """Tells `listener` no longer."""
        self._listeners.remove(listener)

    def when_settled(self, call: Callable[[], object]) -> None:
        """Calls once none of one's own gestures is on its way: at once if so, else as soon as all agree on
        what became of them."""
        self._when_settled.append(call)
        self._settle()

    def edit(self, name: str, *changes: C) -> None:
        """Makes a gesture. Raises RefusedError when nothing of it applies."""
        self.undo_list.did(self._make(name, changes))
        self.undo_changed()

    def also(self, name: str, *changes: C) -> None:
        """Makes a gesture that is no step of its own, as one that only prepares another: undo passes it by.
        Raises RefusedError when nothing of it applies."""
        self._make(name, changes)

    def did_elsewhere(self, name: str) -> Step[C]:
        """A gesture in another object is a step here too, which whoever made it takes back there."""
        step: Step[C] = Step(0, name, (), elsewhere=True)
        self.undo_list.did(step)
        self.undo_changed()
        return step

    def undo(self) -> str | None:
        """Takes back the newest of one's own gestures that can be; its name, or None when there is none, or
        nothing when it was told why none can be. What others did since to the same things stays."""
        undo = self.undo_list
        return self._again(undo.take_undo, undo.undid, undo.redid)

    def redo(self) -> str | None:
        """Does again what was undone last; its name, or None when there is nothing."""
        undo = self.undo_list
        return self._again(undo.take_redo, undo.redid, undo.undid)

    def start(self, state: S | None) -> None:
        """The channel initialized this replica."""
        before = self.state
        self._shown.start(state)
        self._tell(before)

    def receive(self, gesture: Gesture[C]) -> Settled[C]:
        """The channel delivered a gesture."""
        before = self.state
        settled = self._shown.receive(gesture)
        if settled.own:
            own = covered(self.model, self.confirmed, settled.inverse)
            self.undo_list.confirm(gesture.number, settled.inverse, own)
            self.undo_changed()
            for why in dict.fromkeys(settled.refused):
                self._say(f"{gesture.name}: {why}")
        self._tell(before)
        self._settle()
        return settled

    def lost(self, number: int) -> None:
        """The channel will not deliver a gesture of ours."""
        before = self.state
        gesture = self._shown.drop(number)
        if gesture is not None:
            self.undo_list.confirm(number, ())
            self.undo_changed()
            self._tell(before)
            self._say(f"“{gesture.name}” could not be kept")
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
        return Step(gesture.number, name, inverse, covered(self.model, self.state, inverse))

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
            give_back(step)  # as if it had not been taken
            raise
        self.undo_changed()
        return step.name

    def _left(self, step: Step[C]) -> tuple[tuple[C, ...], tuple[str, ...]]:
        return uncovering(self.model, self.state, step.inverse, step.own)

    def _tell(self, before: S) -> None:
        if before is not self.state:
            for listener in tuple(self._listeners):
                listener.changed(before, self.state)

    def _settle(self) -> None:
        while self._when_settled and not self.pending:
            self._when_settled.pop(0)()

    def _say(self, message: str) -> None:
        for listener in tuple(self._listeners):
            listener.told(message)
