"""The stage of a desktop: of the things that lie on it, those in view run.

Who shows the desktop says which things are wanted. A wanted thing is dereferenced; one that is wanted no
longer runs on for a while, so that panning back and forth starts and ends nothing. What could not be built
says why, and is tried again when it is wanted anew or its recipe changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.icons.object_kind import kind_of
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import DereferenceError
from liven.runtime.fold import keep_undo
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import Shown
from liven.runtime.problems import Kind

LINGER = 5.0
"""Seconds that a thing runs on when it is out of view."""
DECLINED = "you did not allow it; a double click asks again"
AT_ONCE = 8
"""Things that are being dereferenced at one time; the others wait for their turn."""


@dataclass(frozen=True, slots=True)
class Loading:
    """It is being built."""


@dataclass(frozen=True, slots=True)
class Running:
    """It runs; `shown` is what it shows, or None for an object without a user interface."""

    shown: Shown | None


@dataclass(frozen=True, slots=True)
class Failed:
    """It could not be built, or has ended."""

    why: str
    declined: bool = False
    """Whether its person did not allow its code. They are asked again when they begin it anew, and not by
    looking there once more."""


Presence = Loading | Running | Failed


class _Actor:
    """One thing on the stage."""

    def __init__(self, item: Item) -> None:
        self.reference = item.reference
        self.presence: Presence = Loading()
        self.asked: Reply[ProxyHandle] | None = None
        self.handle: ProxyHandle | None = None
        self.leaving: Entry | None = None
        self.let_go: Callable[[], None] = lambda: None


class Stage:
    """Runs the things that are wanted. `changed` is told of each key whose presence is another."""

    def __init__(self, context: Context, changed: Callable[[str], None]) -> None:
        self._context = context
        self._changed = changed
        self._actors: dict[str, _Actor] = {}
        self._waiting: dict[str, Item] = {}
        self._next: Entry | None = None
        self._steps: dict[str, tuple[str, str]] = {}
        """By key: what a thing was called when it began, and the step of its path."""

    def step(self, key: str) -> str:
        """By what step of a path problems mean a thing; empty for one that never began. No two share one."""
        return self._steps.get(key, ("", ""))[1]

    def recipe(self, key: str) -> str:
        """The recipe that a thing on stage was begun from; empty for another."""
        actor = self._actors.get(key)
        return "" if actor is None else actor.reference

    def presence(self, key: str) -> Presence | None:
        """What is known of a thing; None for one that is not on stage."""
        if key in self._waiting:
            return Loading()
        actor = self._actors.get(key)
        return None if actor is None else actor.presence

    @property
    def queued(self) -> tuple[str, ...]:
        """What is wanted, and waits for its turn to be built."""
        return tuple(self._waiting)

    @property
    def running(self) -> int:
        """How many things run."""
        return sum(actor.handle is not None for actor in self._actors.values())

    def want(self, items: Iterable[Item]) -> None:
        """These things, and no others, are to run; those that come first are begun first."""
        wanted = {item.key: item for item in items}
        self._waiting.clear()
        for key in tuple(self._actors):
            if key not in wanted:
                self._linger(key)
        for key, item in wanted.items():
            self._enter(key, item)
        self._admit()

    def again(self, item: Item) -> None:
        """Tries a thing that failed once more."""
        self.remove(item.key)
        self._enter(item.key, item)
        self._admit()

    def remove(self, key: str) -> None:
        """Ends a thing at once."""
        self._waiting.pop(key, None)
        actor = self._actors.pop(key, None)
        if actor is not None:
            self._end(actor)
            self._changed(key)
            self._admit()

    def forget(self, key: str) -> None:
        """It was taken off the desktop: its step may be another's."""
        self._steps.pop(key, None)

    def close(self) -> None:
        """Ends everything."""
        for key in tuple(self._actors):
            self.remove(key)
        self._waiting.clear()

    def _enter(self, key: str, item: Item) -> None:
        actor = self._actors.get(key)
        if actor is not None and actor.reference != item.reference:
            self.remove(key)
            actor = None
        if actor is None:
            self._waiting.setdefault(key, item)
        elif actor.leaving is not None:
            actor.leaving.cancel()
            actor.leaving = None

    def _admit(self) -> None:
        """Begins one thing a turn, so that what is painted and typed meanwhile does not wait for all."""
        if self._next is None and self._waiting and self._loading < AT_ONCE:
            self._next = self._context.call_soon(self._admit_one)

    def _admit_one(self) -> None:
        self._next = None
        if self._waiting:
            key = next(iter(self._waiting))
            self._begin(key, self._waiting.pop(key))
        self._admit()

    @property
    def _loading(self) -> int:
        return sum(actor.asked is not None for actor in self._actors.values())

    def _begin(self, key: str, item: Item) -> None:
        actor = self._actors[key] = _Actor(item)
        self._changed(key)
        asked = actor.asked = self._context.dereference(item.reference, self._named(item))
        asked.then(lambda done: self._ready(key, actor, done))

    def _named(self, item: Item) -> str:
        """The step of a thing's path: its label or its kind, with a number where another is called so."""
        called = item.label or kind_of(item.reference)
        known = self._steps.get(item.key)
        if known is None or known[0] != called:
            taken = {step for key, (_, step) in self._steps.items() if key != item.key}
            steps = (called, *(f"{called} {number}" for number in range(2, len(taken) + 3)))
            known = self._steps[item.key] = called, next(step for step in steps if step not in taken)
        return known[1]

    def _ready(self, key: str, actor: _Actor, done: Reply[ProxyHandle]) -> None:
        if self._actors.get(key) is not actor:
            return
        actor.asked = None
        if done.error is not None:
            actor.presence = _failed(done.error)
        else:
            actor.handle = done.value()
            actor.presence = self._take_in(key, actor, actor.handle)
        self._changed(key)
        self._admit()

    def _take_in(self, key: str, actor: _Actor, handle: ProxyHandle) -> Presence:
        handle.on_end(lambda _: self._gone(key, actor))
        if not any(end.type.local for end in handle.endpoints.values()):
            return Running(None)
        showing = self._context.show(handle, lambda: None)
        forget = keep_undo(self._context, actor.reference, showing.shown.model)

        def let_go() -> None:
            forget()
            showing.close()

        actor.let_go = let_go
        return Running(showing.shown)

    def _gone(self, key: str, actor: _Actor) -> None:
        if self._actors.get(key) is actor and actor.handle is not None:
            failed = actor.handle.failed
            self._end(actor)
            actor.presence = Failed("it stopped because of a fault" if failed else "it has ended")
            self._changed(key)

    def _linger(self, key: str) -> None:
        actor = self._actors[key]
        if isinstance(actor.presence, Failed) and actor.presence.declined:
            return  # nobody is asked again by panning
        if isinstance(actor.presence, Running):
            if actor.leaving is None:
                actor.leaving = self._context.call_later(LINGER, lambda: self._left(key, actor))
        else:
            self.remove(key)

    def _left(self, key: str, actor: _Actor) -> None:
        if self._actors.get(key) is actor and actor.leaving is not None:
            self.remove(key)

    def _end(self, actor: _Actor) -> None:
        if actor.leaving is not None:
            actor.leaving.cancel()
            actor.leaving = None
        if actor.asked is not None:
            actor.asked.cancel()
        actor.let_go()
        actor.let_go = lambda: None
        handle, actor.handle = actor.handle, None
        if handle is not None:
            handle.close()


def _failed(error: Exception) -> Failed:
    if isinstance(error, DereferenceError) and error.kind is Kind.DECLINED:
        return Failed(DECLINED, declined=True)
    return Failed(str(error))
