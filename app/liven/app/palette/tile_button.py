"""A tile of the insert popover: a sign on a tint, and a name below it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLineF, QMimeData, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDrag,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractButton, QApplication

from liven.app.palette.kind_facts import FACTS, GREY, KindFacts
from liven.app.palette.new_objects import Kind
from liven.liveobjects.icons.object_kind import kind_of
from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import CARD_RADIUS, DEFAULT_PAPER, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.runtime.folder.item_files import MIME
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.xml import write

TILE_HEIGHT: Final = 88
_SIDE: Final = 46
_TOP: Final = 8
_NAME_TOP: Final = 58
_RADIUS: Final = 11.0
_UNKNOWN: Final = KindFacts(Sign.PUZZLE, GREY, "")


class TileButton(QAbstractButton):
    """One tile. A press chooses it; a drag takes a new object out of it."""

    picked = Signal()
    """Emitted when it is pressed while it is chosen already."""
    taken = Signal()
    """Emitted when an object is dragged out of it."""

    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self.kind = kind
        self.facts = facts_of(kind)
        self.fits = True
        self._pressed_at: QPointF | None = None
        self.setText(shown_line(kind.name))
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.set_fits(fits=True)

    def set_fits(self, *, fits: bool) -> None:
        """Say if the shown object takes one of these."""
        self.fits = fits
        named = f"{self.text()}, {shown_line(self.kind.words)}"
        self.setAccessibleName(named if fits else f"{named}; does not fit here")
        self.setToolTip(plain_tip(f"{self.text()}: {shown_line(self.kind.words)}"))
        self.update()

    def matches(self, words: str) -> bool:
        """Return True if each of these words is in the name, the description or another name of it."""
        there = f"{self.text()} {self.kind.words} {self.facts.also}".casefold()
        return all(word in there for word in words.casefold().split())

    def sizeHint(self) -> QSize:
        return QSize(2 * _SIDE, TILE_HEIGHT)

    def nextCheckState(self) -> None:
        """Leave the choice to the grid."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = event.position() if event.button() == Qt.MouseButton.LeftButton else None
        was = self.isChecked()
        super().mousePressEvent(event)
        if was and self._pressed_at is not None:
            self._pressed_at = event.position()
            self.setProperty("again", True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag an object out."""
        far = (
            self._pressed_at is not None
            and QLineF(self._pressed_at, event.position()).length() >= QApplication.startDragDistance()
        )
        if far and not self.kind.act:
            self._pressed_at = None
            self.setDown(False)
            self._drag()
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        again = bool(self.property("again")) and self.isDown()
        self.setProperty("again", False)
        super().mouseReleaseEvent(event)
        if again:
            self.picked.emit()

    def _drag(self) -> None:
        data = QMimeData()
        data.setData(MIME, write(self.kind.make(self.kind.name)))
        drag = QDrag(self.window())
        drag.setMimeData(data)
        drag.setPixmap(self._picture())
        drag.setHotSpot(self._picture().rect().center() / self.devicePixelRatioF())
        self.taken.emit()
        drag.exec(Qt.DropAction.CopyAction)

    def _picture(self) -> QPixmap:
        """Return the tile without its name, to be seen under the mouse."""
        ratio = self.devicePixelRatioF()
        made = QPixmap(round((_SIDE + 8) * ratio), round((_SIDE + 8) * ratio))
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_tint(painter, QRectF(4, 4, _SIDE, _SIDE), self.facts, current_look())
        painter.end()
        return made

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(self.rect()).adjusted(3, 0, -3, 0)
        if self.isChecked():
            paint_box(painter, ground, CARD_RADIUS, look.select_soft)
            paint_line_inside(
                painter, ground, CARD_RADIUS, look.select, 1.5 if look.halo_width else look.ring
            )
        elif self.underMouse() or self.isDown():
            paint_box(painter, ground, CARD_RADIUS, look.press if self.isDown() else look.hover)
            if look.high_contrast:
                paint_line_inside(painter, ground, CARD_RADIUS, look.select, 2)
        painter.setOpacity(1.0 if self.fits else 0.4)
        tile = QRectF((self.width() - _SIDE) / 2, _TOP, _SIDE, _SIDE)
        paint_tint(painter, tile, self.facts, look)
        painter.setOpacity(1.0)
        self._paint_name(painter, look)
        painter.end()

    def _paint_name(self, painter: QPainter, look: Look) -> None:
        letters = font("label", 600 if self.isChecked() else 500)
        area = QRectF(1, _NAME_TOP, self.width() - 2, 20)
        words = QFontMetricsF(letters).elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        painter.setFont(letters)
        painter.setPen(QColor(look.ink if self.fits else look.mute))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)


def facts_of(kind: Kind) -> KindFacts:
    """Return the facts about a kind; for an object that exists, about the kind of that object."""
    if kind.name in FACTS:
        return FACTS[kind.name]
    found = kind_of(write(kind.make(kind.name)).decode())
    return FACTS.get("Caption window" if found == "Window" else found, _UNKNOWN)


def paint_tint(painter: QPainter, area: QRectF, facts: KindFacts, look: Look) -> None:
    """Paint a sign on a tint of its hue; a note as sheets of paper."""
    if facts.sign is Sign.NOTE and not look.high_contrast:
        _paint_sheets(painter, area, look)
        return
    hue = look.hues[facts.hue]
    ground = mix(look.popover, hue, 0.22 if look.dark else 0.14)
    radius = _RADIUS * area.width() / _SIDE
    paint_box(painter, area, radius, ground, look.edge if look.high_contrast else "", look.edge_width)
    paint_sign(painter, area, facts.sign, area.width() / 2, hue, 1.8)


def _paint_sheets(painter: QPainter, area: QRectF, look: Look) -> None:
    scale = area.width() / _SIDE
    painter.save()
    painter.translate(area.center())
    painter.scale(scale, scale)
    for turn, paper in ((10, "rose"), (-6, "sky"), (0, DEFAULT_PAPER)):
        painter.save()
        painter.rotate(turn)
        sheet = QRectF(-18, -18, 36, 36)
        shade.paint_shadow(painter, sheet, look.shadows.rest, 3)
        paint_box(painter, sheet, 3, look.papers[paper].sheet)
        painter.restore()
    ink = QColor(look.papers[DEFAULT_PAPER].quiet)
    painter.setPen(QPen(ink, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for y, right in ((-7, 9), (0, 6), (7, 1)):
        painter.drawLine(QPointF(-10, y), QPointF(right, y))
    painter.restore()
