"""Where somebody writes in a note, as all others see it."""

from __future__ import annotations

import uuid
from typing import Final

from liven.types.declare import value

CARET: Final = "4D052DA22D96BD65BA19F1F41CD06C92"
LONGEST: Final = 400
"""Bytes of a place, at most; others' longer ones are not looked up."""


@value(id=CARET, alias="liven:caret")
class Caret:
    """A person's caret in one window."""

    window: uuid.UUID
    """Tells this window from others of the same program."""
    name: str
    colour: str
    """#rrggbb."""
    at: bytes
    """A place that stays where it is when others write; see `Document.pin`."""
    anchor: bytes
    """The other end of what is selected; the same where nothing is."""
