"""Why something is no recipe of an object, in plain words: most often it was not meant as one."""

from __future__ import annotations

import codecs
import re
from typing import Final

from liven.liveobjects.image.picture_header import looks_like_picture
from liven.runtime.reference.errors import ReadError

PICTURE: Final = "a picture"
TEXT: Final = "a text"
_MARKUP = re.compile(r"[\s\ufeff]*<(\?xml|!--|Root\b)")
_BEGINNING = 1000
_NOT_WRITTEN = re.compile("[\x00-\x08\x0e-\x1f]")
"""Signs that stand in no text that somebody wrote."""


def meant_as_recipe(text: str) -> bool:
    """Whether a text begins as recipes do."""
    return _MARKUP.match(text) is not None


def text_in(data: bytes) -> str | None:
    """The text that a file holds, if it is one that somebody wrote."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if not text.strip() or _NOT_WRITTEN.search(text) else text


def text_at(beginning: bytes) -> str | None:
    """The text that a file begins with, if it is one that somebody wrote; its last letter may be cut off."""
    try:
        whole = codecs.getincrementaldecoder("utf-8-sig")().decode(beginning)
    except UnicodeDecodeError:
        return None
    return text_in(whole.encode())


def other_thing(data: bytes) -> str:
    """What somebody took for a recipe that was not meant as one; empty if that is not known."""
    if looks_like_picture(data):
        return PICTURE
    text = text_in(data)
    return TEXT if text is not None and not text.lstrip().startswith("<") else ""


def why_unread(data: bytes, error: ReadError) -> str:
    """Why something that was meant as a recipe cannot be read."""
    ill = error.reason.startswith("not well-formed") and "Extra content" not in error.reason
    if ill and b"</Root" not in data and meant_as_recipe(data[:_BEGINNING].decode(errors="replace")):
        return f"it is cut off: its end is missing, so copy or send the whole of it again ({error})"
    return str(error)
