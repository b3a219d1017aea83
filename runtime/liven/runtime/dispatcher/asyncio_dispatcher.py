"""The dispatcher on an asyncio loop: for programs without a screen."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from liven.runtime.dispatcher.base import BaseDispatcher, Watch
from liven.runtime.dispatcher.dispatcher import Action
from liven.runtime.problems import Report


class AsyncioDispatcher(BaseDispatcher):
    """Runs on `loop`, which its owner starts and stops."""

    def __init__(self, loop: asyncio.AbstractEventLoop, report: Report) -> None:
        super().__init__(report)
        self._loop = loop
        self._handle: asyncio.Handle | None = None
        self._due = float("inf")
        self._readers: dict[tuple[int, bool], Watch] = {}

    def now(self) -> float:
        return self._loop.time()

    def watch_fd(self, fd: int, action: Action, *, write: bool = False) -> Watch:
        self._check_thread("watch_fd")
        key = (fd, write)
        if key in self._readers:
            raise ValueError(f"descriptor {fd} is already watched; cancel that entry first")
        (self._loop.add_writer if write else self._loop.add_reader)(fd, self._watched(action))
        watch = self._readers[key] = Watch(lambda: self._unwatch(fd, write))
        return watch

    def close(self) -> None:
        super().close()
        for watch in tuple(self._readers.values()):
            watch.cancel()
        if self._handle is not None:
            self._handle.cancel()

    def _unwatch(self, fd: int, write: bool) -> None:
        del self._readers[fd, write]
        (self._loop.remove_writer if write else self._loop.remove_reader)(fd)

    def _arm(self) -> None:
        wanted = self.timers.wanted()
        if self._running or wanted is None or wanted >= self._due:
            return
        if self._handle is not None:
            self._handle.cancel()
        self._due = wanted
        if wanted == float("-inf"):
            self._handle = self._loop.call_soon(self._come)
        else:
            self._handle = self._loop.call_at(wanted, self._come)

    def _come(self) -> None:
        self._handle, self._due = None, float("inf")
        self._turn()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop was just closed
            self._loop.call_soon_threadsafe(self._turn)
