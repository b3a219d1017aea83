"""Scenes of Excalidraw inside pictures: PNG files carry them in a text chunk, SVG files in a comment. Both
hold JSON whose `encoded` is the scene, as compressed bytes written as a text of Latin characters."""

from __future__ import annotations

import re
import struct
import zlib
from base64 import b64decode
from binascii import Error
from typing import Final

from liven.liveobjects.desktop.foreign.board import LARGEST_FILE, ForeignError
from liven.liveobjects.desktop.foreign.json_reading import parsed, record

_KEY: Final = b"application/vnd.excalidraw+json\0"
_SVG: Final = re.compile(rb"<!--\s*payload-start\s*-->\s*([A-Za-z0-9+/=\s]+?)\s*<!--\s*payload-end\s*-->")
_HEAD: Final = 8


def scene_in_png(data: bytes) -> bytes | None:
    """Return the scene in a PNG file, as JSON; None if there is none."""
    at = _HEAD
    while at + _HEAD <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, start = data[at + 4 : at + 8], at + _HEAD
        if kind == b"tEXt" and data[start : start + len(_KEY)] == _KEY:
            return _scene(data[start + len(_KEY) : start + length])
        at = start + length + 4
    return None


def scene_in_svg(data: bytes) -> bytes | None:
    """Return the scene in an SVG file, as JSON; None if there is none."""
    found = _SVG.search(data)
    if found is None:
        return None
    try:
        return _scene(b64decode(b"".join(found.group(1).split()), validate=True))
    except Error:
        raise ForeignError("its scene is damaged; export it again") from None


def _scene(packed: bytes) -> bytes:
    """Return a scene from its envelope. The oldest files have none."""
    envelope = record(parsed(packed))
    encoded = envelope.get("encoded")
    if not isinstance(encoded, str):
        return packed
    try:
        whole = encoded.encode("latin-1")
        return _inflated(whole) if envelope.get("compressed") is True else whole
    except (UnicodeEncodeError, zlib.error):
        raise ForeignError("its scene is damaged; export it again") from None


def _inflated(data: bytes) -> bytes:
    """Return compressed bytes whole, up to the limit of a file."""
    stream = zlib.decompressobj()
    found = stream.decompress(data, LARGEST_FILE)
    if stream.unconsumed_tail:
        raise ForeignError(f"its scene has more than {LARGEST_FILE / 1e6:.0f} MB; divide it")
    return found
