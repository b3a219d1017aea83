"""The key Alt, pressed and released alone: it opens the menus where no menu bar is seen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

_ENDS = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.Wheel,
    QEvent.Type.WindowDeactivate,
    QEvent.Type.ShortcutOverride,
)
"""Events after which Alt was not alone."""


class MenuKey(QObject):
    """Listens to Alt in one window."""

    def __init__(self, window: QWidget, pressed: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._pressed = window, pressed
        self._alone = False

    def key_pressed(self, event: QKeyEvent) -> None:
        """Begin to listen: a key that nothing else wanted was pressed."""
        program = QApplication.instance()
        if event.key() == Qt.Key.Key_Alt and not event.isAutoRepeat() and program is not None:
            self._alone = True
            program.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the menus when Alt is released, unless something else was done meanwhile."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            if kind == QEvent.Type.KeyRelease and not event.isAutoRepeat() and self._alone:
                self._stop()
                self._pressed()
        elif kind in _ENDS:
            self._stop()
        return super().eventFilter(watched, event)

    def _stop(self) -> None:
        self._alone = False
        program = QApplication.instance()
        if program is not None:
            program.removeEventFilter(self)
