"""The bar that shows the progress of a copy, with a button to cancel it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow, QProgressBar, QPushButton, QToolBar

from liven.liveobjects.look.view.labels import plain_label


class CopyProgressBar(QToolBar):
    """A bar above the contents of a window."""

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
        """Show that `had` objects out of `of` are read."""
        self._bar.setRange(0, of)
        self._bar.setValue(had)

    def end(self) -> None:
        """Remove the bar."""
        self.hide()
        self.deleteLater()
