"""Reading boards of Excalidraw: its files, its clipboard, and the scenes in its pictures."""

from __future__ import annotations

from typing import Any, Final

from liven.liveobjects.desktop.foreign.board import (
    MOST_PARTS,
    Arrow,
    Board,
    ForeignError,
    Frame,
    Outline,
    Picture,
    Sheet,
    Stroke,
)
from liven.liveobjects.desktop.foreign.budget import Budget
from liven.liveobjects.desktop.foreign.colours import hue_of, is_pale, paper_of, size_of
from liven.liveobjects.desktop.foreign.excalidraw import fields
from liven.liveobjects.desktop.foreign.geometry import arrow_head, turned_about
from liven.liveobjects.desktop.foreign.json_reading import Record, number, record, records, text
from liven.liveobjects.desktop.foreign.pictures import picture_in
from liven.liveobjects.desktop.foreign.text_area import text_place
from liven.liveobjects.desktop.state import Style
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.papers import CLEAR

KINDS: Final = ("excalidraw", "excalidraw/clipboard", "excalidraw-api/clipboard")
"""The values of `type` at the top of a file or of the clipboard."""
_OUTLINES: Final = {"rectangle": "box", "ellipse": "ellipse", "diamond": "diamond"}
_LINES: Final = ("line", "arrow", "draw")
_LEFT: Final = {"embeddable": "embedded pages", "iframe": "embedded pages"}
_ALIGNED: Final = {"center": 0.5, "right": 1.0}
_UNSEEN: Final = ("", "transparent")
_LARGE_LETTERS: Final = 20.0
_LONGEST_URL: Final = 2_000


def is_excalidraw(found: object) -> bool:
    """Return True for the contents of a file or of the clipboard of Excalidraw."""
    return isinstance(found, dict) and found.get("type") in KINDS


def read_excalidraw(found: Record) -> Board:
    """Return the board in a parsed file or clipboard. Raise ForeignError if there is nothing on it."""
    elements = [one for one in records(found.get("elements")) if one.get("isDeleted") is not True]
    if not elements:
        raise ForeignError("there is nothing on this board of Excalidraw")
    if len(elements) > 2 * MOST_PARTS:
        raise ForeignError(f"it has {len(elements):,} things; the limit is {MOST_PARTS:,}. Divide it")
    return _Reader(elements, record(found.get("files"))).board


class _Reader:
    def __init__(self, elements: list[Record], files: Record) -> None:
        self.board = Board()
        self._files = files
        self._budget = Budget()
        self._by_id = {text(one, "id"): one for one in elements}
        self._labels = {
            text(one, "containerId"): one
            for one in elements
            if one.get("type") == "text" and text(one, "containerId") in self._by_id
        }
        for element in elements:
            self._read(element)
        for element in elements:
            if element.get("type") == "arrow":
                self._connect(element)

    def _read(self, element: Record) -> None:
        kind = element.get("type")
        if kind in _OUTLINES:
            self._outline(element, _OUTLINES[str(kind)])
        elif kind == "text":
            if text(element, "containerId") not in self._by_id:
                self._text(element)
        elif kind in _LINES:
            if kind != "arrow" or self._ends(element) is None:
                self._line(element)
        elif kind == "freedraw":
            self._stroke(element, list(fields.points(element)), fields.pressures(element))
        elif kind in ("frame", "magicframe"):
            self._frame(element)
        elif kind == "image":
            self._picture(element)
        elif kind != "selection":
            self._other(element, _LEFT.get(str(kind), "things of an unknown kind"))

    def _outline(self, element: Record, outline: str) -> None:
        paint = text(element, "backgroundColor")
        filled = hue_of(paint) if paint not in _UNSEEN else ""
        is_full = element.get("fillStyle") == "solid" and not is_pale(paint)
        label = self._labels.get(text(element, "id"))
        words = "" if label is None else self._budget.letters(fields.written(label))
        link = text(element, "link")[:_LONGEST_URL]
        if link:
            words = f"{words}\n{link}" if words else link
        self.board.add(
            Outline(
                text(element, "id"),
                fields.place(element),
                outline,
                words,
                hue_of(text(element, "strokeColor")) or filled,
                "none" if paint in _UNSEEN else "solid" if is_full else "tint",
                fields.is_dashed(element),
                paper_of(paint),
                fields.group(element),
                fields.is_locked(element),
            )
        )

    def _text(self, element: Record) -> None:
        words = self._budget.letters(fields.written(element))
        if not words.strip():
            return
        link = text(element, "link")[:_LONGEST_URL]
        look: dict[str, Any] = {"link": link} if link.startswith(("http://", "https://")) else {}
        pixels = number(element, "fontSize", _LARGE_LETTERS)
        align = _ALIGNED.get(text(element, "textAlign"), 0.0)
        wraps = element.get("autoResize") is False
        place = text_place(fields.place(element), words, pixels, wraps=wraps, align=align)
        self.board.add(
            Sheet(
                text(element, "id"),
                place,
                (Insert(words, look),),
                CLEAR,
                size_of(pixels),
                fields.group(element),
                fields.is_locked(element),
            )
        )

    def _line(self, element: Record) -> None:
        points = list(fields.points(element))
        if element.get("roundness") or element.get("strokeSharpness") == "round":
            points = list(fields.rounded(points))
        self._stroke(element, points, [])
        for end, name in ((-1, "endArrowhead"), (0, "startArrowhead")):
            if element.get("type") == "arrow" and fields.head(element, name) != "none" and len(points) > 1:
                beyond = points[-2] if end else points[1]
                self._stroke(element, arrow_head(points[end], beyond), [], f"{text(element, 'id')}{name}")
        label = self._labels.get(text(element, "id"))
        if label is not None:
            self._text(label)

    def _stroke(
        self,
        element: Record,
        points: list[tuple[float, float]],
        pressures: list[float],
        key: str = "",
    ) -> None:
        if not points:
            return
        x, y = number(element, "x"), number(element, "y")
        placed = turned_about([(x + px, y + py) for px, py in points], number(element, "angle"))
        self._budget.points(len(placed))
        pressed = pressures if len(pressures) == len(points) else [0.5] * len(points)
        self.board.add(
            Stroke(
                key or text(element, "id"),
                tuple((px, py, force) for (px, py), force in zip(placed, pressed, strict=True)),
                hue_of(text(element, "strokeColor")),
                fields.width(number(element, "strokeWidth", 2.0), element.get("type") == "freedraw"),
                fields.group(element),
                fields.is_locked(element),
            )
        )

    def _frame(self, element: Record) -> None:
        name = text(element, "name") or "Frame"
        self.board.add(Frame(text(element, "id"), fields.place(element), name, fields.is_locked(element)))

    def _picture(self, element: Record) -> None:
        file = record(self._files.get(text(element, "fileId")))
        data = picture_in(text(file, "dataURL"))
        if data is None:
            self._other(element, "pictures that are not in the file")
            return
        if not self._budget.picture():
            self._other(element, "pictures beyond the limit")
            return
        key, locked = text(element, "id"), fields.is_locked(element)
        self.board.add(Picture(key, fields.place(element), "Picture", data, fields.group(element), locked))

    def _other(self, element: Record, kind: str) -> None:
        """Keep a link to what has no counterpart, and count it."""
        self.board.left_out[kind] += 1
        link = text(element, "link")[:_LONGEST_URL]
        if link.startswith(("http://", "https://")):
            words = (Insert(link, {"link": link}),)
            self.board.add(Sheet(text(element, "id"), fields.place(element), words, "paper"))

    def _ends(self, element: Record) -> tuple[str, str] | None:
        """Return the two parts that an arrow joins; None for one with a free end."""
        found: list[str] = []
        for name in ("startBinding", "endBinding"):
            end = text(record(element.get(name)), "elementId")
            target = self._by_id.get(end)
            if target is not None and target.get("type") == "text":
                end = text(target, "containerId") if text(target, "containerId") in self._by_id else end
                target = self._by_id.get(end)
            if target is None or target.get("type") in _LINES:
                return None
            found.append(end)
        return None if found[0] == found[1] else (found[0], found[1])

    def _connect(self, element: Record) -> None:
        ends = self._ends(element)
        if ends is None:
            return
        label = self._labels.get(text(element, "id"))
        words = "" if label is None else " ".join(self._budget.letters(fields.written(label)).split())
        shape = "corners" if element.get("elbowed") is True else "straight"
        if shape == "straight" and element.get("roundness") and len(list(fields.points(element))) > 2:
            shape = "curve"
        style = Style(
            shape,
            fields.head(element, "startArrowhead"),
            fields.head(element, "endArrowhead"),
            fields.is_dashed(element),
            hue_of(text(element, "strokeColor")),
        )
        self.board.arrows.append(Arrow(*ends, words, style))
