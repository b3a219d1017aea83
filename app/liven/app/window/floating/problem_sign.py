"""The sign that counts problems; hidden while there are none."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from liven.app.window.problems.panel import ProblemsPanel
from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.buttons import ToolButton
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.look.view.letters import sized
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.signs import Sign, paint_sign

_MOST_SHOWN = 99


class ProblemSign(ToolButton):
    """A triangle with the number of problems that nobody has seen, or else of all."""

    def __init__(self, problems: ProblemsPanel) -> None:
        super().__init__("Problems", size=34, drawing=self._draw)
        self.setFixedWidth(40)
        self._problems = problems
        self.shown = 0
        problems.counted.connect(self.count)
        self.count(0)

    def count(self, unseen: int) -> None:
        """Show how many problems there are."""
        listed = self._problems.listed
        self.shown = unseen or listed
        words = f"{listed} problem{'' if listed == 1 else 's'}, {unseen or 'none'} new; click to show them"
        self.setToolTip(plain_tip(words))
        self.setAccessibleDescription(words if listed else "")
        self.setVisible(bool(listed))
        self.update()

    def _draw(self, painter: QPainter, area: QRectF, look: Look) -> None:
        del area
        paint_sign(painter, QRectF(2, 0, 34, 34), Sign.PROBLEM, 18, look.bad)
        text = str(self.shown) if self.shown <= _MOST_SHOWN else f"{_MOST_SHOWN}+"
        wide = 15.0 + 6 * (len(text) - 1)
        pill = QRectF(38 - wide, 2, wide, 15)
        paint_box(painter, pill.adjusted(-1.5, -1.5, 1.5, 1.5), 9, look.island)
        paint_box(painter, pill, 7.5, look.bad)
        painter.setFont(sized(10, 700))
        painter.setPen(QColor(look.island))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
