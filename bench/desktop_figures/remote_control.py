"""A watcher that records the paints of a program, and a robot that drives it by commands."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication, QWidget

Say = Callable[[str, float], None]


class PaintWatch(QObject):
    """Records paints, and the start of the engine."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say
        self._shown: set[int] = set()
        self.text: str | None = None

    def watch_engine(self, channels: Any) -> None:
        """Report the time that the engine and the log took to start."""
        started = channels._started

        def timed(self_: Any, node: Any) -> Any:
            begin = time.monotonic()
            made = started(self_, node)
            self._say("engine", time.monotonic() - begin)
            return made

        channels._started = timed

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            self._painted(watched)
        return False

    def _painted(self, widget: QWidget) -> None:
        window = widget.window()
        if getattr(window, "view", None) is not None and id(window) not in self._shown:
            self._shown.add(id(window))
            self._say("painted", time.monotonic())
            self._say("spent", time.process_time())
            self._say("modules", len(sys.modules))
        if self.text is not None:
            page: Any = widget.parent()
            if type(page).__name__ == "NoteEditor" and page.toPlainText() != self.text:
                self.text = page.toPlainText()
                self._say("seen", time.monotonic())


def windows() -> list[Any]:
    """Return all windows of the program that show an object, or will."""
    return [one for one in QApplication.topLevelWidgets() if hasattr(one, "insertion")]


class RemoteControl(QObject):
    """Carries out commands, one line each."""

    def __init__(self, eye: PaintWatch, say: Say) -> None:
        super().__init__()
        self._eye = eye
        self._say = say
        self._heard = bytearray()
        self._ear = QSocketNotifier(0, QSocketNotifier.Type.Read)
        self._ear.activated.connect(lambda *_: self._hear())

    def _hear(self) -> None:
        came = os.read(0, 65536)
        self._heard += came or b"close\n"
        while b"\n" in self._heard:
            line, _, rest = bytes(self._heard).partition(b"\n")
            self._heard[:] = rest
            word, _, number = line.decode().partition(" ")
            self._do(word, int(number or 0))

    def _do(self, word: str, number: int) -> None:
        if word in ("fill", "ready", "complete", "pan"):
            from desktop_figures import large_desktop  # the desktop's own view, which a note does not need

            getattr(large_desktop, word)(windows, self._say, number)
        elif word in ("crowd", "first", "drag", "enter"):
            from desktop_figures import crowded_board

            qt = QApplication.instance()
            assert qt is not None
            qt.removeEventFilter(self._eye)  # it would cost more than what is measured
            getattr(crowded_board, word)(windows, self._say, number)
        else:
            getattr(self, f"_{word}")()

    def _type(self) -> None:
        from PySide6.QtTest import QTest

        [page] = [w for w in (one.centralWidget() for one in windows()) if type(w).__name__ == "NoteEditor"]
        self._say("typed", time.monotonic())
        QTest.keyClick(page, "x")  # type: ignore[call-overload]  # its stub wants a key

    def _watch(self) -> None:
        self._eye.text = ""
        self._say("watching", time.monotonic())

    def _close(self) -> None:
        for window in windows():
            window.close()
