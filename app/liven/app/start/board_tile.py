"""The tile of a board: its last look, its name, and who is there or when it was used last."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QEnterEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from liven.app.start.gallery import Board
from liven.app.start.tile import RIM, Tile
from liven.liveobjects.look.tokens import CARD_RADIUS, CONTROL_RADIUS, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.buttons import ToolButton
from liven.liveobjects.look.view.letters import font, sized
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.avatars import Face, paint_avatars, width_of_avatars
from liven.liveobjects.view.face import paint_words
from liven.runtime.foreign_text import shown_line

PICTURE_HEIGHT: Final = 170
HEIGHT: Final = PICTURE_HEIGHT + 64 + 2 * RIM
_MOST_FACES: Final = 4
_FACE, _FACE_STEP = 24.0, 18.0


class BoardTile(Tile):
    """A board: its last look, its name, and who is there or when it was used last."""

    star_wanted = Signal(bool)
    menu_wanted = Signal(object)
    """Emitted with the place on the screen where a menu is wanted."""
    removal_wanted = Signal()

    def __init__(self, board: Board, day: str, below: QWidget) -> None:
        super().__init__(below)
        self.board = board
        self.day = day
        self.note = ""
        """The words by which a search found it, instead of the day."""
        self.kind_sign = Sign.BOARD
        self.picture: QPixmap | None = None
        self.people: tuple[tuple[str, Face], ...] = ()
        self._buttons: tuple[ToolButton, ToolButton] | None = None
        self.setText(shown_line(board.title))
        self._name()

    def show_people(self, people: tuple[tuple[str, Face], ...]) -> None:
        """Show who has the board open, by name and face."""
        if people != self.people:
            self.people = people
            self._name()
            self.update()

    def show_picture(self, picture: QPixmap | None) -> None:
        """Show the last look."""
        self.picture = picture
        self.update()

    @property
    def subtitle(self) -> str:
        """The line below the name."""
        return f"{len(self.people)} here now" if self.people else self.note or self.day

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._show_buttons()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._buttons is not None:
            for one in self._buttons:
                one.hide()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete on Del, star on S."""
        if event.key() == Qt.Key.Key_Delete:
            self.removal_wanted.emit()
        elif event.key() == Qt.Key.Key_S and not event.modifiers():
            self.star_wanted.emit(not self.board.starred)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        seen = self._picture_area()
        hovered = self.underMouse()
        shade.paint_shadow(painter, seen, look.shadows.hover if hovered else look.shadows.rest, CARD_RADIUS)
        self._paint_picture(painter, seen, look)
        if hovered or self.hasFocus():
            paint_line_inside(painter, seen, CARD_RADIUS, look.select, look.ring)
        else:
            paint_line_inside(painter, seen, CARD_RADIUS, look.edge, look.edge_width)
        if self.people:
            self._paint_people(painter, seen, look)
        self._paint_words(painter, seen, look)
        painter.end()

    def _name(self) -> None:
        here = ", ".join(name for name, _ in self.people[:_MOST_FACES])
        told = f"here now: {here}" if here else self.day
        star = ", starred" if self.board.starred else ""
        self.setAccessibleName(f"{self.text()}{star}, {told}")

    def _picture_area(self) -> QRectF:
        inside = self.inside()
        return QRectF(inside.left(), inside.top(), inside.width(), PICTURE_HEIGHT)

    def _paint_picture(self, painter: QPainter, seen: QRectF, look: Look) -> None:
        if self.picture is None:
            paint_box(painter, seen, CARD_RADIUS, look.plane)
            paint_sign(painter, seen, self.kind_sign, 34, look.mute, 1.5)
            return
        shape = QPainterPath()
        shape.addRoundedRect(seen, CARD_RADIUS, CARD_RADIUS)
        size = self.picture.deviceIndependentSize()
        scale = max(seen.width() / size.width(), seen.height() / size.height())
        source = QRectF(0, 0, seen.width() / scale, seen.height() / scale)
        source.moveCenter(QPointF(size.width() / 2, size.height() / 2))
        ratio = self.picture.devicePixelRatio()
        source = QRectF(source.topLeft() * ratio, source.size() * ratio)
        painter.save()
        painter.setClipPath(shape)
        painter.drawPixmap(seen, self.picture, source)
        painter.restore()

    def _paint_people(self, painter: QPainter, seen: QRectF, look: Look) -> None:
        faces = tuple(face for _, face in self.people[:_MOST_FACES])
        wide = width_of_avatars(len(faces), _FACE, _FACE_STEP) + 12
        pill = QRectF(seen.right() - wide - 8, seen.bottom() - 40, wide, 32)
        shade.paint_shadow(painter, pill, look.shadows.rest, 16)
        paint_box(painter, pill, 16, look.island, look.edge, look.edge_width)
        right = QPointF(pill.right() - 6, pill.top() + 4)
        paint_avatars(painter, right, _FACE, _FACE_STEP, faces, look, look.island)

    def _paint_words(self, painter: QPainter, seen: QRectF, look: Look) -> None:
        star = 24.0 if self.board.starred else 0.0
        name = QRectF(seen.left() + 2, seen.bottom() + 9, seen.width() - 4 - star, 22)
        paint_words(painter, name, self.text(), sized(15, 600), look.ink)
        below = QRectF(name.left(), seen.bottom() + 31, seen.width() - 4, 18)
        if self.people:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.good))
            painter.drawEllipse(QPointF(below.left() + 4.5, below.center().y() + 0.5), 3.5, 3.5)
            below.setLeft(below.left() + 14)
        ink = look.good if self.people else look.quiet
        paint_words(painter, below, self.subtitle, font("caption"), ink)
        if self.board.starred:
            place = QRectF(seen.right() - 24, seen.bottom() + 8, 22, 22)
            _paint_star(painter, place.center(), look)

    def _show_buttons(self) -> None:
        """Show the buttons of a tile under the mouse; they are made then, as most are never seen."""
        if self._buttons is None:
            star = _FloatingButton("Star", Sign.STAR, self)
            star.clicked.connect(lambda: self.star_wanted.emit(not self.board.starred))
            more = _FloatingButton("More", Sign.MORE, self)
            more.clicked.connect(lambda: self.menu_wanted.emit(more.mapToGlobal(more.rect().bottomLeft())))
            self._buttons = star, more
            self._place_buttons()
        for one in self._buttons:
            one.show()

    def _place_buttons(self) -> None:
        if self._buttons is not None:
            right = self._picture_area().right() - 8
            for at, one in enumerate(reversed(self._buttons)):
                one.move(round(right - 28 - 31 * at), RIM + 8)


def _paint_star(painter: QPainter, middle: QPointF, look: Look) -> None:
    """Paint a full star."""
    turns = ((8.0 if at % 2 == 0 else 3.8, math.pi * (at / 5 - 0.5)) for at in range(10))
    corners = [middle + QPointF(far * math.cos(turn), far * math.sin(turn)) for far, turn in turns]
    pen = QPen(QColor(look.accent_line), 1.6)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(QColor(look.accent_line))
    painter.drawPolygon(QPolygonF(corners))


class _FloatingButton(ToolButton):
    """A small button over a picture."""

    def __init__(self, name: str, sign: Sign, below: QWidget) -> None:
        super().__init__(name, sign, size=28, glyph=16)
        self.setParent(below)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def _paint_ground(self, painter: QPainter, area: QRectF, look: Look) -> None:
        paint_box(painter, area, CONTROL_RADIUS, look.island, look.edge, look.edge_width)
        super()._paint_ground(painter, area, look)
