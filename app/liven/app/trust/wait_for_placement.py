"""Waiting until the window manager has placed a window. A dialog opened earlier would appear beside it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QWidget

PATIENCE_MS = 1000
"""Time limit; a window may never appear, such as one that starts minimized."""


def when_placed(window: QWidget | None, owner: QObject, then: Callable[[], object]) -> None:
    """Call `then` once `window` is visible on the screen, if `owner` still exists. Call it at once if the
    window is visible already or None."""
    handle = None if window is None else window.windowHandle()
    if handle is None or handle.isExposed():
        then()
    else:
        _Waiting(handle, owner, then)


class _Waiting(QObject):
    """The wait itself. A window manager places a window before exposing it."""

    def __init__(self, handle: QWindow, owner: QObject, then: Callable[[], object]) -> None:
        super().__init__(owner)
        self._handle = handle
        self._then: Callable[[], object] | None = then
        QTimer.singleShot(PATIENCE_MS, self, self._done)
        handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Continue after the window has handled its expose event, when it knows its position."""
        if event.type() == QEvent.Type.Expose and self._handle.isExposed():
            QTimer.singleShot(0, self, self._done)
        return super().eventFilter(watched, event)

    def _done(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()
            self.deleteLater()
