"""Seeds: states that a thing begins with, as its channel's recipe carries them."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import asdict
from typing import Any

from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.wire import DesktopState
from liven.liveobjects.desktop.wire import packed as packed_desktop
from liven.liveobjects.text.document import Document, Insert, Look
from liven.liveobjects.text.object import PLAIN_WRITER
from liven.liveobjects.text.wire import packed as packed_text
from liven.types.codec import Codec
from liven.types.declare import Terms
from liven.types.formalism.registry import Formalisms
from liven.types.formalism.stock import stock_formalisms
from liven.types.values import TEXT, ValueType


def seed(kind: ValueType, state: Any) -> str:
    """A state of a channel's checkpoint class, in neutral form, as a recipe carries it."""
    return b64encode(Codec(kind).encode(state)).decode("ascii")


def desktop_seed(state: Desktop) -> str:
    """A desktop to begin with."""
    return seed(Terms(Formalisms(stock_formalisms())).value_of(DesktopState), asdict(packed_desktop(state)))


def note_seed(*lines: tuple[str, Look]) -> str:
    """A page to begin with: its paragraphs, each with its look. The same lines give the same seed."""
    parts = [part for text, look in lines for part in (Insert(text, {}), Insert("\n", look)) if part.text]
    return seed(TEXT, packed_text(Document(writer=PLAIN_WRITER).edit(tuple(parts))))
