"""What a window shows of an object that runs no more: why, how it looked, and a button to start it again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from liven.liveobjects.view.labels import brief, plain_label


class StoppedPage(QWidget):
    """`again` starts it again; None where nobody can."""

    def __init__(
        self, words: str, again: Callable[[], object] | None, picture: QPixmap | None = None
    ) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        if picture is None:
            layout.addStretch(1)
        label = plain_label(brief(words, 400))
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setContentsMargins(40, 12, 40, 12)
        layout.addWidget(label)
        if again is not None:
            button = QPushButton("&Start it again")
            button.clicked.connect(lambda: again())
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            self.setFocusProxy(button)
        if picture is not None:
            layout.addWidget(_shown(picture), 1)
        else:
            layout.addStretch(1)


def _shown(picture: QPixmap) -> QScrollArea:
    """The picture, pale: it is not the object."""
    label = plain_label()
    label.setAccessibleName("How it looked")
    label.setPixmap(picture)
    label.setEnabled(False)
    scroll = QScrollArea()
    scroll.setAccessibleName("How it looked")
    scroll.setWidget(label)
    return scroll
