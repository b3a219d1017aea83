"""What a window shows while its object is being opened: how far that has come, and a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QVBoxLayout, QWidget

from liven.liveobjects.view.accessibility import is_motion_reduced
from liven.liveobjects.view.labels import plain_label

_WIDTH = 320


class LoadingPage(QWidget):
    """Says a sentence, which changes; `cancelled` when the person has waited long enough."""

    cancelled = Signal()

    def __init__(self, words: str) -> None:
        super().__init__()
        self._said = plain_label(words)
        self._said.setWordWrap(True)
        self._said.setMinimumWidth(_WIDTH)  # words that are wrapped ask for next to none
        self._said.setAlignment(Qt.AlignmentFlag.AlignCenter)
        bar = QProgressBar()
        bar.setRange(0, 1 if is_motion_reduced() else 0)  # without a range, a bar runs to and fro
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
        """Opening has come to another part."""
        self._said.setText(words)


class _Cancel(QPushButton):
    """Takes no click that was begun before it could be seen: of a double click on a question that lay above,
    the second falls through to here."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self._new = QTimer(self, singleShot=True, interval=QApplication.doubleClickInterval())

    def showEvent(self, event: QShowEvent) -> None:
        """From here on it is seen; and it hears when a question above its window goes."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._new.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A question that lay above is gone."""
        if event.type() == QEvent.Type.WindowUnblocked:
            self._new.start()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press that cannot have been meant for it does nothing; the next one does."""
        if not self._new.isActive():
            super().mousePressEvent(event)
