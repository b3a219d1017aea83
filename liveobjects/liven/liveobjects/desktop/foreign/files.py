"""Files and clipboards of other programs: which format they have, and the board that they hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from liven.liveobjects.desktop.foreign.board import Board, ForeignError, Picture
from liven.liveobjects.desktop.foreign.csv_table import table_card
from liven.liveobjects.desktop.foreign.excalidraw.embedded_scene import scene_in_png, scene_in_svg
from liven.liveobjects.desktop.foreign.excalidraw.reader import is_excalidraw, read_excalidraw
from liven.liveobjects.desktop.foreign.json_reading import parsed
from liven.liveobjects.desktop.foreign.svg import is_svg, svg_picture
from liven.liveobjects.desktop.foreign.tldraw.reader import read_tldraw
from liven.liveobjects.desktop.foreign.tldraw.records import (
    clipboard_in,
    is_tldraw,
    records_in_clipboard,
    records_in_file,
)
from liven.liveobjects.desktop.state import Place

_PNG: Final = b"\x89PNG"
_CLIPBOARD: Final = '"excalidraw'
_BEGINNING: Final = 200


@dataclass(slots=True)
class Source:
    """Something to read: its name for people, and a function that returns its board, in a worker."""

    name: str
    read: Callable[[], Board]
    stop: Callable[[], object] = lambda: None
    """Ends the reading early, where that is possible."""
    progress: str = ""
    """The part that is read, in words for people."""


def board_in(data: bytes, name: str) -> Board:
    """Return the board in a file. Raise ForeignError if there is none."""
    lower = name.lower()
    if lower.endswith((".csv", ".tsv")):
        return table_card(data, name)
    if data.startswith(_PNG):
        scene = scene_in_png(data)
        return _picture(data, name) if scene is None else _drawn(parsed(scene))
    if is_svg(data):
        scene = scene_in_svg(data) if lower.endswith(".excalidraw.svg") else None
        return svg_picture(data, name) if scene is None else _drawn(parsed(scene))
    return _drawn(parsed(data))


def text_source(text: str) -> Source | None:
    """Return what was copied in Excalidraw, or the source of an SVG picture; None for any other text."""
    start = text.lstrip()[:_BEGINNING]
    if start.startswith("{") and _CLIPBOARD in start:
        return Source("the board", lambda: _drawn(parsed(text)))
    if start.startswith("<svg"):
        return Source("the picture", lambda: svg_picture(text.encode(errors="replace"), "Picture"))
    return None


def html_source(html: str) -> Source | None:
    """Return what was copied in tldraw; None for any other page."""
    packed = clipboard_in(html)
    return None if packed is None else Source("the board", lambda: read_tldraw(records_in_clipboard(packed)))


def _picture(data: bytes, name: str) -> Board:
    """Return a board with a picture that holds no scene."""
    return Board([Picture("picture", Place(0, 0, 1, 1), name.partition(".")[0], data, fits=True)])


def _drawn(found: Any) -> Board:
    if is_excalidraw(found):
        return read_excalidraw(found)
    if is_tldraw(found):
        return read_tldraw(records_in_file(found))
    raise ForeignError("it is neither a board of Excalidraw nor one of tldraw")
