"""The right side of the insert popover: the living face of what is chosen, and what it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from liven.app.palette.examples import LivingExample, OpenExample
from liven.app.palette.new_objects import Kind
from liven.app.palette.sections import ExistingObject
from liven.app.palette.tile_button import facts_of, paint_tint
from liven.liveobjects.look.tokens import CARD_RADIUS, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.labels import brief, plain_label
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import clear_corners, paint_line_inside
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.contract import View
from liven.liveobjects.view.zones import HasZones
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.model import Object

WIDTH: Final = 236
_PAD: Final = 18
_FACE_HEIGHT: Final = 168
_ABOVE, _UNDER = 22, 26
_ROOM_FOR_FACTS: Final = 480
_SIGN_SIDE: Final = 72
_FROM_ELSEWHERE: Final = "It exists already: everyone who opens it edits the same object."
_LONGEST: Final = 240

PictureOf = Callable[[Object], QPixmap | None]
"""Returns the last picture of an object, if there is one."""


class PreviewPane(QWidget):
    """The pane. It runs one example at a time."""

    def __init__(self, load: OpenExample | None, picture_of: PictureOf) -> None:
        """`load` makes the examples run; None shows signs instead of them."""
        super().__init__()
        self._load = load
        self.face = FaceWell(picture_of)
        self._title, self._about = plain_label(), plain_label()
        self._title.setFont(font("heading3"))
        self._about.setWordWrap(True)
        self._about.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._facts = _FactLines()
        self.setFixedWidth(WIDTH)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 0, 1, 0)
        column.setSpacing(0)
        column.addWidget(self.face)
        self.column = QVBoxLayout()
        self.column.setContentsMargins(_PAD, 0, _PAD, 16)
        self.column.setSpacing(8)
        for widget in (self._title, self._about, self._facts):
            self.column.addWidget(widget)
        self.column.addStretch(1)
        column.addLayout(self.column, 1)

    def show_kind(self, kind: Kind | None) -> None:
        """Show what is chosen."""
        self.face.show_example(None, kind)
        if kind is None:
            self._title.setText("")
            self._about.setText("Nothing has this name.")
            self._facts.show_lines(())
            return
        facts = facts_of(kind)
        own = not _is_existing(kind)
        self._title.setText(brief(shown_line(kind.name), _LONGEST))
        self._about.setText(facts.about if own and facts.about else brief(shown_line(kind.words), _LONGEST))
        self._facts.show_lines(facts.lines if own else ((Sign.LINK, _FROM_ELSEWHERE),))
        if own and self._load is not None and not kind.act:
            self.face.show_example(LivingExample(kind, self._load, self), kind)

    def close_example(self) -> None:
        """End the example: the popover closes."""
        self.face.show_example(None, None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the facts where there is no room for them."""
        super().resizeEvent(event)
        self._facts.setVisible(self.height() >= _ROOM_FOR_FACTS)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.fillRect(QRectF(0, 0, 1, self.height()), QColor(look.rule))
        painter.end()


class FaceWell(QWidget):
    """The place of the face. A press in one of its zones acts, as on a desktop."""

    def __init__(self, picture_of: PictureOf) -> None:
        super().__init__()
        self.setAccessibleName("Preview")
        self._picture_of = picture_of
        self._example: LivingExample | None = None
        self._kind: Kind | None = None
        self._picture: QPixmap | None = None
        self.setFixedHeight(_ABOVE + _FACE_HEIGHT + _UNDER)

    @property
    def view(self) -> View | None:
        """The view of the example, once it runs."""
        return None if self._example is None else self._example.view

    def show_example(self, example: LivingExample | None, kind: Kind | None) -> None:
        """Show an example, or the last picture or sign of a kind, and end the example before."""
        before, self._example = self._example, example
        if before is not None:
            before.close()
            before.deleteLater()
        self._kind = kind
        existing = kind is not None and _is_existing(kind)
        self._picture = self._picture_of(kind.make(kind.name)) if kind is not None and existing else None
        if example is not None:
            example.changed.connect(self.update)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        view = self.view
        if event.button() == Qt.MouseButton.LeftButton and isinstance(view, HasZones):
            area, scale = self._place(view)
            at = (event.position() - area.topLeft()) / scale
            whole = QRectF(QPointF(0, 0), area.size() / scale)
            zone = next((one for one in view.zones(whole) if one.area.contains(at)), None)
            if zone is not None:
                view.press(zone.key)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        view = self.view
        if view is not None:
            area, scale = self._place(view)
            _paint_face(painter, view, area, scale, look, self.devicePixelRatioF())
        elif self._picture is not None:
            _paint_picture(painter, self._picture, self._room, look)
        elif self._kind is not None:
            tile = QRectF(0, 0, _SIGN_SIDE, _SIGN_SIDE)
            tile.moveCenter(self._room.center())
            paint_tint(painter, tile, facts_of(self._kind), look)
        painter.end()

    def _place(self, view: View) -> tuple[QRectF, float]:
        """Return the area of the face in this widget, and its scale."""
        size, room = view.size_hint(), self._room
        scale = min(room.width() / size.width(), room.height() / size.height(), 1.0)
        area = QRectF(QPointF(0, 0), size * scale)
        area.moveCenter(room.center())
        area.moveTop(room.top())
        return area, scale

    @property
    def _room(self) -> QRectF:
        """The place of a face; its shadow lies around it."""
        return QRectF(_PAD, _ABOVE, self.width() - 2 * _PAD, _FACE_HEIGHT)


class _FactLines(QWidget):
    """Short facts, each with a sign."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 6, 0, 0)
        self._column.setSpacing(6)

    def show_lines(self, lines: tuple[tuple[Sign, str], ...]) -> None:
        """Show these facts."""
        while (item := self._column.takeAt(0)) is not None:
            if (gone := item.widget()) is not None:
                gone.hide()
                gone.deleteLater()
        for sign, words in lines:
            self._column.addWidget(_FactLine(sign, words))


class _FactLine(QWidget):
    """One fact."""

    def __init__(self, sign: Sign, words: str) -> None:
        super().__init__()
        self._sign = sign
        label = plain_label(words)
        label.setFont(font("caption"))
        label.setWordWrap(True)
        label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        row = QVBoxLayout(self)
        row.setContentsMargins(24, 0, 0, 0)
        row.addWidget(label)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        paint_sign(painter, QRectF(0, 1, 16, 18), self._sign, 15, current_look().quiet, 1.9)
        painter.end()


def _is_existing(kind: Kind) -> bool:
    return isinstance(kind.make, ExistingObject)


def _paint_face(painter: QPainter, view: View, area: QRectF, scale: float, look: Look, ratio: float) -> None:
    """Paint a face as on a desktop: with its shadow, round corners and edge."""
    radius = view.radius() * scale
    if not view.is_flat():
        shade.paint_shadow(painter, area, look.shadows.hover, radius)
    made = QPixmap((area.size() * ratio).toSize())
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    inner = QPainter(made)
    inner.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    inner.scale(scale, scale)
    view.paint(inner, QRectF(QPointF(0, 0), area.size() / scale))
    clear_corners(inner, QRectF(QPointF(0, 0), area.size() / scale), view.radius())
    inner.end()
    painter.drawPixmap(area.topLeft(), made)
    if not view.is_flat():
        paint_line_inside(painter, area, radius, view.edge_colour(), look.edge_width)


def _paint_picture(painter: QPainter, picture: QPixmap, room: QRectF, look: Look) -> None:
    """Paint the last picture of an object, as much of it as has the shape of the place."""
    seen = picture.size().toSizeF().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
    source = QRectF(picture.rect())
    source.setWidth(source.width() * room.width() / seen.width())
    source.setHeight(source.height() * room.height() / seen.height())
    shape = QPainterPath()
    shape.addRoundedRect(room, CARD_RADIUS, CARD_RADIUS)
    painter.save()
    painter.setClipPath(shape)
    painter.drawPixmap(room, picture, source)
    painter.restore()
    paint_line_inside(painter, room, CARD_RADIUS, look.edge, look.edge_width)
