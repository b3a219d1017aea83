"""The ear of an item: its name above it while the mouse rests on it, and buttons to open it and for its menu.

Keys reach the same commands without it. It has the size of the window's letters at every zoom.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, Protocol

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.drawings.recipes import drawing_of
from liven.liveobjects.desktop.spatial_index import reach
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.actions.context_menu import MenuCanvas, show_menu
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.icons.object_kind import kind_of
from liven.liveobjects.icons.view import paint_tile
from liven.liveobjects.look.tokens import CONTROL_RADIUS, SMALLEST_HIT, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.runtime.foreign_text import shown_line

WAIT_MS: Final = 250
"""Milliseconds that the mouse rests on an item until its ear comes."""
HIGH: Final = SMALLEST_HIT
_AWAY: Final = 8
"""Pixels between an item and its ear."""
_RIM: Final = 4
_PAD: Final = 8
_TILE: Final = 18
_LONGEST: Final = 60
"""Characters of a name that are measured."""
_WIDEST: Final = 260
_NARROWEST: Final = 64


class Zone(Enum):
    """The parts of an ear that are pressed."""

    OPEN = Sign.OPEN
    MENU = Sign.MORE


class EarCanvas(MenuCanvas, Protocol):
    """The part of the canvas that the ear needs."""

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def editing(self) -> str | None: ...

    def place_of(self, item: Item) -> Place: ...

    def item_at(self, point: QPointF) -> Item | None: ...

    def open_selected(self) -> None: ...


class ItemEar(QObject):
    """Follows the mouse over one canvas, which is also the widget it is painted on."""

    def __init__(self, canvas: EarCanvas, widget: QWidget) -> None:
        super().__init__(widget)
        self._canvas, self._widget = canvas, widget
        self.hovered: str | None = None
        """The key of the item under the mouse."""
        self._shown = False
        self._under: Zone | None = None
        self._timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._timer.timeout.connect(self._show)

    def follow(self, point: QPointF) -> bool:
        """Follow the mouse without a pressed button. Return True if it is over the ear."""
        over = self._shown and self._grip().contains(point)
        if over:
            zone = self._zone_at(point)
            if zone is not self._under:
                self._under = zone
                self._repaint()
            return self._name_area().united(self._buttons()).contains(point)
        item = self._canvas.item_at(point)
        self._hover(None if item is None or drawing_of(item.reference) is not None else item.key)
        return False

    def leave(self) -> None:
        """Hide the ear: the mouse is elsewhere, or does something."""
        self._hover(None)

    def pressed(self, event: QMouseEvent) -> bool:
        """Carry out a press on the ear. Return False, and hide it, if the press was elsewhere."""
        item, zone = self._item(), self._zone_at(event.position()) if self._shown else None
        at = QPointF() if zone is None else self._button(zone).bottomLeft()
        self.leave()
        if item is None or zone is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._canvas.select({item.key})
        self._canvas.open_selected() if zone is Zone.OPEN else show_menu(self._canvas, at, self._widget)
        return True

    def paint(self, painter: QPainter) -> None:
        """Paint the ear, if it is shown."""
        item = self._item()
        if item is None or not self._shown:
            return
        look = current_look()
        painter.save()
        for area in (self._name_area(), self._buttons()):
            shade.paint_shadow(painter, area, look.shadows.rest, CONTROL_RADIUS)
            paint_box(painter, area, CONTROL_RADIUS, look.island, look.edge, look.edge_width)
        self._paint_name(painter, item, look)
        self._paint_buttons(painter, look)
        painter.restore()

    def _paint_name(self, painter: QPainter, item: Item, look: Look) -> None:
        area = self._name_area()
        tile = QRectF(area.left() + 5, area.top() + (HIGH - _TILE) / 2, _TILE, _TILE)
        paint_tile(painter, tile, kind_of(item.reference))
        words = area.adjusted(_TILE + 11, 0, -_PAD, 0)
        letters = font("label")
        painter.setFont(letters)
        painter.setPen(QPen(look.ink))
        shown = QFontMetricsF(letters).elidedText(
            self._name(item), Qt.TextElideMode.ElideRight, words.width() + 1
        )
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def _paint_buttons(self, painter: QPainter, look: Look) -> None:
        for zone in Zone:
            area = self._button(zone)
            if zone is self._under:
                inner = area.adjusted(2, 2, -2, -2)
                fill = look.select if look.high_contrast else look.hover
                paint_box(painter, inner, CONTROL_RADIUS - 2, fill)
            chosen = look.high_contrast and zone is self._under
            paint_sign(painter, area, zone.value, 15, look.on_select if chosen else look.quiet)

    def _hover(self, key: str | None) -> None:
        if key == self.hovered:
            return
        self._repaint()
        self.hovered, self._shown, self._under = key, False, None
        self._repaint()
        self._timer.start() if key is not None else self._timer.stop()

    def _show(self) -> None:
        """Show the ear, unless the frame with its handles stands there."""
        if self.hovered not in self._canvas.selected and self.hovered != self._canvas.editing:
            self._shown = self._item() is not None
            self._repaint()

    def _item(self) -> Item | None:
        return None if self.hovered is None else self._canvas.state.items.get(self.hovered)

    def _name(self, item: Item) -> str:
        """Return the name of an item, or else its kind."""
        name = self._canvas.item_views.title(item) or kind_of(item.reference)
        return shown_line(name)[:_LONGEST]

    def _area(self) -> QRectF:
        """Return the area of the item in the window, with its rotation."""
        item = self._item()
        return QRectF() if item is None else self._canvas.camera.area(reach(self._canvas.place_of(item)))

    def _top(self) -> float:
        """Return the upper end of the ear, which stays in the window."""
        return max(self._area().top() - _AWAY - HIGH, _RIM)

    def _name_area(self) -> QRectF:
        item, area = self._item(), self._area()
        if item is None:
            return QRectF()
        wanted = QFontMetricsF(font("label")).horizontalAdvance(self._name(item)) + _TILE + 11 + _PAD + 1
        room = max(area.width() - 2 * HIGH - _PAD, _NARROWEST)
        width = min(wanted, max(room, _NARROWEST), _WIDEST)
        most = self._widget.rect().width() - _RIM - width - _PAD - 2 * HIGH
        return QRectF(max(min(area.left(), most), _RIM), self._top(), width, HIGH)

    def _buttons(self) -> QRectF:
        """Return the area of the buttons: at the right end of the item, or beside the name."""
        name = self._name_area()
        left = max(self._area().right() - 2 * HIGH, name.right() + _PAD)
        left = min(left, self._widget.rect().width() - _RIM - 2 * HIGH)
        return QRectF(max(left, name.right() + _RIM), name.top(), 2 * HIGH, HIGH)

    def _button(self, zone: Zone) -> QRectF:
        buttons = self._buttons()
        return QRectF(buttons.left() + tuple(Zone).index(zone) * HIGH, buttons.top(), HIGH, HIGH)

    def _grip(self) -> QRectF:
        """Return the area in which the ear stays: itself, and the way to it from the item."""
        ear = self._name_area().united(self._buttons())
        return ear.adjusted(0, 0, 0, max(0.0, self._area().top() - ear.bottom()))

    def _zone_at(self, point: QPointF) -> Zone | None:
        return next((zone for zone in Zone if self._button(zone).contains(point)), None)

    def _repaint(self) -> None:
        """Ask for the paint of the item with its shadow, and of the ear."""
        if self._item() is None:
            return
        out = shade.reach(current_look().shadows.hover) * max(self._canvas.camera.zoom, 1) + _RIM
        areas = [self._area().adjusted(-out, -out, out, out)]
        if self._shown:
            ear = self._name_area().united(self._buttons())
            areas.append(ear.adjusted(-2 * _PAD, -2 * _PAD, 2 * _PAD, 2 * _PAD))
        for area in areas:
            self._widget.update(area.toAlignedRect())
