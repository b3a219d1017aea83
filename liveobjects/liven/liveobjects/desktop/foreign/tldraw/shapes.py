"""Shapes of tldraw as parts of a board, each by its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.liveobjects.desktop.foreign.board import (
    Board,
    Frame,
    Outline,
    Picture,
    Sheet,
    Stroke,
    Words,
    letters_in,
)
from liven.liveobjects.desktop.foreign.budget import Budget
from liven.liveobjects.desktop.foreign.colours import hue_of, paper_of, size_of
from liven.liveobjects.desktop.foreign.geometry import Coordinates, arrow_head
from liven.liveobjects.desktop.foreign.json_reading import Record, number, record, records, text
from liven.liveobjects.desktop.foreign.pictures import picture_in
from liven.liveobjects.desktop.foreign.text_area import text_place
from liven.liveobjects.desktop.foreign.tldraw.arrows import way_of
from liven.liveobjects.desktop.foreign.tldraw.ink import points_of
from liven.liveobjects.desktop.foreign.tldraw.rich_text import plain_text, words_of
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.papers import CLEAR

COLOURS: Final = {
    "black": "#1d1d1d",
    "grey": "#9fa8b2",
    "light-violet": "#e085f4",
    "violet": "#ae3ec9",
    "blue": "#4465e9",
    "light-blue": "#4ba1f1",
    "yellow": "#f1ac4b",
    "orange": "#e16919",
    "green": "#099268",
    "light-green": "#4cb05e",
    "light-red": "#f87777",
    "red": "#e03131",
    "white": "#ffffff",
}
"""The colours of tldraw by name."""
_NOTE_SIDE: Final = 200.0
_TEXT_PIXELS: Final = {"s": 18.0, "m": 24.0, "l": 36.0, "xl": 44.0}
_NOTE_PIXELS: Final = {"s": 16.0, "m": 20.0, "l": 26.0, "xl": 34.0}
_WIDTHS: Final = {"s": "fine", "m": "medium", "l": "medium", "xl": "broad"}
_OUTLINES: Final = {"ellipse": "ellipse", "oval": "ellipse", "diamond": "diamond", "rhombus": "diamond"}
_FILLS: Final = {"none": "none", "semi": "tint", "solid": "tint", "pattern": "tint", "fill": "solid"}
_DASHED: Final = ("dashed", "dotted")
_LABEL_PIXELS: Final = 20.0
_LEFT: Final = {"video": "videos", "embed": "embedded pages"}


class ShapeReader:
    """Adds the shapes of a drawing to a board."""

    def __init__(self, board: Board, assets: dict[str, Record], joined: frozenset[str]) -> None:
        """Read with these `assets`. Arrows `joined` to shapes at both ends become connectors later."""
        self._board = board
        self._assets = assets
        self._joined = joined
        self._budget = Budget()
        self._group = ""
        self._kinds: dict[str, Callable[[Record, Record, Coordinates], None]] = {
            "geo": self._geo,
            "note": self._note,
            "text": self._text,
            "arrow": self._arrow,
            "line": self._line,
            "draw": self._draw,
            "highlight": self._draw,
            "image": self._image,
            "frame": self._frame,
            "bookmark": self._link,
        }

    def read(self, shape: Record, here: Coordinates, group: str) -> None:
        """Add a shape with its upper left corner `here`, or count it if it has no counterpart."""
        self._group = group
        kind, props = text(shape, "type"), record(shape.get("props"))
        if kind in self._kinds:
            self._kinds[kind](shape, props, here)
        else:
            self._board.left_out[_LEFT.get(kind, "things of an unknown kind")] += 1
            self._link(shape, props, here)

    def _geo(self, shape: Record, props: Record, here: Coordinates) -> None:
        place = here.place(number(props, "w", 100.0), number(props, "h", 100.0) + number(props, "growY"))
        words = self._budget.letters(plain_text(words_of(props)))
        colour = COLOURS.get(text(props, "color"), "")
        self._board.add(
            Outline(
                text(shape, "id"),
                place,
                _OUTLINES.get(text(props, "geo"), "box"),
                words,
                hue_of(colour),
                _FILLS.get(text(props, "fill"), "none"),
                text(props, "dash") in _DASHED,
                paper_of(colour) if text(props, "fill") not in ("", "none") else "paper",
                self._group,
                shape.get("isLocked") is True,
            )
        )
        if url := text(props, "url"):
            self._link(shape, {"url": url}, here)

    def _note(self, shape: Record, props: Record, here: Coordinates) -> None:
        scale = _scale(props)
        side = _NOTE_SIDE * scale
        place = here.place(side, side + number(props, "growY") * scale)
        words = words_of(props)
        self._budget.letters(plain_text(words))
        name = text(props, "color")
        paper = "sun" if name == "black" else paper_of(COLOURS.get(name, "#f1ac4b"))
        pixels = _NOTE_PIXELS.get(text(props, "size"), 20.0) * scale
        self._sheet(shape, place, words, paper, pixels)

    def _text(self, shape: Record, props: Record, here: Coordinates) -> None:
        words = words_of(props)
        if not letters_in(words):
            return
        plain = self._budget.letters(plain_text(words))
        scale = _scale(props)
        pixels = _TEXT_PIXELS.get(text(props, "size"), 24.0) * scale
        wraps = props.get("autoSize") is False
        wide = number(props, "w", 100.0) * scale
        lines = plain.count("\n") + 1
        align = {"middle": 0.5, "end": 1.0}.get(text(props, "textAlign") or text(props, "align"), 0.0)
        place = text_place(here.place(wide, lines * pixels * 1.35), plain, pixels, wraps=wraps, align=align)
        self._sheet(shape, place, words, CLEAR, pixels)

    def _sheet(self, shape: Record, place: Place, words: Words, paper: str, pixels: float) -> None:
        locked = shape.get("isLocked") is True
        key = text(shape, "id")
        self._board.add(Sheet(key, place, words, paper, size_of(pixels), self._group, locked))

    def _arrow(self, shape: Record, props: Record, here: Coordinates) -> None:
        if text(shape, "id") in self._joined:
            return  # a connector, as soon as all parts are there
        way = way_of(props)
        self._stroke(shape, props, [(*here.point(x, y), 0.5) for x, y in way])
        for name, tip, beyond in (("End", way[-1], way[-2]), ("Start", way[0], way[1])):
            if text(props, f"arrowhead{name}", "none") != "none":
                head = arrow_head(here.point(*tip), here.point(*beyond))
                self._stroke(shape, props, [(*point, 0.5) for point in head], name)
        words = words_of(props)
        if letters_in(words):
            plain = self._budget.letters(plain_text(words))
            x, y = here.point(*way[len(way) // 2])
            place = text_place(Place(x, y, 1, 1), plain, _LABEL_PIXELS, wraps=False, align=0.5)
            key = f"{text(shape, 'id')} label"
            self._board.add(Sheet(key, place, words, CLEAR, size_of(_LABEL_PIXELS), self._group))

    def _line(self, shape: Record, props: Record, here: Coordinates) -> None:
        found = props.get("points") or props.get("handles")
        points = list(records(list(found.values()) if isinstance(found, dict) else found))
        points.sort(key=lambda point: (text(point, "index"), text(point, "id")))
        placed = [here.point(number(one, "x"), number(one, "y")) for one in points]
        self._stroke(shape, props, [(*point, 0.5) for point in placed])

    def _draw(self, shape: Record, props: Record, here: Coordinates) -> None:
        points = [(*here.point(x, y), force) for x, y, force in points_of(props)]
        if props.get("isPen") is not True:
            points = [(x, y, 0.5) for x, y, _ in points]
        if props.get("isClosed") is True and points:
            points.append(points[0])
        self._stroke(shape, props, points)

    def _stroke(
        self, shape: Record, props: Record, points: list[tuple[float, float, float]], end: str = ""
    ) -> None:
        if not points:
            return
        self._budget.points(len(points))
        width = "broad" if shape.get("type") == "highlight" else _WIDTHS.get(text(props, "size"), "medium")
        locked = shape.get("isLocked") is True
        key = f"{text(shape, 'id')}{end}"
        self._board.add(Stroke(key, tuple(points), hue(props), width, self._group, locked))

    def _image(self, shape: Record, props: Record, here: Coordinates) -> None:
        asset = record(record(self._assets.get(text(props, "assetId"))).get("props"))
        data = picture_in(text(asset, "src"))
        if data is None:
            self._board.left_out["pictures that are not in the file"] += 1
            self._link(shape, {"url": text(asset, "src")}, here)
        elif not self._budget.picture():
            self._board.left_out["pictures beyond the limit"] += 1
        else:
            place = here.place(number(props, "w", 100.0), number(props, "h", 100.0))
            name, locked = text(asset, "name") or "Picture", shape.get("isLocked") is True
            self._board.add(Picture(text(shape, "id"), place, name, data, self._group, locked))

    def _frame(self, shape: Record, props: Record, here: Coordinates) -> None:
        place = here.place(number(props, "w", 100.0), number(props, "h", 100.0))
        name = text(props, "name") or "Frame"
        self._board.add(Frame(text(shape, "id"), place, name, shape.get("isLocked") is True))

    def _link(self, shape: Record, props: Record, here: Coordinates) -> None:
        """Add a note with the web address of a shape, if it has one."""
        url = self._budget.letters(text(props, "url")[:2_000])
        if not url.startswith(("http://", "https://")):
            return
        asset = record(record(self._assets.get(text(props, "assetId"))).get("props"))
        title = self._budget.letters(text(asset, "title")[:500])
        words = (Insert(title or url, {"link": url}),)
        place = here.place(number(props, "w", 240.0), min(number(props, "h", 80.0), 120.0))
        key = text(shape, "id")
        taken = any(part.key == key for part in self._board.parts[-1:])
        self._board.add(Sheet(f"{key} link" if taken else key, place, words, "paper"))


def hue(props: Record) -> str:
    """Return the hue of a shape."""
    return hue_of(COLOURS.get(text(props, "color"), ""))


def _scale(props: Record) -> float:
    return min(max(number(props, "scale", 1.0), 0.05), 20.0)
