"""The pictures of a board of another program, made ready in a worker: checked, painted and measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QSizeF, Qt
from PySide6.QtGui import QImage

from liven.liveobjects.desktop.foreign.board import Board, ForeignError, Part, Picture
from liven.liveobjects.desktop.foreign.svg import is_svg
from liven.liveobjects.desktop.view.transfer.svg_painting import paint_svg
from liven.liveobjects.image.picture_header import NoPictureError, measure
from liven.liveobjects.image.view.uploads import check_whole

_LONGEST, _SHORTEST = 360.0, 24.0
"""The sides of a picture whose place was only a guess."""
_LARGE_PAGE: Final = 600_000
"""Bytes above which a page is likely to be a photograph."""
_FINE: Final = 88
_DAMAGED: Final = "damaged pictures"


def with_ready_pictures(board: Board) -> Board:
    """Return a board whose pictures can be shown. Those that cannot are left out, and counted; if nothing
    else is on the board, raise ForeignError with the reason."""
    parts: list[Part] = []
    left_out = board.left_out.copy()
    why = ""
    for part in board.parts:
        if not isinstance(part, Picture):
            parts.append(part)
            continue
        try:
            parts.append(_ready(part))
        except (ForeignError, NoPictureError) as error:
            left_out[_DAMAGED] += 1
            why = str(error)
    if why and not parts:
        raise ForeignError(why)
    return Board(parts, board.arrows, left_out)


def page_picture(pixels: bytes, width: int, height: int) -> bytes:
    """Return the bytes of a picture file for a page: as PNG, or as JPEG if that is far smaller."""
    page = QImage(pixels, width, height, 4 * width, QImage.Format.Format_RGB32)
    data = _saved(page, "PNG", -1)
    if len(data) <= _LARGE_PAGE:
        return data
    packed = _saved(page, "JPEG", _FINE)
    return packed if 2 * len(packed) < len(data) else data


def _saved(page: QImage, kind: str, quality: int) -> bytes:
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    page.save(held, kind, quality)  # type: ignore[call-overload]  # its stub wants bytes for the format
    return bytes(held.data().data())


def _ready(picture: Picture) -> Picture:
    if is_svg(picture.data):
        data, size = paint_svg(picture.data)
        picture = replace(picture, data=data)
    else:
        check_whole(picture.data)
        header = measure(picture.data)
        size = QSizeF(header.width, header.height)
    return _fitted(picture, size) if picture.fits else picture


def _fitted(picture: Picture, size: QSizeF) -> Picture:
    """Return a picture with the proportions of its contents."""
    longest = min(max(size.width(), size.height()), _LONGEST)
    fitting = size.scaled(longest, longest, Qt.AspectRatioMode.KeepAspectRatio)
    fitting = fitting.expandedTo(QSizeF(_SHORTEST, _SHORTEST))
    return replace(picture, place=replace(picture.place, width=fitting.width(), height=fitting.height()))
