"""The rules of a window that is shared: what was put in last is in it, and nothing else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.fold import RefusedError
from liven.types.declare import value

LONGEST_REFERENCE: Final = 1_000_000
LONGEST_NAME: Final = 1_000


@value
class Put:
    """Puts an object in, by its recipe, in place of what is there; an empty recipe takes that out."""

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
            raise RefusedError("that is in it already" if change.reference else "nothing was put in")
        if len(change.reference) > LONGEST_REFERENCE:
            raise RefusedError(f"its recipe has {len(change.reference):,} characters; it is too long")
        if len(change.name) > LONGEST_NAME:
            raise RefusedError(f"its name has {len(change.name):,} characters; {LONGEST_NAME:,} is the most")
        return Inside(change.reference, change.name if change.reference else "")

    def inverse(self, state: Inside, change: Put) -> tuple[Put, ...]:
        del change
        return (Put(state.reference, state.name),)

    def digest(self, state: Inside) -> bytes:
        """A hash of what is in it."""
        return hashlib.blake2b(ascii((state.reference, state.name)).encode(), digest_size=16).digest()
