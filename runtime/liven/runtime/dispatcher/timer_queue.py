"""The pending calls of a dispatcher in order: the part that all dispatchers share,
so that all keep one order.

It has no clock, no file descriptor and no thread. A dispatcher asks `wanted()` when to come back, and calls
`run(now)` then.
"""

from __future__ import annotations

import heapq
import itertools
import traceback
from collections import deque

from liven.runtime.dispatcher.dispatcher import Action
from liven.runtime.problems import Kind, Problem, Report

_COMPACT_FROM = 64


class TimerEntry:
    """One pending call. Cancelling releases the function at once."""

    __slots__ = ("_action", "_queue")

    def __init__(self, action: Action, timers: TimerQueue | None = None) -> None:
        self._action: Action | None = action
        self._queue = timers

    @property
    def active(self) -> bool:
        return self._action is not None

    def cancel(self) -> None:
        if self._action is None:
            return
        self._action = None
        timers, self._queue = self._queue, None
        if timers is not None:
            timers.timer_cancelled()

    def ripen(self) -> None:
        """Mark that it has left the heap: the queue no longer counts its cancellation."""
        self._queue = None

    def take(self) -> Action | None:
        """Return the function and release it."""
        action, self._action, self._queue = self._action, None, None
        return action


class TimerQueue:
    """Calls that are ready, in the order of the requests, and calls that wait for their time."""

    __slots__ = ("_cancelled", "_ready", "_report", "_serial", "_timers", "serial")

    def __init__(self, report: Report) -> None:
        self._report = report
        self._ready: deque[TimerEntry] = deque()
        self._timers: list[tuple[float, int, TimerEntry]] = []
        self._serial = itertools.count()
        self._cancelled = 0
        self.serial = 0
        """Odd while a call runs; changes with each call. The watchdog reads it."""

    def soon(self, action: Action) -> TimerEntry:
        entry = TimerEntry(action)
        self._ready.append(entry)
        return entry

    def at(self, due: float, action: Action) -> TimerEntry:
        entry = TimerEntry(action, self)
        heapq.heappush(self._timers, (due, next(self._serial), entry))
        return entry

    def wanted(self) -> float | None:
        """Return the time when `run` next has work: minus infinity for at once, None for never."""
        if self._ready:
            return float("-inf")
        self._drop_cancelled_heads()
        return self._timers[0][0] if self._timers else None

    def run(self, now: float) -> None:
        """Run the calls that are ready or due; calls they request wait for the next turn."""
        self._ripen(now)
        for _ in range(len(self._ready)):
            action = self._ready.popleft().take()
            if action is not None:
                self.run_one(action)

    def run_one(self, action: Action) -> None:
        """Run `action` and contain its errors."""
        self.serial += 1
        try:
            action()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: one object must not end the others
            self._report(_raised(error))
        finally:
            self.serial += 1

    def timer_cancelled(self) -> None:
        """Count a timer that will not run, and clear cancelled timers out when they are most of the heap."""
        self._cancelled += 1
        if self._cancelled >= _COMPACT_FROM and self._cancelled * 2 > len(self._timers):
            self._timers = [timer for timer in self._timers if timer[2].active]
            heapq.heapify(self._timers)
            self._cancelled = 0

    def __len__(self) -> int:
        """Return the number of entries, including cancelled ones that are not yet cleared out."""
        return len(self._ready) + len(self._timers)

    def _ripen(self, now: float) -> None:
        while self._timers and self._timers[0][0] <= now:
            entry = heapq.heappop(self._timers)[2]
            if entry.active:
                entry.ripen()
                self._ready.append(entry)
            else:
                self._cancelled -= 1

    def _drop_cancelled_heads(self) -> None:
        while self._timers and not self._timers[0][2].active:
            heapq.heappop(self._timers)
            self._cancelled -= 1


def _raised(error: BaseException) -> Problem:
    """Return the problem of an action that belongs to no object."""
    return Problem(
        Kind.RAISED,
        (),
        f"a dispatched call raised {type(error).__name__}: {error}",
        "the loop goes on; the traceback names the call",
        "".join(traceback.format_exception(error)),
    )
