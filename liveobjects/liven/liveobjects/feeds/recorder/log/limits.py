"""The limits of a recording: when it ends, when it waits for the disk, and what it keeps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.feeds.errors import BadUseError

FLOOR: Final = 256 << 20
"""Bytes that a recording leaves free on its disk."""
_UNITS: Final = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?) ?([kmgt]?)b?", re.IGNORECASE)
_SPANS: Final = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_SPAN: Final = re.compile(r"(\d+(?:\.\d+)?) ?(s|min|h|d|w)?", re.IGNORECASE)


class BadLimitError(BadUseError):
    """A size or a span of time cannot be read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits in bytes and seconds; None is none."""

    most_bytes: int | None = None
    """The size at which the recording ends."""
    floor: int = FLOOR
    """Bytes of the disk that stay free: with less, the recording pauses."""
    keep_bytes: int | None = None
    """The size beyond which the oldest records are deleted."""
    keep_seconds: float | None = None
    """The age beyond which records are deleted."""


def bytes_of(text: str) -> int:
    """Return a size that a person wrote, such as 500MB; raise BadLimitError."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise BadLimitError(f"{text!r} is not a size; write one such as 500MB or 2GB")
    return int(float(found[1]) * _UNITS[found[2].lower()])


def seconds_of(text: str) -> float:
    """Return a span of time that a person wrote, such as 90s, 10min or 2h; raise BadLimitError."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise BadLimitError(f"{text!r} is not a span of time; write one such as 90s, 10min, 2h or 7d")
    return float(found[1]) * _SPANS[(found[2] or "s").lower()]
