"""Explanations for a text or file that is not a recipe: most often it was meant as something else."""

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
"""Control characters that no written text contains."""


def meant_as_recipe(text: str) -> bool:
    """Return true if a text begins like a recipe."""
    return _MARKUP.match(text) is not None


def is_pdf(data: bytes) -> bool:
    """Return true for the bytes of a PDF file, which may look like a text."""
    return b"%PDF-" in data[:_BEGINNING]


def text_in(data: bytes) -> str | None:
    """Return the text in a file's bytes, or None if they are not text."""
    if is_pdf(data):
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if not text.strip() or _NOT_WRITTEN.search(text) else text


def text_at(beginning: bytes) -> str | None:
    """Return the text at the beginning of a file, or None. Its last character may be cut off."""
    try:
        whole = codecs.getincrementaldecoder("utf-8-sig")().decode(beginning)
    except UnicodeDecodeError:
        return None
    return text_in(whole.encode())


def other_thing(data: bytes) -> str:
    """Return the kind of thing that was mistaken for a recipe; empty if that is unknown."""
    if looks_like_picture(data):
        return PICTURE
    text = text_in(data)
    return TEXT if text is not None and not text.lstrip().startswith("<") else ""


def why_unread(data: bytes, error: ReadError) -> str:
    """Return the reason why a recipe cannot be read."""
    ill = error.reason.startswith("not well-formed") and "Extra content" not in error.reason
    if ill and b"</Root" not in data and meant_as_recipe(data[:_BEGINNING].decode(errors="replace")):
        return f"its end is missing; copy or send all of it again ({error})"
    return str(error)
