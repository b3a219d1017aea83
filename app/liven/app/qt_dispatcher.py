"""The dispatcher on Qt's event loop, for programs with windows. Qt runs the loop and calls us."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer, Signal

from liven.runtime.dispatcher.base import BaseDispatcher, Watch
from liven.runtime.dispatcher.dispatcher import Action
from liven.runtime.problems import Report


class _Bell(QObject):
    """A wake-up that any thread can send and the thread that made it receives."""

    rung = Signal()


class QtDispatcher(BaseDispatcher):
    """A dispatcher on the event loop of the thread that creates it, which must be the window thread."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._turn)
        self._bell = _Bell()
        self._bell.rung.connect(self._turn, Qt.ConnectionType.QueuedConnection)
        self._notifiers: dict[tuple[int, bool], tuple[QSocketNotifier, Watch]] = {}

    def now(self) -> float:
        return time.monotonic()

    def watch_fd(self, fd: int, action: Action, *, write: bool = False) -> Watch:
        self._check_thread("watch_fd")
        os.fstat(fd)  # an invalid descriptor raises here; Qt would only warn
        key = (fd, write)
        if key in self._notifiers:
            raise ValueError(f"descriptor {fd} is already watched; cancel that entry first")
        kind = QSocketNotifier.Type.Write if write else QSocketNotifier.Type.Read
        notifier = QSocketNotifier(fd, kind)
        notifier.activated.connect(self._watched(action))
        watch = Watch(lambda: self._unwatch(key))
        self._notifiers[key] = (notifier, watch)
        return watch

    def close(self) -> None:
        super().close()
        for _, watch in tuple(self._notifiers.values()):
            watch.cancel()
        self._timer.stop()

    def _unwatch(self, key: tuple[int, bool]) -> None:
        notifier, _ = self._notifiers.pop(key)
        notifier.setEnabled(False)
        notifier.deleteLater()

    def _arm(self) -> None:
        wanted = self.timers.wanted()
        if self._running or wanted is None:
            return
        # round up: Qt counts whole milliseconds, and waking too early would cost a second wake-up
        wait = max(0, int((wanted - self.now()) * 1000) + 1) if wanted != float("-inf") else 0
        if not self._timer.isActive() or self._timer.remainingTime() > wait:
            self._timer.start(min(wait, 2**31 - 1))

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the C++ object may be gone at the end of the program
            self._bell.rung.emit()
