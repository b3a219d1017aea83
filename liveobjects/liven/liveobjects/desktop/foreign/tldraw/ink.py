"""The points of strokes of tldraw, in the three forms of the last years: as numbers, as half floats in
base64, and as differences of half floats in base64."""

from __future__ import annotations

import binascii
import struct
from base64 import b64decode
from collections.abc import Iterator
from typing import Final, TypeAlias

from liven.liveobjects.desktop.foreign.json_reading import Record, finite, number, records

Point: TypeAlias = tuple[float, float, float]
_PLAIN: Final = 0.5
"""The pressure of a pen that tells none."""
_LONGEST: Final = 8_000_000


def points_of(props: Record) -> Iterator[Point]:
    """Yield the points of all segments of a stroke, from its upper left corner."""
    across, down = number(props, "scaleX", 1.0), number(props, "scaleY", 1.0)
    for segment in records(props.get("segments")):
        for x, y, pressure in _segment(segment):
            yield finite(x * across), finite(y * down), min(max(finite(pressure, _PLAIN), 0.0), 1.0)


def _segment(segment: Record) -> Iterator[Point]:
    path, points = segment.get("path"), segment.get("points")
    if isinstance(path, str):
        yield from _differences(_bytes(path), flat=segment.get("dim") == 2)
    elif isinstance(points, str):
        data = _bytes(points)
        yield from struct.iter_unpack("<3e", data[: len(data) // 6 * 6])
    else:
        for point in records(points):
            yield number(point, "x"), number(point, "y"), number(point, "z", _PLAIN)


def _differences(data: bytes, *, flat: bool) -> Iterator[Point]:
    """Yield points of which the first is whole, and each other one a difference from the one before."""
    count = 2 if flat else 3
    first = struct.Struct(f"<{count}f")
    if len(data) < first.size:
        return
    at = list(first.unpack_from(data))
    yield _point(at)
    rest = data[first.size :]
    step = struct.Struct(f"<{count}e")
    for moved in step.iter_unpack(rest[: len(rest) // step.size * step.size]):
        at = [one + by for one, by in zip(at, moved, strict=True)]
        yield _point(at)


def _point(at: list[float]) -> Point:
    return at[0], at[1], at[2] if len(at) > 2 else _PLAIN


def _bytes(packed: str) -> bytes:
    """Return the bytes of a text in base64; none of a damaged one."""
    try:
        return b64decode(packed[:_LONGEST], validate=True)
    except (binascii.Error, ValueError):
        return b""
