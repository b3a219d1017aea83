"""Encoded states with which new objects begin, as the recipes of their channels contain them."""

from __future__ import annotations

from liven.liveobjects.channel.api.recipes import seed_of
from liven.liveobjects.desktop.recipe import desktop_seed
from liven.liveobjects.text.document import Document, Insert, Look
from liven.liveobjects.text.object import PLAIN_WRITER
from liven.liveobjects.text.wire import packed as packed_text
from liven.types.terms.value_types import TEXT

__all__ = ["desktop_seed", "note_seed"]


def note_seed(*lines: tuple[str, Look]) -> str:
    """Return the encoded state of a note with these paragraphs and styles. Equal lines give equal results."""
    parts = [part for text, look in lines for part in (Insert(text, {}), Insert("\n", look)) if part.text]
    return seed_of(TEXT, packed_text(Document(writer=PLAIN_WRITER).edit(tuple(parts))))
