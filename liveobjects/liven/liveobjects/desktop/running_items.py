"""The items of a desktop that run: those in view, started and stopped as the view moves.

The canvas says which items it wants. A wanted item is dereferenced; an item that is no longer wanted keeps
running for a while, so that panning back and forth does not restart it. An item that could not be built says
why; it is tried again when it is wanted anew or its recipe changes."""

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
"""Seconds that an item keeps running out of view."""
DECLINED = "you did not allow it; double-click to be asked again"
_FAULT = "it stopped because of a fault; the problems panel says more"
AT_ONCE = 8
"""Items that are dereferenced at a time; the others wait."""


@dataclass(frozen=True, slots=True)
class Loading:
    """The item is being built."""


@dataclass(frozen=True, slots=True)
class Running:
    """The item runs. `shown` is its user interface, or None if it has none."""

    shown: Shown | None


@dataclass(frozen=True, slots=True)
class Failed:
    """The item could not be built, or has stopped."""

    why: str
    declined: bool = False
    """True if the user did not allow its code to run. Only a restart asks again, not panning."""


Presence = Loading | Running | Failed


class _RunningItem:
    """One item that runs, is being built, or has failed."""

    def __init__(self, item: Item) -> None:
        self.reference = item.reference
        self.presence: Presence = Loading()
        self.asked: Reply[ProxyHandle] | None = None
        self.handle: ProxyHandle | None = None
        self.leaving: Entry | None = None
        self.release: Callable[[], None] = lambda: None


class RunningItems:
    """Runs the items that are wanted. `changed` is called with the key of each item whose status changes."""

    def __init__(
        self, context: Context, changed: Callable[[str], None], *, allowed: Callable[[], bool] = lambda: True
    ) -> None:
        """While `allowed` returns False, no item is started."""
        self._context = context
        self._allowed = allowed
        self._changed = changed
        self._items: dict[str, _RunningItem] = {}
        self._waiting: dict[str, Item] = {}
        self._next: Entry | None = None
        self._steps: dict[str, tuple[str, str]] = {}
        """The label or kind of each item when it started, and its path step, by key."""

    def path_step(self, key: str) -> str:
        """Return the path step by which problems identify an item; empty if it never started. Steps are
        unique."""
        return self._steps.get(key, ("", ""))[1]

    def recipe(self, key: str) -> str:
        """Return the recipe that an item was started from; empty if it was not started."""
        running = self._items.get(key)
        return "" if running is None else running.reference

    def presence(self, key: str) -> Presence | None:
        """Return the status of an item; None if it was not started."""
        if key in self._waiting:
            return Loading()
        running = self._items.get(key)
        return None if running is None else running.presence

    def handle(self, key: str) -> ProxyHandle | None:
        """Return the object of an item that runs."""
        running = self._items.get(key)
        return None if running is None else running.handle

    @property
    def queued(self) -> tuple[str, ...]:
        """The items that are wanted and wait to be built."""
        return tuple(self._waiting)

    @property
    def running(self) -> int:
        """The number of running items."""
        return sum(running.handle is not None for running in self._items.values())

    def want(self, items: Iterable[Item]) -> None:
        """Run these items and no others, starting them in this order."""
        wanted = {item.key: item for item in items}
        self._waiting.clear()
        for key in tuple(self._items):
            if key not in wanted:
                self._linger(key)
        for key, item in wanted.items():
            self._enter(key, item)
        self._admit()

    def restart(self, item: Item) -> None:
        """Restart an item."""
        self.remove(item.key)
        self._enter(item.key, item)
        self._admit()

    def remove(self, key: str) -> None:
        """Stop an item immediately."""
        self._waiting.pop(key, None)
        running = self._items.pop(key, None)
        if running is not None:
            self._end(running)
            self._changed(key)
            self._admit()

    def forget(self, key: str) -> None:
        """Release the path step of an item that was removed from the desktop."""
        self._steps.pop(key, None)

    def close(self) -> None:
        """Stop everything."""
        for key in tuple(self._items):
            self.remove(key)
        self._waiting.clear()

    def _enter(self, key: str, item: Item) -> None:
        if not self._allowed():
            return
        running = self._items.get(key)
        if running is not None and running.reference != item.reference:
            self.remove(key)
            running = None
        if running is None:
            self._waiting.setdefault(key, item)
        elif running.leaving is not None:
            running.leaving.cancel()
            running.leaving = None

    def _admit(self) -> None:
        """Start one item per turn of the event loop, so that painting and typing do not wait for all of
        them."""
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
        return sum(running.asked is not None for running in self._items.values())

    def _begin(self, key: str, item: Item) -> None:
        running = self._items[key] = _RunningItem(item)
        self._changed(key)
        asked = running.asked = self._context.dereference(item.reference, self._named(item))
        asked.then(lambda done: self._ready(key, running, done))

    def _named(self, item: Item) -> str:
        """Return the path step of an item: its label or kind, numbered if another item has the same."""
        called = item.label or kind_of(item.reference)
        known = self._steps.get(item.key)
        if known is None or known[0] != called:
            taken = {step for key, (_, step) in self._steps.items() if key != item.key}
            steps = (called, *(f"{called} {number}" for number in range(2, len(taken) + 3)))
            known = self._steps[item.key] = called, next(step for step in steps if step not in taken)
        return known[1]

    def _ready(self, key: str, running: _RunningItem, done: Reply[ProxyHandle]) -> None:
        if self._items.get(key) is not running:
            return
        running.asked = None
        if done.error is not None:
            running.presence = _failed(done.error)
        else:
            running.handle = done.value()
            running.presence = self._take_in(key, running, running.handle)
        self._changed(key)
        self._admit()

    def _take_in(self, key: str, running: _RunningItem, handle: ProxyHandle) -> Presence:
        handle.on_end(lambda _: self._gone(key, running))
        if not any(end.type.local for end in handle.endpoints.values()):
            return Running(None)
        showing = self._context.show(handle, lambda: None)
        forget = keep_undo(self._context, running.reference, showing.shown.model)

        def release() -> None:
            forget()
            showing.close()

        running.release = release
        return Running(showing.shown)

    def _gone(self, key: str, running: _RunningItem) -> None:
        if self._items.get(key) is running and running.handle is not None:
            failed, why = running.handle.failed, running.handle.failure
            self._end(running)
            running.presence = Failed((why or _FAULT) if failed else "it has ended")
            self._changed(key)

    def _linger(self, key: str) -> None:
        running = self._items[key]
        if isinstance(running.presence, Failed) and running.presence.declined:
            return  # panning does not ask again
        if isinstance(running.presence, Running):
            if running.leaving is None:
                running.leaving = self._context.call_later(LINGER, lambda: self._left(key, running))
        else:
            self.remove(key)

    def _left(self, key: str, running: _RunningItem) -> None:
        if self._items.get(key) is running and running.leaving is not None:
            self.remove(key)

    def _end(self, running: _RunningItem) -> None:
        if running.leaving is not None:
            running.leaving.cancel()
            running.leaving = None
        if running.asked is not None:
            running.asked.cancel()
        running.release()
        running.release = lambda: None
        handle, running.handle = running.handle, None
        if handle is not None:
            handle.close()


def _failed(error: Exception) -> Failed:
    if isinstance(error, DereferenceError) and error.kind is Kind.DECLINED:
        return Failed(DECLINED, declined=True)
    return Failed(str(error))
