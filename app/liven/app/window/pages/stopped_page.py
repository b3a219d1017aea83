"""The page shown for an object that stopped: a picture of it at a third, and over it a card with the reason
and the buttons for what one can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QMargins, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from liven.liveobjects.look.tokens import ISLAND_RADIUS
from liven.liveobjects.look.view.labels import brief, plain_label
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.shade import paint_shadow
from liven.liveobjects.look.view.signs import Sign, paint_sign

_LONGEST = 2000
"""The most characters of the reason."""
_WIDEST: Final = 560
_FADED: Final = 0.33
_MARGINS: Final = QMargins(52, 20, 24, 20)
_RIM: Final = 32


class StoppedPage(QWidget):
    """A page for a stopped object. `again` restarts it; None if it cannot be restarted. With `details`, a
    button shows its problems. One that `failed` has a red edge."""

    def __init__(
        self,
        words: str,
        again: Callable[[], object] | None,
        picture: QPixmap | None = None,
        details: Callable[[], object] | None = None,
        *,
        failed: bool = False,
    ) -> None:
        super().__init__()
        self._picture = picture
        self._failed = failed
        if picture is not None:
            self.setAccessibleDescription("Its last picture is shown faded.")
        self._card = QWidget(self)
        self._card.setMaximumWidth(_WIDEST)
        column = QVBoxLayout(self._card)
        column.setContentsMargins(_MARGINS)
        column.setSpacing(14)
        label = plain_label(brief(words, _LONGEST))
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(label)
        buttons = QHBoxLayout()
        if again is not None:
            self.setFocusProxy(_added(buttons, "&Restart", again))
        if details is not None:
            _added(buttons, "&Details", details)
        buttons.addStretch(1)
        if again is not None or details is not None:
            column.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_RIM, _RIM, _RIM, _RIM)
        layout.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._card, 100)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(0 if picture is not None else 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture, and the card with its shadow."""
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self.palette().window())
        if self._picture is not None:
            painter.setOpacity(_FADED)
            painter.drawPixmap(0, 0, self._picture)
            painter.setOpacity(1)
        if self._failed:
            paint_line_inside(painter, QRectF(self.rect()), 0, look.bad, 2)
        area = QRectF(self._card.geometry())
        paint_shadow(painter, area, look.shadows.popover, ISLAND_RADIUS)
        paint_box(painter, area, ISLAND_RADIUS, look.popover, look.popover_edge, look.edge_width)
        sign, tone = (Sign.PROBLEM, look.bad) if self._failed else (Sign.PAUSE, look.quiet)
        seat = QRectF(area.left() + 18, area.top() + _MARGINS.top(), 20, 20)
        paint_sign(painter, seat, sign, 18, tone)
        painter.end()


def _added(row: QHBoxLayout, words: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(words)
    button.clicked.connect(lambda: act())
    row.addWidget(button)
    return button
