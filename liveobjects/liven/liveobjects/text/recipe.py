"""Recipes of new notes: an empty one, and one that begins with a text."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.api.recipes import channel, seed_of, shared
from liven.liveobjects.text.document import Delta, Document, Insert
from liven.liveobjects.text.markdown import delta_of
from liven.liveobjects.text.object import PLAIN_WRITER
from liven.liveobjects.text.papers import CLEAR
from liven.liveobjects.text.wire import packed
from liven.runtime.reference.model import Object
from liven.types.terms.value_types import TEXT

MOST_BYTES: Final = 500_000
"""The most bytes of a text in a recipe. Encoding doubles it, and a desktop accepts a million characters."""
_TEXT = "982130E40A294E3CAD5441841E87941E"
"""The id of texts in files of the original program."""
_LONGEST_NAME = 40


class TooMuchTextError(ValueError):
    """The text is too long for a recipe; the message names the limit."""


def note(name: str, on: str = "", seed: str = "", *, paper: str = "", size: str = "") -> Object:
    """Return the recipe of a note on a channel called `on`, on another paper or in letters of another
    size if they are given."""
    if paper or size:
        page = Document(writer=PLAIN_WRITER)
        for setting, value in (("paper", paper), ("size", size)):
            if value:
                page.set(setting, value)
        seed = seed_of(TEXT, packed(page.whole()))
    return shared("liven:text", name, channel(_TEXT, _TEXT, on, seed))


def plain_text(name: str) -> Object:
    """Return the recipe of a text without paper, which stands on the plane itself."""
    return note(name, paper=CLEAR)


def written(text: str, name: str = "", *, markdown: bool = False) -> Object:
    """Return the recipe of a new note that holds a text, which may be in Markdown. Its default name is the
    beginning of the text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace").decode()
    size = len(text.encode())
    if size > MOST_BYTES:
        raise TooMuchTextError(why_too_much(size))
    return formatted(delta_of(text) if markdown else (Insert(text, {}),), name)


def formatted(words: Delta, name: str = "", *, paper: str = "", size: str = "") -> Object:
    """Return the recipe of a new note with a formatted text, which must insert only. Its default name is the
    beginning of the text."""
    text = "".join(one.text for one in words if isinstance(one, Insert))
    if len(text.encode()) > MOST_BYTES:
        raise TooMuchTextError(why_too_much(len(text.encode())))
    page = Document(writer=PLAIN_WRITER)
    if words:
        page.edit(words)
    for setting, value in (("paper", paper), ("size", size)):
        if value:
            page.set(setting, value)
    return note(name or _called(text), seed=seed_of(TEXT, packed(page.whole())))


def why_too_much(size: int) -> str:
    """Explain why a text of this size cannot become a note, and what to do instead."""
    return (
        f"the text has {size / 1e6:.1f} MB; the limit here is {MOST_BYTES / 1e6:.1f} MB."
        " Make a note and paste the text there"
    )


def _called(text: str) -> str:
    first = text.strip().partition("\n")[0]
    plain = "".join(sign for sign in first[: 2 * _LONGEST_NAME] if sign.isprintable()).strip()
    return f"{plain[: _LONGEST_NAME - 1].strip()}…" if len(plain) > _LONGEST_NAME else plain or "Note"
