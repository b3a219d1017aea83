"""A question in a bar above the contents of a window, with two buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow, QPushButton, QSizePolicy, QToolBar

from liven.liveobjects.look.view.labels import plain_label


class PromptBar(QToolBar):
    """A bar that stays until the user answers and blocks nothing meanwhile."""

    def __init__(
        self,
        window: QMainWindow,
        words: str,
        yes: str,
        accepted: Callable[[], object],
        refused: Callable[[], object] = lambda: None,
        *,
        no: str,
    ) -> None:
        super().__init__("Offer", window)
        self.setObjectName("offer")
        self.setMovable(False)
        self._refused = refused
        self._accepted = accepted
        label = plain_label(words)
        label.setWordWrap(True)
        label.setMargin(6)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        accept, refuse = QPushButton(yes), QPushButton(no)
        accept.clicked.connect(self._accept)
        refuse.clicked.connect(self._refuse)
        for widget in (label, accept, refuse):
            self.addWidget(widget)
        window.addToolBar(self)

    def _refuse(self) -> None:
        self.deleteLater()
        self._refused()

    def _accept(self) -> None:
        self.deleteLater()
        self._accepted()
