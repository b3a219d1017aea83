"""Seeds: states that a thing begins with, as its channel's recipe carries them."""

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
    """A desktop to begin with."""
    return seed_of(
        TermBuilder(Formalisms(builtin_formalisms())).value_of(DesktopState), asdict(packed_desktop(state))
    )


def note_seed(*lines: tuple[str, Look]) -> str:
    """A page to begin with: its paragraphs, each with its look. The same lines give the same seed."""
    parts = [part for text, look in lines for part in (Insert(text, {}), Insert("\n", look)) if part.text]
    return seed_of(TEXT, packed_text(Document(writer=PLAIN_WRITER).edit(tuple(parts))))
