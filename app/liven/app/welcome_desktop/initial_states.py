"""Encoded states with which new objects begin, as the recipes of their channels contain them."""

from __future__ import annotations

from dataclasses import asdict

from liven.liveobjects.channel.api.recipes import seed_of
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.wire import DesktopState
from liven.liveobjects.desktop.wire import packed as packed_desktop
from liven.liveobjects.text.document import Document, Insert, Look
from liven.liveobjects.text.object import PLAIN_WRITER
from liven.liveobjects.text.wire import packed as packed_text
from liven.types.declare import TermBuilder
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT


def desktop_seed(state: Desktop) -> str:
    """Return the encoded state of a desktop."""
    return seed_of(
        TermBuilder(Formalisms(builtin_formalisms())).value_of(DesktopState), asdict(packed_desktop(state))
    )


def note_seed(*lines: tuple[str, Look]) -> str:
    """Return the encoded state of a note with these paragraphs and styles. Equal lines give equal results."""
    parts = [part for text, look in lines for part in (Insert(text, {}), Insert("\n", look)) if part.text]
    return seed_of(TEXT, packed_text(Document(writer=PLAIN_WRITER).edit(tuple(parts))))
