"""Buttons of islands and popovers: tools with a sign, and buttons with words."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeySequence, QPainter, QPaintEvent

from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import BUTTON, CONTROL_RADIUS, TOOL, Look
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.pressable import Pressable
from liven.liveobjects.look.view.signs import Sign, paint_sign

Drawing = Callable[[QPainter, QRectF, Look], object]
"""Paints what a tool shows instead of a sign."""

_STROKE: Final = 1.75
_GLYPH: Final = 20.0
_PAD: Final = 10
_ARROW: Final = 14
_GAP: Final = 8
_LONGEST: Final = 320
"""Pixels of a label; a longer one is cut."""


class ToolButton(Pressable):
    """A tool: a sign, a label, or both, and perhaps an arrow for what it opens."""

    def __init__(
        self,
        name: str,
        sign: Sign | None = None,
        *,
        key: str = "",
        size: int = TOOL,
        glyph: float = _GLYPH,
        label: str = "",
        drops: bool = False,
        drawing: Drawing | None = None,
    ) -> None:
        """Make a tool. `name` is what screen readers and the tool tip say, with the `key` that does the same;
        with `drops`, an arrow tells that it opens something."""
        super().__init__()
        self.sign = sign
        self._name = name
        self._side, self._glyph, self._drops, self._drawing = size, glyph, drops, drawing
        self.setText(label)
        self.setAccessibleName(name)
        self.set_key(key)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._fit()

    def set_key(self, key: str) -> None:
        """Name the key that does the same."""
        shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) if key else ""
        self.setToolTip(plain_tip(f"{self._name}  {shown}".strip()))

    def set_label(self, label: str) -> None:
        """Show another label."""
        if label != self.text():
            self.setText(label)
            self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self._width(), self._side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tool as it is: on, under the mouse, pressed, with the focus."""
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        self._paint_ground(painter, area, look)
        ink = look.select if self.isChecked() else look.ink
        ink = ink if self.isEnabled() else look.mute
        square = QRectF(0, 0, self._side, self._side)
        if self._drawing is not None:
            self._drawing(painter, square, look)
        elif self.sign is not None:
            seat = QRectF(_PAD, 0, self._glyph, self._side) if self.text() else square
            paint_sign(painter, seat, self.sign, self._glyph, ink, _STROKE)
        if self.text():
            self._paint_label(painter, ink)
        if self._drops:
            seat = QRectF(self.width() - 20, 0, _ARROW, self._side)
            paint_sign(painter, seat, Sign.CHEVRON_DOWN, 13, look.quiet)
        if self.hasFocus():
            paint_line_inside(painter, area, CONTROL_RADIUS, look.select, look.ring)
        painter.end()

    def _paint_ground(self, painter: QPainter, area: QRectF, look: Look) -> None:
        pressed, hovered = self.isDown(), self.underMouse() and self.isEnabled()
        if self.isChecked():
            paint_box(painter, area, CONTROL_RADIUS, look.select_soft)
        elif pressed or hovered:
            paint_box(painter, area, CONTROL_RADIUS, look.press if pressed else look.hover)
        if look.high_contrast and (self.isChecked() or pressed or hovered):  # there is no tint
            paint_line_inside(painter, area, CONTROL_RADIUS, look.select, 2)

    def _paint_label(self, painter: QPainter, ink: str) -> None:
        left = _PAD + (self._glyph + _GAP if self.sign is not None else 0)
        right = self.width() - (_PAD + _ARROW if self._drops else _PAD)
        letters = font("strong")
        painter.setFont(letters)
        painter.setPen(QColor(ink))
        shown = QFontMetricsF(letters).elidedText(self.text(), Qt.TextElideMode.ElideRight, right - left + 1)
        painter.drawText(QRectF(left, 0, right - left + 2, self._side), Qt.AlignmentFlag.AlignVCenter, shown)

    def _width(self) -> int:
        if not self.text():
            return self._side + (12 if self._drops else 0)
        wide = min(QFontMetricsF(font("strong")).horizontalAdvance(self.text()), _LONGEST)
        sign = self._glyph + _GAP if self.sign is not None else 0
        return round(wide + sign + 2 * _PAD + (_ARROW if self._drops else 0) + 0.5)

    def _fit(self) -> None:
        self.setFixedSize(self._width(), self._side)
        self.updateGeometry()
        self.update()


class Emphasis(Enum):
    """The strength of a button. There is one ACCENT in a window."""

    ACCENT = "accent"
    STRONG = "strong"
    PLAIN = "plain"
    QUIET = "quiet"


class WordButton(Pressable):
    """A button with words and perhaps a sign."""

    def __init__(
        self,
        label: str,
        sign: Sign | None = None,
        *,
        emphasis: Emphasis = Emphasis.PLAIN,
        height: int = BUTTON,
    ) -> None:
        super().__init__()
        self._sign, self._emphasis = sign, emphasis
        self.setText(label)
        self.setAccessibleName(label)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        wide = QFontMetricsF(font("strong")).horizontalAdvance(label)
        self.setFixedSize(round(wide + 28 + (24 if sign is not None else 0)), height)

    def sizeHint(self) -> QSize:
        return self.size()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button as it is: under the mouse, pressed, with the focus."""
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        ink = self._paint_ground(painter, area, look)
        letters = font("strong")
        wide = QFontMetricsF(letters).horizontalAdvance(self.text()) + (24 if self._sign is not None else 0)
        left = area.center().x() - wide / 2
        if self._sign is not None:
            paint_sign(painter, QRectF(left, 0, 16, area.height()), self._sign, 16, ink)
            left += 24
        painter.setFont(letters)
        painter.setPen(QColor(ink))
        words = QRectF(left, 0, area.right() - left + 2, area.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        if self.hasFocus():
            self._paint_focus(painter, area, look)
        painter.end()

    def _paint_ground(self, painter: QPainter, area: QRectF, look: Look) -> str:
        """Paint the ground and return the colour of the letters."""
        pressed, hovered = self.isDown(), self.underMouse()
        if self._emphasis is Emphasis.ACCENT:
            fill = mix(look.accent, "#000000", 0.08) if pressed else look.accent
            paint_box(painter, area, CONTROL_RADIUS, look.accent_hover if hovered and not pressed else fill)
            return look.on_accent
        if self._emphasis is Emphasis.STRONG:
            faded = 0.30 if pressed else 0.16 if hovered else 0.0
            paint_box(painter, area, CONTROL_RADIUS, mix(look.ink, look.popover, faded))
            return look.popover
        if self._emphasis is Emphasis.PLAIN:
            edge = look.line if look.high_contrast else mix(look.edge, look.line, 0.45)
            paint_box(painter, area, CONTROL_RADIUS, look.popover, edge, look.edge_width)
        if pressed or hovered:
            paint_box(painter, area, CONTROL_RADIUS, look.press if pressed else look.hover)
            if look.high_contrast:
                paint_line_inside(painter, area, CONTROL_RADIUS, look.select, 2)
        return look.ink

    def _paint_focus(self, painter: QPainter, area: QRectF, look: Look) -> None:
        """Paint the ring of the focus; on a full colour it stands in a gap."""
        full = self._emphasis in (Emphasis.ACCENT, Emphasis.STRONG)
        if full:
            paint_line_inside(painter, area, CONTROL_RADIUS, look.select, look.ring)
            inner = area.adjusted(look.ring, look.ring, -look.ring, -look.ring)
            paint_line_inside(painter, inner, CONTROL_RADIUS - look.ring, look.island, 1.5)
        else:
            paint_line_inside(painter, area, CONTROL_RADIUS, look.select, look.ring)


def paint_mark(painter: QPainter, area: QRectF, look: Look) -> None:
    """Paint the mark of the program: two sheets, one alive."""
    centre = area.center()
    painter.setPen(Qt.PenStyle.NoPen)
    if look.high_contrast:
        paint_box(painter, QRectF(centre.x() - 8, centre.y() - 8, 16, 16), 4, look.ink)
        return
    paint_box(painter, QRectF(centre.x() - 9, centre.y() - 5, 13, 14), 4, look.select)
    paint_box(painter, QRectF(centre.x() - 5.5, centre.y() - 10.5, 16, 16), 5.5, look.island)
    paint_box(painter, QRectF(centre.x() - 4, centre.y() - 9, 13, 13), 4, look.accent)
    painter.setBrush(QColor(look.on_accent))
    painter.drawEllipse(QPointF(centre.x() + 2.5, centre.y() - 2.5), 2.2, 2.2)
