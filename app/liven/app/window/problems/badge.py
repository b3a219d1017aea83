"""The badge in the corner of a window whose object has problems."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QMainWindow, QToolButton

from liven.liveobjects.look.view.labels import plain_tip

_MARGIN = 8


class ProblemBadge(QToolButton):
    """A button over the upper right corner of the window's contents; hidden while there are no problems."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("badge")
        window.installEventFilter(self)
        self.hide()

    def count(self, problems: int) -> None:
        """Show the number of problems."""
        self.setText(f"⚠ {problems}")
        words = f"{problems} {'problem' if problems == 1 else 'problems'} with this object; click for details"
        self.setToolTip(plain_tip(words))
        self.setAccessibleName(words)
        self.setVisible(problems > 0)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the badge in its corner when the window changes."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        elif event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            QTimer.singleShot(0, self, self._place)  # after the window's layout
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        shown = self._window.centralWidget()
        if shown is not None and not self.isHidden():
            area = shown.geometry()
            self.adjustSize()
            self.move(area.right() - self.width() - _MARGIN, area.top() + _MARGIN)
            self.raise_()
