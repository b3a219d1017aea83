"""Cards for items that do not run: their thumbnail, or else icon, name and last known text.

Letters have the size of the window's font at every zoom, and are left out where they do not fit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.drawings.recipes import drawing_of
from liven.liveobjects.desktop.frames import is_frame
from liven.liveobjects.desktop.search.text_cache import TextCache
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.drawings.painting import paint_drawing
from liven.liveobjects.desktop.view.items.frame_view import paint_frame
from liven.liveobjects.desktop.view.items.item_edge import fitting_radius, paint_edge
from liven.liveobjects.desktop.view.items.thumbnail_cache import current_colours, thumbnails
from liven.liveobjects.icons.object_kind import kind_of, recipe_name
from liven.liveobjects.icons.view import colours_of, paint_tile
from liven.liveobjects.look.tokens import CARD_RADIUS
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box
from liven.runtime.foreign_text import shown_line, shown_lines

_LETTERS: Final = 13.0
"""Height of letters in window pixels."""
_TILE: Final = 1.7
"""Size of the icon relative to letters."""
_SPECK: Final = 9.0
"""Cards smaller than this, in pixels, are filled with the colour of their kind."""
_NARROW: Final = 3.0
"""Letters that must fit beside the icon; otherwise there is only the icon."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a card, in pixels."""

    size: QSizeF
    letters: float

    @property
    def pad(self) -> float:
        return self.letters / 2

    @property
    def tile(self) -> float:
        return min(self.letters * _TILE, self.size.height() - self.letters / 2)

    @property
    def beside(self) -> QRectF:
        """The area of the name, beside the icon."""
        left = self.pad + self.tile + self.pad
        return QRectF(left, self.pad / 2, self.size.width() - left - self.pad, self.tile + self.pad / 2)

    @property
    def below(self) -> QRectF:
        """The area of the text, below the name."""
        top = self.beside.bottom() + self.pad / 2
        return QRectF(self.pad, top, self.size.width() - 2 * self.pad, self.size.height() - top - self.pad)


def paint_card(
    painter: QPainter, area: QRectF, item: Item, known: TextCache, *, by_name: bool = False
) -> None:
    """Paint the card of an item that does not run. With `by_name`, its name is shown also where there is a
    picture of it: a person looks for the bad one."""
    if is_frame(item.reference):
        paint_frame(painter, area)
        return
    drawing = drawing_of(item.reference)
    if drawing is not None:
        paint_drawing(painter, area, drawing, item.label)
        return
    scale = max(math.sqrt(abs(painter.deviceTransform().determinant())), 1e-6)
    look = thumbnails().of(item.reference)
    painter.save()
    if not by_name and look is not None and look.picture is not None and look.colours == current_colours():
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, look.picture, look.source)
    else:
        painter.translate(area.topLeft())
        painter.scale(1 / scale, 1 / scale)
        _paint(painter, area.size() * scale, scale, item, known)
        painter.restore()
        paint_edge(painter, area)
        return
    painter.restore()


def _paint(painter: QPainter, size: QSizeF, scale: float, item: Item, known: TextCache) -> None:
    """Paint a card in device pixels, from its corner."""
    kind, whole = kind_of(item.reference), QRectF(QPointF(0, 0), size)
    if min(size.width(), size.height()) < _SPECK:
        painter.fillRect(whole, colours_of(kind)[0])
        return
    paint_box(painter, whole, fitting_radius(CARD_RADIUS * scale, whole), current_look().card)
    room = _Layout(size, _LETTERS * max(scale, _device_pixels()))
    if room.beside.width() < _NARROW * room.letters or size.height() < 1.5 * room.letters:
        side = min(size.width(), size.height()) * 0.8
        tile = QRectF(0, 0, side, side)
        tile.moveCenter(whole.center())
        paint_tile(painter, tile, kind)
        return
    paint_tile(painter, QRectF(room.pad, room.pad / 2, room.tile, room.tile), kind)
    _write(
        painter,
        room,
        shown_line(item.label) or recipe_name(item.reference) or kind,
        shown_lines(_last_text(item, known)),
    )


def _write(painter: QPainter, room: _Layout, name: str, words: str) -> None:
    """Write the name in one line, and as much of the text as fits."""
    font = QFont(painter.font())
    font.setPixelSize(max(1, round(room.letters)))
    painter.setPen(QApplication.palette().color(QPalette.ColorRole.Text))
    if room.below.height() < room.letters and words:
        name = f"{name}: {words}"
    font.setBold(True)
    painter.setFont(font)
    line = " ".join(name[:200].split())
    line = QFontMetricsF(font).elidedText(line, Qt.TextElideMode.ElideRight, room.beside.width())
    painter.drawText(room.beside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line)
    if words and room.below.height() >= room.letters:
        font.setBold(False)
        painter.setFont(font)
        high = QFontMetricsF(font).lineSpacing()
        whole_lines = QRectF(room.below)
        whole_lines.setHeight(max(1, int(room.below.height() / high)) * high)
        painter.drawText(whole_lines, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop, words)


def _last_text(item: Item, known: TextCache) -> str:
    """Return the last known text, from this run or else an earlier one. Text that equals the name is
    omitted."""
    look = thumbnails().of(item.reference)
    words = look.words if look is not None and look.words else known.of(item.reference)[:400]
    return "" if words.casefold() == item.label.casefold() else words


def _device_pixels() -> float:
    """Return the device pixels per window pixel; pictures are painted in device pixels."""
    running = QApplication.instance()
    return running.devicePixelRatio() if isinstance(running, QApplication) else 1.0
