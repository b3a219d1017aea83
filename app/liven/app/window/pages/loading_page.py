"""The page shown while an object is loading, with its progress and a button to cancel."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QVBoxLayout, QWidget

from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.view.accessibility import is_motion_reduced

_WIDTH = 320


class LoadingPage(QWidget):
    """A sentence, a progress bar and a button; `cancelled` is emitted when the user presses it."""

    cancelled = Signal()

    def __init__(self, words: str) -> None:
        super().__init__()
        self._said = plain_label(words)
        self._said.setWordWrap(True)
        self._said.setMinimumWidth(_WIDTH)  # a label with wrapped text asks for almost no width
        self._said.setAlignment(Qt.AlignmentFlag.AlignCenter)
        bar = QProgressBar()
        bar.setRange(0, 1 if is_motion_reduced() else 0)  # a bar without a range is animated
        bar.setTextVisible(False)
        bar.setFixedWidth(_WIDTH)
        stop = _Cancel("Cancel")
        stop.clicked.connect(self.cancelled)
        layout = QVBoxLayout(self)
        layout.addStretch(1)
        for widget in (self._said, bar, stop):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(1)

    def say(self, words: str) -> None:
        """Show a new sentence."""
        self._said.setText(words)


class _Cancel(QPushButton):
    """A button that ignores clicks just after it appears.

    When you double-click a button of a dialog above the window, the dialog closes at the first click and the
    second one lands here.
    """

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self._new = QTimer(self, singleShot=True, interval=QApplication.doubleClickInterval())

    def showEvent(self, event: QShowEvent) -> None:
        """Start ignoring clicks, and watch for dialogs above the window that close."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._new.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ignore clicks for a moment when a dialog above the window closes."""
        if event.type() == QEvent.Type.WindowUnblocked:
            self._new.start()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ignore the press if it comes too soon to be meant for this button."""
        if not self._new.isActive():
            super().mousePressEvent(event)
