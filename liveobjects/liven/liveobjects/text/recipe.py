"""Recipes of notes: of one that begins empty, and of one that begins with a text that somebody brings."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.api.recipes import channel, seed_of, shared
from liven.liveobjects.text.document import Document, Insert
from liven.liveobjects.text.object import PLAIN_WRITER
from liven.liveobjects.text.wire import packed
from liven.runtime.reference.model import Object
from liven.types.terms.value_types import TEXT

MOST_BYTES: Final = 500_000
"""Of a text that a recipe carries; in there it is twice as long, and a desktop takes a million letters."""
_TEXT = "982130E40A294E3CAD5441841E87941E"
"""The id under which texts stand in files since the original."""
_LONGEST_NAME = 40


class TooMuchTextError(ValueError):
    """The text is too long for a recipe; says how long it may be."""


def note(name: str, on: str = "", seed: str = "") -> Object:
    """A note, on a channel called `on`."""
    return shared("liven:text", name, channel(_TEXT, _TEXT, on, seed))


def written(text: str, name: str = "") -> Object:
    """A new note on which a text stands already; it is called as the text begins if no name is given."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace").decode()
    size = len(text.encode())
    if size > MOST_BYTES:
        raise TooMuchTextError(why_too_much(size))
    page = Document(writer=PLAIN_WRITER).edit((Insert(text, {}),))
    return note(name or _called(text), seed=seed_of(TEXT, packed(page)))


def why_too_much(size: int) -> str:
    """Why a text of so many bytes becomes no note, and how it comes into one."""
    return (
        f"the text has {size:,} bytes; {MOST_BYTES:,} are the most that can be taken in so."
        " Make a note, and paste it there"
    )


def _called(text: str) -> str:
    first = text.strip().partition("\n")[0]
    plain = "".join(sign for sign in first[: 2 * _LONGEST_NAME] if sign.isprintable()).strip()
    return f"{plain[: _LONGEST_NAME - 1].strip()}…" if len(plain) > _LONGEST_NAME else plain or "Note"
