"""The face of a folder: its name, the number of things in it, and a tile with a name for each.

A tile is the last picture of a thing, if it ran here, or else the sign of its kind. Where there is little
room, the last tile counts the others; then names go, and last the tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from liven.liveobjects.desktop.view.items.thumbnail_cache import current_colours, thumbnails
from liven.liveobjects.icons.object_kind import kind_of
from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import CONTROL_RADIUS, DEFAULT_PAPER, NOTE_RADIUS, Look
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.face import CENTRE, PAD, card, paint_sentence, paint_title, paint_words, title_row
from liven.runtime.foreign_text import shown_line

HEAD: Final = 46.0
"""Height of the title with the space below."""
TILE: Final = 60.0
_NAME: Final = 24.0
"""Height of a name with the space above."""
_GAP: Final = 8.0
_ROW: Final = TILE + _NAME + 6
_LEAST: Final = 24.0
"""The smallest tile."""
_SIGN: Final = 26.0
_LINES: Final = (0.55, 0.8, 0.68, 0.4)
"""Lengths of the lines on a note, of its width."""


class _Kind(NamedTuple):
    """The tile of a kind of object."""

    sign: Sign
    hue: int
    """The number of its hue in the look."""


_KINDS: Final = {
    "Board": _Kind(Sign.BOARD, 0),
    "Chat": _Kind(Sign.CHAT, 2),
    "Colour": _Kind(Sign.COLOUR, 3),
    "Counter": _Kind(Sign.COUNTER, 1),
    "Desktop": _Kind(Sign.BOARD, 0),
    "Folder": _Kind(Sign.FOLDER, 5),
    "Image": _Kind(Sign.IMAGE, 6),
    "Roster": _Kind(Sign.PEOPLE, 2),
    "Vote": _Kind(Sign.VOTE, 4),
    "Window": _Kind(Sign.WINDOW, 7),
}
_OTHER_HUE: Final = 7


class Thing(NamedTuple):
    """One thing in a folder."""

    name: str
    recipe: str


@dataclass(frozen=True, slots=True)
class _Layout:
    """The places of the tiles in a face of one size."""

    places: tuple[QRectF, ...]
    named: bool
    hidden: int
    """Things without a place; the last place counts them."""


@dataclass(frozen=True, slots=True)
class FolderFace:
    """The face of a folder in one state."""

    name: str
    things: tuple[Thing, ...]
    state: str
    """The reason why the folder cannot be used now; empty if it can."""
    read_only: bool = False

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the face into an area."""
        with card(painter, area) as look:
            self._paint_title(painter, area, look)
            if self.state or not self.things:
                room = area.adjusted(PAD, HEAD, -PAD, -PAD)
                paint_sentence(painter, room, self._sentence(), look)
                return
            layout = self._layout(area)
            shown = len(layout.places) - bool(layout.hidden)
            for thing, place in zip(self.things, layout.places[:shown], strict=False):
                _paint_tile(painter, _square(place), thing, look)
                if layout.named:
                    _paint_name(painter, place, shown_line(thing.name), look)
            if layout.hidden:
                _paint_rest(painter, layout.places[-1], layout.hidden, look, named=layout.named)

    def _paint_title(self, painter: QPainter, area: QRectF, look: Look) -> None:
        row = title_row(area)
        sign = QRectF(row.left(), row.top(), 20, row.height())
        paint_sign(painter, sign, Sign.FOLDER, 18, look.accent_ink)
        count = len(self.things)
        facts = "" if self.state or not count else f"{count:,} thing{'' if count == 1 else 's'}"
        paint_title(painter, area.adjusted(28, 0, 0, 0), self.name, look, facts)

    def _sentence(self) -> str:
        if self.state:
            return f"{self.state[:1].upper()}{self.state[1:].rstrip('.')}."
        return "Nothing is in this folder." if self.read_only else "Drag things here to keep them."

    def _layout(self, area: QRectF) -> _Layout:
        """Return the places of the tiles: as many as fit, with names if there is room for a row of these."""
        width = area.width() - 2 * PAD + _GAP
        height = area.height() - HEAD
        named = height >= TILE + _NAME
        columns = max(1, int(width // (TILE + 1)))
        step = _ROW if named else min(TILE, max(height, 0.0)) + _GAP
        rows = int((height + 6) // step) if named else int(height >= _LEAST)
        if width - _GAP < _LEAST or rows < 1:
            return _Layout((), named, 0)
        room = rows * columns
        count = min(room, len(self.things))
        high = TILE + _NAME if named else step - _GAP
        places = tuple(
            QRectF(
                area.left() + PAD + (at % columns) * width / columns,
                area.top() + HEAD + (at // columns) * step,
                width / columns - _GAP,
                high,
            )
            for at in range(count)
        )
        return _Layout(places, named, 0 if room >= len(self.things) else len(self.things) - count + 1)


def _square(place: QRectF) -> QRectF:
    """Return the tile at the top of a place, above its name."""
    side = min(place.width(), TILE, place.height())
    return QRectF(place.center().x() - side / 2, place.top(), side, side)


def _paint_name(painter: QPainter, place: QRectF, name: str, look: Look) -> None:
    row = QRectF(place.left() - 3, place.bottom() - _NAME + 5, place.width() + 6, _NAME - 6)
    paint_words(painter, row, name, font("caption"), look.ink, CENTRE)


def _paint_tile(painter: QPainter, tile: QRectF, thing: Thing, look: Look) -> None:
    kind, last = kind_of(thing.recipe), thumbnails().of(thing.recipe)
    if kind == "Note":
        _paint_note(painter, tile, look)
    elif last is not None and last.picture is not None and last.colours == current_colours():
        _paint_picture(painter, tile, last.picture, last.source, look)
    else:
        _paint_sign_tile(painter, tile, kind, look)


def _paint_sign_tile(painter: QPainter, tile: QRectF, kind: str, look: Look) -> None:
    """Paint the sign of a kind on a tint of its hue, or two letters for a kind without a sign."""
    found = _KINDS.get(kind)
    hue = look.hues[_OTHER_HUE if found is None else found.hue]
    ground = look.card if look.high_contrast else mix(look.card, hue, 0.22 if look.dark else 0.14)
    paint_box(painter, tile, 9, ground, look.edge if look.high_contrast else "", look.edge_width)
    if found is not None:
        paint_sign(painter, tile, found.sign, min(_SIGN, tile.width() * 0.5), hue, 1.8)
    else:
        paint_words(painter, tile, shown_line(kind)[:2], font("title"), look.ink, CENTRE)


def _paint_note(painter: QPainter, tile: QRectF, look: Look) -> None:
    """Paint a sheet with lines."""
    paper = look.papers[DEFAULT_PAPER]
    sheet = tile.adjusted(4, 3, -4, -3)
    paint_box(painter, sheet, NOTE_RADIUS, paper.sheet, paper.edge, look.edge_width)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(paper.quiet))
    step = sheet.height() / 6
    for number, share in enumerate(_LINES):
        line = QRectF(sheet.left() + 8, sheet.top() + (number + 1.2) * step, (sheet.width() - 16) * share, 3)
        painter.drawRoundedRect(line, 1.5, 1.5)


def _paint_picture(painter: QPainter, tile: QRectF, image: QImage, source: QRectF, look: Look) -> None:
    """Paint the middle of a picture that fills the tile, with round corners and a hairline."""
    part = QSizeF(tile.size()).scaled(source.size(), Qt.AspectRatioMode.KeepAspectRatio)
    seen = QRectF(0, 0, part.width(), part.height())
    seen.moveCenter(source.center())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    around = QPainterPath()
    around.addRoundedRect(tile, CONTROL_RADIUS, CONTROL_RADIUS)
    painter.setClipPath(around, Qt.ClipOperation.IntersectClip)
    painter.fillRect(tile, QColor(look.faint))
    painter.drawImage(tile, image, seen)
    painter.restore()
    paint_line_inside(painter, tile, CONTROL_RADIUS, look.edge, look.edge_width)


def _paint_rest(painter: QPainter, place: QRectF, hidden: int, look: Look, *, named: bool) -> None:
    """Paint the tile that counts the things without a place."""
    tile = _square(place)
    paint_box(painter, tile, 9, look.faint, look.edge if look.high_contrast else "", look.edge_width)
    paint_words(painter, tile, f"+{hidden:,}", font("title"), look.quiet, CENTRE)
    if named:
        _paint_name(painter, place, "more", look)
