"""What to say about a name that nobody knows: the nearest one that somebody does."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean fifo?`, or the names there are, or nothing where there is none."""
    names = sorted(set(known))
    lowered = {one.lower(): one for one in reversed(names)}
    near = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {lowered[near[0]]}?"
    return f"; there is {listing(names)}" if names else ""


def listing(names: Iterable[str], most: int = 12) -> str:
    """The names as one phrase, shortened where they are many."""
    shown = list(names)
    tail = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + tail
