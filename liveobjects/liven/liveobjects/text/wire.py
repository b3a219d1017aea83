"""Edits and states of a note as the texts that its channel carries.

The original's note sent its whole text each time, and its files name a channel of texts for it. An edit of
ours is such a text with a mark before it; one without the mark is a whole text, as the original meant it.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error

from liven.liveobjects.text.yjs_update import BrokenUpdateError

MARK = "liven-text-1:"


def packed(update: bytes) -> str:
    """Bytes as a text."""
    return MARK + b64encode(update).decode("ascii")


def is_plain(text: str) -> bool:
    """Whether it is a whole text."""
    return not text.startswith(MARK)


def unpacked(text: str) -> bytes:
    """The bytes of a text that is not plain; BrokenUpdateError if it has none."""
    try:
        return b64decode(text[len(MARK) :], validate=True)
    except (Error, ValueError) as error:
        raise BrokenUpdateError(f"an edit that cannot be read: {error}") from None
