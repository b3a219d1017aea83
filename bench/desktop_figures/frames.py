"""Frames of a canvas, each begun by a timer, so that the loop can do its work between them."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from liven.liveobjects.desktop.view.canvas.canvas import Canvas

FRAME_MS = 16


class Frames(QObject):
    """Takes so many steps, paints after each, and keeps the times. Then it calls `done`."""

    def __init__(
        self, canvas: Canvas, step: Callable[[int], object], count: int, done: Callable[[Frames], object]
    ) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._step = step
        self._count = count
        self._done = done
        self.wall: list[float] = []
        """Seconds of each step with its paint."""
        self.spent: list[float] = []
        """The same in processor seconds of this thread."""
        self.between: list[float] = []
        """Processor seconds of this thread between two frames."""
        self._left_at: float | None = None
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._frame)
        self._timer.start()

    def _frame(self) -> None:
        begin, used = time.perf_counter(), time.thread_time()
        if self._left_at is not None:
            self.between.append(used - self._left_at)
        self._step(len(self.wall))
        self._canvas.repaint()
        self.wall.append(time.perf_counter() - begin)
        self.spent.append(time.thread_time() - used)
        if len(self.wall) == self._count:
            self._timer.stop()
            self._done(self)
        self._left_at = time.thread_time()


def p95(times: list[float]) -> float:
    """Return the milliseconds that 95 of 100 do not exceed."""
    return sorted(times)[int(len(times) * 0.95)] * 1000
