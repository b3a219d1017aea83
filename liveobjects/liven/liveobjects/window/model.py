"""The rules of a shared window: it holds one object or none.

An object goes only into an empty window; to replace another one, the same gesture removes that first. So if
two people fill an empty window at the same time, the second is refused and the first loses nothing."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.runtime.fold import RefusedError
from liven.types.declare import value

LONGEST_NAME: Final = 1_000
_THERE: Final = "that is in it already"
_OUT: Final = "it was taken out already"
_FULL: Final = "somebody put something else in first"


@value
class Put:
    """Put in an object by its recipe; an empty recipe removes the object."""

    reference: str
    name: str


@dataclass(frozen=True, slots=True)
class Inside:
    """The state of a window: the recipe of the inner object as XML text, and its name; both empty for
    none."""

    reference: str = ""
    name: str = ""


class WindowModel:
    """The model of a window."""

    replacing = (Put,)

    def empty(self) -> Inside:
        return Inside()

    def apply(self, state: Inside, change: Put) -> Inside:
        if not isinstance(change, Put):
            raise RefusedError(f"{type(change).__name__} is not a change of a window")
        if change.reference == state.reference:
            raise RefusedError(_THERE if change.reference else _OUT)
        if len(change.reference) > LONGEST_REFERENCE:
            raise RefusedError(f"its recipe is too long: {len(change.reference):,} characters")
        if len(change.name) > LONGEST_NAME:
            raise RefusedError(f"its name has {len(change.name):,} characters; the limit is {LONGEST_NAME:,}")
        if change.reference and state.reference:
            raise RefusedError(f"“{state.name}” was put in first" if state.name else _FULL)
        return Inside(change.reference, change.name if change.reference else "")

    def inverse(self, state: Inside, change: Put) -> tuple[Put, ...]:
        del change
        return (Put(state.reference, state.name),)

    def digest(self, state: Inside) -> bytes:
        """Return a hash of the state."""
        return hashlib.blake2b(ascii((state.reference, state.name)).encode(), digest_size=16).digest()
