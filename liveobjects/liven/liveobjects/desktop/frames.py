"""Frames: named areas of a desktop. Items in a frame are moved and exported with it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from liven.liveobjects.desktop.commands import Command, bounds
from liven.liveobjects.desktop.model import HIGHEST
from liven.liveobjects.desktop.state import Add, Desktop, Item, Place
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import NAME, Attribute, Reference
from liven.runtime.reference.xml import read_object, write

FRAME: Final = "liven:frame"
AROUND: Final = 32.0
"""The room between a new frame and the items for which it is made."""
NEW_WIDTH: Final = 480.0
NEW_HEIGHT: Final = 320.0
NAMED: Final = "Frame"


@lru_cache(maxsize=4096)
def is_frame(recipe: str) -> bool:
    """Return True for the recipe of a frame."""
    if FRAME not in recipe:
        return False
    try:
        found = read_object(recipe)
    except ReadError:
        return False
    return isinstance(found, Reference) and found.id == FRAME and found.source is None


def frame_recipe() -> str:
    """Return the recipe of a frame. Its name is that of the item."""
    return write(Reference(FRAME, attributes=(Attribute(NAME, NAMED),))).decode()


def with_contents(state: Desktop, keys: Iterable[str]) -> frozenset[str]:
    """Return these items, and those that lie wholly in a frame among them."""
    chosen = frozenset(key for key in keys if key in state.items)
    frames = [state.items[key].place for key in chosen if is_frame(state.items[key].reference)]
    if not frames:
        return chosen
    inside = (key for key, item in state.items.items() if any(_holds(frame, item.place) for frame in frames))
    return chosen | frozenset(inside)


def add_frame(state: Desktop, place: Place, name: str = NAMED) -> tuple[str, Command]:
    """Add a frame beneath all other items; return its key as well."""
    key = uuid.uuid4().hex
    item = Item(key, name, place, frame_recipe(), max(state.bottom - 1, -HIGHEST))
    return key, Command("Add frame", (Add(item),))


def frames_beneath(items: Sequence[Item]) -> int:
    """Return how many frames lie beneath all other of these items, the lowest first: connectors are painted
    over them."""
    return next((at for at, item in enumerate(items) if not is_frame(item.reference)), len(items))


def place_around(items: Iterable[Item]) -> Place:
    """Return the place of a frame around items."""
    left, top, right, bottom = bounds(items)
    return Place(left - AROUND, top - AROUND, right - left + 2 * AROUND, bottom - top + 2 * AROUND)


def _holds(frame: Place, place: Place) -> bool:
    """Return True if an item lies wholly in a frame, both taken without their rotation."""
    return (
        frame != place
        and frame.x <= place.x
        and frame.y <= place.y
        and place.x + place.width <= frame.x + frame.width
        and place.y + place.height <= frame.y + frame.height
    )
