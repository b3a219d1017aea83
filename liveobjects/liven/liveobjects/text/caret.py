"""A person's caret in a note, as presence shows it to the others."""

from __future__ import annotations

import uuid
from typing import Final

from liven.types.declare import value

CARET: Final = "4D052DA22D96BD65BA19F1F41CD06C92"
LONGEST: Final = 400
"""The most bytes of a pinned position; longer ones are ignored."""


@value(id=CARET, alias="liven:caret")
class Caret:
    """A person's caret in one window."""

    window: uuid.UUID
    """Identifies the window among those of one program."""
    name: str
    colour: str
    """#rrggbb."""
    at: bytes
    """The caret, as a position pinned by `Document.pin`."""
    anchor: bytes
    """The other end of the selection; equal to `at` if nothing is selected."""
