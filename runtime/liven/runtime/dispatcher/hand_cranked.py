"""The hand-cranked dispatcher: time passes only when a test says so."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

from liven.runtime.dispatcher.base import BaseDispatcher, Watch
from liven.runtime.dispatcher.dispatcher import Action, check_delay
from liven.runtime.problems import Problem, Report

_ENDLESS = 100_000


def _raise(problem: Problem) -> None:
    raise AssertionError(f"{problem}\n{problem.detail}")


class HandCranked(BaseDispatcher):
    """A dispatcher with a virtual clock. Without a `report`, a problem fails the test that cranks."""

    def __init__(self, report: Report = _raise) -> None:
        super().__init__(report)
        self._clock = 0.0
        self._watched_fds: list[tuple[int, bool, Callable[[], None], Watch]] = []

    def now(self) -> float:
        return self._clock

    def watch_fd(self, fd: int, action: Action, *, write: bool = False) -> Watch:
        self._check_thread("watch_fd")
        select.select([fd], [], [], 0)  # an invalid descriptor is refused here, not at some later turn
        watch = Watch(lambda: self._forget(watch))
        self._watched_fds.append((fd, write, self._watched(action), watch))
        return watch

    def crank(self) -> None:
        """Run one turn at the present moment, descriptors first."""
        self._poll(0.0)
        self._turn()

    def settle(self) -> None:
        """Run turns until nothing is left to do at the present moment."""
        for _ in range(_ENDLESS):
            self._poll(0.0)
            wanted = self.timers.wanted()
            if not self._posted and (wanted is None or wanted > self._clock):
                return
            self._turn()
        raise RuntimeError(f"not quiet after {_ENDLESS} turns: a call keeps requesting itself")

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass, from one due call to the next."""
        end = self._clock + check_delay(seconds)
        self.settle()
        while (wanted := self.timers.wanted()) is not None and wanted <= end:
            self._clock = max(self._clock, wanted)
            self.settle()
        self._clock = end

    def wait(self, until: Callable[[], bool], timeout: float = 60.0) -> None:
        """Run turns while other threads or processes work, until `until` holds;
        raise TimeoutError if it never does."""
        end = time.monotonic() + timeout  # counting turns would not do: a ready descriptor makes them short
        while True:
            self.settle()
            if until():
                return
            if time.monotonic() > end:
                raise TimeoutError(f"the condition did not hold within {timeout:g} seconds")
            self._poll(0.005)

    def _poll(self, seconds: float) -> None:
        readable = [fd for fd, write, _, _ in self._watched_fds if not write]
        writable = [fd for fd, write, _, _ in self._watched_fds if write]
        can_read, can_write, _ = select.select(readable, writable, [], seconds)
        for fd, write, ready, watch in tuple(self._watched_fds):
            if watch.active and fd in (can_write if write else can_read):
                ready()

    def _forget(self, watch: Watch) -> None:
        self._watched_fds = [row for row in self._watched_fds if row[3] is not watch]

    def _arm(self) -> None:
        """Do nothing: only a test starts a turn."""

    _wake = _arm
