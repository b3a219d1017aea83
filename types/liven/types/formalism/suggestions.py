"""Suggestions for an unknown name: the nearest known one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean fifo?`, or the known names, or nothing if there are none."""
    names = sorted(set(known))
    lowered = {one.lower(): one for one in reversed(names)}
    near = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {lowered[near[0]]}?"
    return f"; there is {listing(names)}" if names else ""


def listing(names: Iterable[str], most: int = 12) -> str:
    """Return the names as one phrase, shortened if there are many."""
    shown = list(names)
    tail = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + tail
