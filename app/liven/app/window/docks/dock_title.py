"""The title of a panel: its name, and buttons that are large enough to be hit. Qt's own have 12 pixels."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QToolButton, QWidget

from liven.liveobjects.look.tokens import SMALLEST_HIT
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.signs import Sign, pixmap

NAME = "dock_title"
"""The object name by which the style sheet finds titles."""
_SIGN = 16


class DockTitle(QWidget):
    """Replaces the title bar of one dock, which Qt still moves by it."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dock = dock
        self._words = plain_label(dock.windowTitle())
        dock.windowTitleChanged.connect(self._words.setText)
        self._buttons: list[tuple[QToolButton, Sign]] = []
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 6, 4)
        row.setSpacing(2)
        row.addWidget(self._words, 1)
        features, can = dock.features(), QDockWidget.DockWidgetFeature
        if features & can.DockWidgetFloatable:
            self._add(Sign.OPEN, "Detach this panel, or put it back").clicked.connect(self._float)
        if features & can.DockWidgetClosable:
            self._add(Sign.CLOSE, "Close this panel").clicked.connect(dock.close)
        self._paint_signs()

    def changeEvent(self, event: QEvent) -> None:
        """Paint the signs in the colours of another look."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_signs()

    def _add(self, sign: Sign, words: str) -> QToolButton:
        made = QToolButton()
        made.setToolTip(plain_tip(words))
        made.setAccessibleName(words)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # as Qt's own; keys toggle panels
        made.setIconSize(QSize(_SIGN, _SIGN))
        made.setMinimumSize(SMALLEST_HIT, SMALLEST_HIT)
        self._buttons.append((made, sign))
        self._row.addWidget(made)
        return made

    def _float(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())

    def _paint_signs(self) -> None:
        ratio, ink = self.devicePixelRatioF(), current_look().quiet
        for button, sign in self._buttons:
            button.setIcon(QIcon(pixmap(sign, _SIGN, ink, ratio)))
