"""The common part of all dispatchers: a timer queue, calls from other threads, and no re-entry."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from liven.runtime.dispatcher.dispatcher import Action, check_delay
from liven.runtime.dispatcher.timer_queue import TimerEntry, TimerQueue
from liven.runtime.errors import WrongThreadError
from liven.runtime.problems import Report


class BaseDispatcher:
    """A dispatcher without clock, file descriptors and wake-up, which a subclass adds."""

    def __init__(self, report: Report) -> None:
        self.timers = TimerQueue(report)
        self.thread = threading.get_ident()
        """The thread that made the dispatcher and runs it."""
        self._posted: deque[Action] = deque()
        self._running = False
        self._closed = False

    def now(self) -> float:
        raise NotImplementedError

    def call_soon(self, action: Action) -> TimerEntry:
        self._check_thread("call_soon")
        entry = self.timers.soon(action)
        self._arm()
        return entry

    def call_later(self, delay: float, action: Action) -> TimerEntry:
        self._check_thread("call_later")
        entry = self.timers.at(self.now() + check_delay(delay), action)
        self._arm()
        return entry

    def post(self, action: Action) -> None:
        if not self._closed:  # a worker may finish after the loop was closed
            self._posted.append(action)
            self._wake()

    def close(self) -> None:
        """Remove all pending calls from the host's loop; later posts are dropped."""
        self._closed = True

    def _arm(self) -> None:
        """Make the loop call `_turn` when the timer queue needs it. On the dispatcher's thread."""
        raise NotImplementedError

    def _wake(self) -> None:
        """Make the loop call `_turn` soon. Any thread may call this."""
        raise NotImplementedError

    def _turn(self) -> None:
        """Run one turn. A loop that runs inside an action (a modal dialog) gets none until that ends."""
        if self._running:
            return
        self._running = True
        try:
            while self._posted:
                self.timers.soon(self._posted.popleft())
            self.timers.run(self.now())
        finally:
            self._running = False
            self._arm()

    def _watched(self, action: Action) -> Callable[[], None]:
        """Return `action` as a call of its own, contained like all others."""

        def ready() -> None:
            if not self._running:
                self._running = True
                try:
                    self.timers.run_one(action)
                finally:
                    self._running = False
                    self._arm()

        return ready

    def _check_thread(self, what: str) -> None:
        if threading.get_ident() != self.thread:
            raise WrongThreadError(what)


class Watch:
    """A watched file descriptor. `release` makes the host stop watching."""

    __slots__ = ("_release",)

    def __init__(self, release: Action) -> None:
        self._release: Action | None = release

    @property
    def active(self) -> bool:
        return self._release is not None

    def cancel(self) -> None:
        release, self._release = self._release, None
        if release is not None:
            release()
