"""Items that others move, resize or rotate just now, at the places where their mouse holds them.

A move ends with two messages on two channels: presence says that nothing is held any more, and the
operation brings the new place. Whichever comes first, the item stays where it was last seen until both are
here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.model import FARTHEST, SMALLEST
from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.liveobjects.desktop.wire import Gaze, Held

MOST: Final = 100
"""Most items that one person shows while moving them."""
HOLD: Final = 0.4
"""Seconds for which an item stays where it was dropped until the operation arrives."""


class MovesCanvas(Protocol):
    """The part of the canvas that these moves need."""

    @property
    def state(self) -> Desktop: ...


@dataclass(frozen=True, slots=True)
class _Move:
    place: Place
    before: Place
    """The place of the item when the move was first seen."""
    until: float = math.inf
    """The time when the item goes to its own place, once nobody holds it."""


class RemoteMoves:
    """The moves of others on one canvas."""

    def __init__(self, canvas: MovesCanvas, widget: QWidget) -> None:
        self._canvas = canvas
        self._moves: dict[str, _Move] = {}
        self._expiry = QTimer(widget, singleShot=True, interval=int(HOLD * 1000) + 10)
        self._expiry.timeout.connect(self._expire)
        self._expiry.timeout.connect(widget.update)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the items that others hold, or have just dropped."""
        return frozenset(self._moves)

    def place_of(self, item: Item) -> Place | None:
        """Return where somebody else holds an item; None if nobody does."""
        move = self._moves.get(item.key)
        if move is None or item.locked:
            return None
        dropped = move.until < math.inf and item.place != move.before
        return None if dropped else move.place

    def update(self, gazes: Iterable[Gaze]) -> None:
        """Follow the presence of the others."""
        held: dict[str, Place] = {}
        for gaze in gazes:
            held.update((one.key, one.place) for one in gaze.holds[:MOST] if is_drawable(one.place))
        items, until = self._canvas.state.items, time.monotonic() + HOLD
        for key, place in held.items():
            if key in items:
                known = self._moves.get(key)
                before = items[key].place if known is None or known.until < math.inf else known.before
                self._moves[key] = _Move(place, before)
        for key, move in tuple(self._moves.items()):
            if key not in held and move.until == math.inf:
                self._moves[key] = replace(move, until=until)
                self._expiry.start()

    def _expire(self) -> None:
        now = time.monotonic()
        self._moves = {key: move for key, move in self._moves.items() if move.until > now}
        if any(move.until < math.inf for move in self._moves.values()):
            self._expiry.start()


def is_drawable(place: Place) -> bool:
    """True if a place from somebody else can be drawn."""
    numbers = (place.x, place.y, place.width, place.height, place.degrees)
    return (
        all(math.isfinite(one) and abs(one) <= FARTHEST for one in numbers)
        and min(place.width, place.height) >= SMALLEST
    )


def held_of(preview: dict[str, Place]) -> list[Held]:
    """Return what you hold, as the others are shown it."""
    return [Held(key, preview[key]) for key in sorted(preview)[:MOST]]
