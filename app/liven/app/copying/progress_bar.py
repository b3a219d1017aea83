"""What is seen while an object is copied with all that lies in it: how far it has come, and a way to stop."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow, QProgressBar, QPushButton, QToolBar

from liven.liveobjects.view.labels import plain_label


class CopyingBar(QToolBar):
    """Above what the window shows; interrupts nothing."""

    def __init__(self, window: QMainWindow, words: str, stop: Callable[[], object]) -> None:
        super().__init__("Copying", window)
        self.setObjectName("copying")
        self.setMovable(False)
        label = plain_label(words)
        label.setMargin(6)
        self._bar = QProgressBar()
        self._bar.setMaximumWidth(320)
        self._bar.setAccessibleName("Things copied")
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(lambda: stop())
        for widget in (label, self._bar, cancel):
            self.addWidget(widget)
        window.addToolBar(self)

    def count(self, had: int, of: int) -> None:
        """So many things of so many have said what they hold."""
        self._bar.setRange(0, of)
        self._bar.setValue(had)

    def end(self) -> None:
        """It is over."""
        self.hide()
        self.deleteLater()
