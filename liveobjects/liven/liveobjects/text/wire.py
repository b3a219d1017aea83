"""Edits and checkpoints of a note as texts, which its channel carries.

The note of the original program sent its whole text each time, and its files declare a channel of texts. Our
edits are such texts with a mark in front. A text without the mark is a whole text, as in the original."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error

from liven.liveobjects.text.yjs_update import BrokenUpdateError

MARK = "liven-text-1:"


def packed(update: bytes) -> str:
    """Return bytes as a marked text."""
    return MARK + b64encode(update).decode("ascii")


def is_plain(text: str) -> bool:
    """Return true if a message is a whole text."""
    return not text.startswith(MARK)


def unpacked(text: str) -> bytes:
    """Return the bytes of a marked text. Raise BrokenUpdateError if it is invalid."""
    try:
        return b64decode(text[len(MARK) :], validate=True)
    except (Error, ValueError) as error:
        raise BrokenUpdateError(f"an invalid edit: {error}") from None
