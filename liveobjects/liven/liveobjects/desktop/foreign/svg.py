"""SVG files as pictures: recognised and measured here, painted in view/transfer."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from liven.liveobjects.desktop.foreign.board import Board, ForeignError, Picture
from liven.liveobjects.desktop.state import Place

LARGEST: Final = 4 * 1024 * 1024
"""The largest SVG file: painting one takes as long as its elements, and there is no limit on those."""
_BEGINNING: Final = 4_000
_TAG: Final = re.compile(rb"<svg[\s>]", re.IGNORECASE)
_SIDE: Final = 360.0


def is_svg(data: bytes) -> bool:
    """Return True for a file that begins like an SVG drawing."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and _TAG.search(data[:_BEGINNING]) is not None


def svg_picture(data: bytes, name: str) -> Board:
    """Return a board with an SVG drawing as a picture, whose size is known when it has been painted."""
    if len(data) > LARGEST:
        raise ForeignError(f"it has {len(data) / 1e6:.1f} MB; the limit of SVG is {LARGEST / 1e6:.0f} MB")
    if not is_svg(data):
        raise ForeignError("it is not an SVG drawing")
    title = PurePath(name).stem or "Picture"
    return Board([Picture("svg", Place(0, 0, _SIDE, _SIDE), title, data, fits=True)])
