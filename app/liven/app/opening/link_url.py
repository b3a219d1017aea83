"""Links: `liven:` and what follows it, as web pages, notes and the desktop hand them to us.

`liven:///PATH` is a file of this machine. `liven:object,DATA` carries the recipe itself: compressed XML in
the letters that URLs may have. Opening a link is no more than opening a file: what needs code asks first.
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
"""Bytes of a recipe; a link that unfolds to more is refused before it does."""


class LinkError(ValueError):
    """A text that is no link of ours; says why."""


def is_link(text: str) -> bool:
    """Whether it is one for us."""
    return text[: len(SCHEME)].lower() == SCHEME


def link_to(recipe: bytes) -> str:
    """A link that carries a recipe."""
    packed = zlib.compress(recipe, 9)
    return SCHEME + _OBJECT + urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def read_link(text: str) -> Path | bytes:
    """The file that a link names, or the recipe that it carries."""
    if not is_link(text):
        raise LinkError("it does not begin with liven:")
    if len(text) > LONGEST:
        raise LinkError(f"it has {len(text):,} characters; {LONGEST:,} is the most")
    rest = text[len(SCHEME) :].removeprefix("//")
    if rest.startswith(_OBJECT):
        return _unfolded(rest[len(_OBJECT) :])
    path = file_of(text)
    if path is None:
        raise LinkError("it names no file of this machine; write liven:///PATH")
    return path


def file_of(url: str) -> Path | None:
    """The file of this machine that a URL names, by its path from the root; None if it names none."""
    try:
        found = urlsplit(url)
        path = os.fsdecode(unquote_to_bytes(found.path))  # names of files are bytes, and need be no text
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
        raise LinkError(f"what it carries cannot be read ({error})") from None
    if unfolding.unconsumed_tail or not unfolding.eof:
        raise LinkError("what it carries is too large, or was cut off")
    return recipe
