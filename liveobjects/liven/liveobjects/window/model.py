"""The rules of a window that is shared: one object is in it, or nothing.

What is put in goes into an empty window; to replace what is there, a gesture takes that out first. So of two
people who put something into an empty window at once, the second is told, and the first loses nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from liven.runtime.fold import RefusedError
from liven.types.declare import value

LONGEST_REFERENCE: Final = 1_000_000
LONGEST_NAME: Final = 1_000
_THERE: Final = "that is in it already"
_OUT: Final = "what was in it is out already"
_FULL: Final = "something else was put in before it"


@value
class Put:
    """Puts an object in, by its recipe; an empty recipe takes out what is there."""

    reference: str
    name: str


@dataclass(frozen=True, slots=True)
class Inside:
    """A state of a window: the recipe of what was put in, as XML text, and what it is called; or nothing."""

    reference: str = ""
    name: str = ""


class WindowModel:
    """The fold."""

    replacing = (Put,)

    def empty(self) -> Inside:
        return Inside()

    def apply(self, state: Inside, change: Put) -> Inside:
        if not isinstance(change, Put):
            raise RefusedError(f"{type(change).__name__} is no change of a window")
        if change.reference == state.reference:
            raise RefusedError(_THERE if change.reference else _OUT)
        if len(change.reference) > LONGEST_REFERENCE:
            raise RefusedError(f"its recipe has {len(change.reference):,} characters; it is too long")
        if len(change.name) > LONGEST_NAME:
            raise RefusedError(f"its name has {len(change.name):,} characters; {LONGEST_NAME:,} is the most")
        if change.reference and state.reference:
            raise RefusedError(f"“{state.name}” was put in before it" if state.name else _FULL)
        return Inside(change.reference, change.name if change.reference else "")

    def inverse(self, state: Inside, change: Put) -> tuple[Put, ...]:
        del change
        return (Put(state.reference, state.name),)

    def digest(self, state: Inside) -> bytes:
        """A hash of what is in it."""
        return hashlib.blake2b(ascii((state.reference, state.name)).encode(), digest_size=16).digest()
