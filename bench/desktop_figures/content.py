"""The content of the large desktop: notes, images and folders, mixed, in rows."""

from __future__ import annotations

from collections.abc import Iterator

from liven.app.palette.new_objects import note
from liven.app.welcome_desktop.initial_states import note_seed
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.image.recipe import image
from liven.runtime.reference.xml import write

THINGS = 1000
ACROSS = 40
WIDE, HIGH = 1600, 1000
"""The window that is looked through, in pixels; and in units of the plane, for nothing is made smaller."""
CELL = (160.0, 1000 / 6)
"""Sixty of them fill the window."""
GAP = 10.0
_KINDS = "nnninniinf"
"""Of ten things, six are notes, three are images, and one is a folder."""
_WORDS = "It was written here, and it is read there. " * 12


def kind_of(number: int) -> str:
    """Return the kind of an item: n, i or f."""
    return _KINDS[number % len(_KINDS)]


def things(name: str) -> Iterator[Item]:
    """Return all items of the desktop of that name."""
    seed = note_seed((_WORDS[:500], {}))
    for number in range(THINGS):
        yield Item(f"{number:04}", f"Thing {number}", place(number), _recipe(name, number, seed), number)


def place(number: int) -> Place:
    """Return the position of an item: in rows, from left to right and down."""
    x, y = number % ACROSS * CELL[0], number // ACROSS * CELL[1]
    return Place(x, y, CELL[0] - GAP, CELL[1] - GAP)


def _recipe(name: str, number: int, seed: str) -> str:
    label = f"{name} {number}"
    made = {"n": lambda: note(label, label, seed), "i": lambda: image(label), "f": lambda: folder(label)}
    return write(made[kind_of(number)]()).decode()
