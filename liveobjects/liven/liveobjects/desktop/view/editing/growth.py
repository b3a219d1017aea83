"""Growth: an item becomes higher while a person types more into it than fits, and shrinks back later."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, Protocol

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Change, Desktop, Item, Move, Place
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.runtime.fold import Editor, RefusedError

MOST_HIGH: Final = 4000.0
"""The height to which an item grows."""


class GrowingCanvas(Protocol):
    """The part of the canvas that growth needs."""

    @property
    def model(self) -> DesktopObject: ...

    @property
    def editor(self) -> Editor[Desktop, Change]: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def editing(self) -> str | None: ...

    @property
    def item_views(self) -> ItemViews: ...


class Growth:
    """The growth of the items of one canvas. The person who types makes an item grow, for everybody."""

    def __init__(self, canvas: GrowingCanvas) -> None:
        self._canvas = canvas
        self._own: dict[str, Place] = {}
        """The places that items had before they grew here, while they still have the grown one."""
        self._grown: dict[str, Place] = {}
        self._waiting: set[str] = set()

    def fit_soon(self, key: str) -> None:
        """Do `fit` in the next turn: a view announces changes before they are complete."""
        if key not in self._waiting:
            self._waiting.add(key)
            self._canvas.model.context.call_soon(lambda: self._fit_waiting(key))

    def _fit_waiting(self, key: str) -> None:
        self._waiting.discard(key)
        if key == self._canvas.editing:
            self.fit(key)

    @contextmanager
    def after_undo(self) -> Iterator[None]:
        """Fit the items to which an undo gives an earlier height."""
        before = self._canvas.state.items
        yield
        after = self._canvas.state.items
        for key in after.changed_since(before):
            if key in before and key in after and before[key].place.height != after[key].place.height:
                self.fit(key)

    def fit(self, key: str) -> None:
        """Make an item as high as its text, and at least as high as it was before it grew here."""
        canvas = self._canvas
        item = canvas.state.items.get(key)
        if item is None or item.locked:
            return
        place = item.place
        needed = min(math.ceil(canvas.item_views.fitting_height(key, place.width)), MOST_HIGH)
        if not needed:
            return
        if self._grown.get(key) != place:  # somebody else, or a gesture, has placed it since
            self._own.pop(key, None)
        height = max(needed, self._own.get(key, place).height)
        if abs(height - place.height) >= 1:
            self._resize(item, height)

    def _resize(self, item: Item, height: float) -> None:
        grown = extended(item.place, height)
        own = self._own.setdefault(item.key, item.place)
        self._grown[item.key] = grown
        try:
            self._canvas.editor.also("Grow", Move(item.key, grown))
        except RefusedError:  # the channel is full: it grows with a later letter
            self._grown.pop(item.key)
        if grown == own:
            self._own.pop(item.key, None)


def extended(place: Place, height: float) -> Place:
    """Return a place with another height and the same upper side, however it is rotated."""
    turn, by = math.radians(place.degrees), (height - place.height) / 2
    x = place.x - by * math.sin(turn)
    y = place.y + by * math.cos(turn) - by
    return replace(place, x=x, y=y, height=height)
