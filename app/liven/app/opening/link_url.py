"""`liven:` links, as web pages, notes and the operating system pass them to this program.

`liven:///PATH` names a file of this machine. `liven:object,DATA` contains the recipe itself: compressed XML
in URL-safe base64. Opening a link is as safe as opening a file: new code runs only after a question.
"""

from __future__ import annotations

import os
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

SCHEME = "liven:"
_OBJECT = "object,"
LONGEST = 256 * 1024
LARGEST = 4 * 1024 * 1024
"""Largest recipe in bytes; decompression stops at this size."""


class LinkError(ValueError):
    """Raised for a text that is not a valid link."""


def is_link(text: str) -> bool:
    """Return True for a `liven:` URL."""
    return text[: len(SCHEME)].lower() == SCHEME


def link_to(recipe: bytes) -> str:
    """Return a link that contains a recipe."""
    packed = zlib.compress(recipe, 9)
    return SCHEME + _OBJECT + urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def read_link(text: str) -> Path | bytes:
    """Return the file that a link names, or the recipe that it contains."""
    if not is_link(text):
        raise LinkError("it does not begin with liven:")
    if len(text) > LONGEST:
        raise LinkError(f"it has {len(text):,} characters; {LONGEST:,} is the limit")
    rest = text[len(SCHEME) :].removeprefix("//")
    if rest.startswith(_OBJECT):
        return _unfolded(rest[len(_OBJECT) :])
    path = file_of(text)
    if path is None:
        raise LinkError("it names no file of this machine; use liven:///PATH")
    return path


def file_of(url: str) -> Path | None:
    """Return the absolute path in a `file:` URL of this machine; None if it names none."""
    try:
        found = urlsplit(url)
        path = os.fsdecode(unquote_to_bytes(found.path))  # file names are bytes and need not be valid UTF-8
    except ValueError:
        return None
    good = found.netloc in ("", "localhost") and path.startswith("/") and "\x00" not in path
    return Path(path) if good else None


def _unfolded(data: str) -> bytes:
    try:
        packed = urlsafe_b64decode(data + "=" * (-len(data) % 4))
        unfolding = zlib.decompressobj()
        recipe = unfolding.decompress(packed, LARGEST)
    except (ValueError, zlib.error) as error:
        raise LinkError(f"its contents cannot be read ({error})") from None
    if unfolding.unconsumed_tail or not unfolding.eof:
        raise LinkError("its contents are too large or incomplete")
    return recipe
