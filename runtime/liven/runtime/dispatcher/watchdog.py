"""The watchdog: a thread that notices a handler which does not end.

After `report_after` it reports the handler with its stack, and once more when it has ended, so that no list
of problems keeps a wait that is over. After `stop_after` it raises `HandlerInterrupted` inside it, and again
until the handler has ended, since the handler may swallow the first. Blocking C code cannot be interrupted;
the exception then arrives when the C code returns.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
import traceback
from typing import Protocol

from liven.runtime.problems import Kind, Path, Problem, Report

_TOPIC = Kind.SLOW.value


class Watched(Protocol):
    """A runner of handlers, one at a time, on one thread."""

    @property
    def thread(self) -> int: ...

    @property
    def serial(self) -> int:
        """A number that changes with each handler that starts."""

    @property
    def busy(self) -> bool:
        """True while a handler runs."""

    def running(self) -> Path:
        """The path of the running handler's object in the recipes."""

    def interrupt(self, serial: int) -> None:
        """Raise HandlerInterrupted in the handler that started with that serial, if it still runs."""


class Watchdog:
    """Checks one dispatcher's handlers a few times a second."""

    def __init__(
        self, watched: Watched, report: Report, *, report_after: float = 1.0, stop_after: float = 10.0
    ) -> None:
        self._watched = watched
        self._report = report
        self._report_after = report_after
        self._stop_after = stop_after
        self._seen = -1
        self._since = 0.0
        self._told: Path | None = None
        """The place of the handler that was reported."""
        self._stop_at = 0.0
        self._collector_held = False
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._look_on, name="liven-watchdog", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        self._release_collector()

    def look(self, now: float) -> None:
        """Check the running handler at time `now`, in seconds."""
        serial = self._watched.serial
        if not self._watched.busy or serial != self._seen:
            self._report_end(now)
            self._seen, self._since = serial, now
            self._stop_at = now + self._stop_after
            self._release_collector()
            return
        lasted = now - self._since
        if lasted >= self._report_after and self._told is None:
            self._told = self._watched.running()
            self._report(self._slow(self._told, lasted))
        if now >= self._stop_at:
            self._stop(now, serial)
        else:
            self._release_collector()

    def _stop(self, now: float, serial: int) -> None:
        """Pause the garbage collector, and strike at the next check.

        Python does not pass on an exception that is raised in one of the collector's callbacks:
        https://docs.python.org/3/library/gc.html#gc.callbacks
        """
        if gc.isenabled() and not self._collector_held:
            gc.disable()
            self._collector_held = True
            return
        self._stop_at = now + self._report_after
        self._watched.interrupt(serial)

    def _look_on(self) -> None:
        while not self._done.wait(self._report_after / 5):
            self.look(time.monotonic())

    def _release_collector(self) -> None:
        if self._collector_held:
            self._collector_held = False
            gc.enable()

    def _report_end(self, now: float) -> None:
        where, self._told = self._told, None
        if where is not None:
            what = f"the handler ended after {now - self._since:.1f} s"
            self._report(Problem(Kind.SLOW, where, what, topic=_TOPIC, is_over=True))

    def _slow(self, where: Path, lasted: float) -> Problem:
        frame = sys._current_frames().get(self._watched.thread)
        stack = "".join(traceback.format_stack(frame)) if frame is not None else ""
        return Problem(
            Kind.SLOW,
            where,
            f"a handler has been running for {lasted:.1f} s and holds up every object",
            f"do long work in `context.work(...)`; it is interrupted after {self._stop_after:g} s",
            stack,
            topic=_TOPIC,
        )
