"""The words of the chip that says why the state of an object is not confirmed with others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

NOT_YET: Final = "Not confirmed with others yet"
_NAMED_MOST: Final = 2


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The things that the state of a channel waits for before it is confirmed."""

    alone: bool = False
    """True while this program has not reached the group: the state is the one of its own log."""
    awaited: tuple[str, ...] = ()
    """The people whose computers must come before anything is confirmed; empty names are not known."""


def confirmation_text(found: Iterable[Confirmation]) -> str:
    """Return the words of the chip for one object; empty if everything is confirmed as usual."""
    every = tuple(found)
    awaited = list(dict.fromkeys(name for one in every for name in one.awaited))
    if not awaited:
        return NOT_YET if any(one.alone for one in every) else ""
    if len(awaited) > _NAMED_MOST or (len(awaited) > 1 and "" in awaited):
        return f"Waiting for {len(awaited)} computers"
    if awaited == [""]:
        return "Waiting for another computer"
    owners = " and ".join(f"{name}’s" for name in awaited)
    return f"Waiting for {owners} computer{'s' if len(awaited) > 1 else ''}"
