"""The page shown for an object that stopped: the reason, a picture of it, and a button to restart it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from liven.liveobjects.look.view.labels import brief, plain_label

_LONGEST = 2000
"""The most characters of the reason."""


class StoppedPage(QWidget):
    """A page for a stopped object. `again` restarts it; None if it cannot be restarted."""

    def __init__(
        self, words: str, again: Callable[[], object] | None, picture: QPixmap | None = None
    ) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        if picture is None:
            layout.addStretch(1)
        label = plain_label(brief(words, _LONGEST))
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setContentsMargins(40, 12, 40, 12)
        layout.addWidget(label)
        if again is not None:
            button = QPushButton("&Restart")
            button.clicked.connect(lambda: again())
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            self.setFocusProxy(button)
        if picture is not None:
            layout.addWidget(_shown(picture), 1)
        else:
            layout.addStretch(1)


def _shown(picture: QPixmap) -> QScrollArea:
    """Return the picture, greyed out because it is not live."""
    label = plain_label()
    label.setAccessibleName("Last picture")
    label.setPixmap(picture)
    label.setEnabled(False)
    scroll = QScrollArea()
    scroll.setAccessibleName("Last picture")
    scroll.setWidget(label)
    return scroll
