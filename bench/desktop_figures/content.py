"""The content of the large desktop: notes, images and folders, mixed, in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from liven.app.palette.new_objects import note
from liven.app.welcome_desktop.initial_states import note_seed
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.image.recipe import image
from liven.liveobjects.new_objects import chat, counter, vote
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write

THINGS = 1000
ACROSS = 40
WIDE, HIGH = 1600, 1000
"""The window that is looked through, in pixels; and in units of the plane, for nothing is made smaller."""
CELL = (160.0, 1000 / 6)
"""Sixty of them fill the window."""
GAP = 10.0
FACES_ACROSS = 16
FACE_CELL = (320.0, 240.0)
"""With 200 of them, all are seen in the window at a zoom of 0.3 or less."""
_KINDS = "nnninniinf"
"""Of ten things, six are notes, three are images, and one is a folder."""
_WORDS = "It was written here, and it is read there. " * 12

_FACES: tuple[Callable[[str, str], Object], ...] = (
    *(6 * (lambda label, seed: note(label, "", seed),)),
    lambda label, _: vote(label),
    lambda label, _: counter(label),
    lambda label, _: chat(label),
    lambda label, _: folder(label),
)


def kind_of(number: int) -> str:
    """Return the kind of an item: n, i or f."""
    return _KINDS[number % len(_KINDS)]


def things(name: str, count: int = THINGS, across: int = ACROSS) -> Iterator[Item]:
    """Return all items of the desktop of that name, in rows of so many."""
    seed = note_seed((_WORDS[:500], {}))
    for number in range(count):
        where = place(number, across)
        yield Item(f"{number:04}", f"Thing {number}", where, _recipe(name, number, seed), number)


def place(number: int, across: int = ACROSS, cell: tuple[float, float] = CELL) -> Place:
    """Return the position of an item: in rows, from left to right and down."""
    x, y = number % across * cell[0], number // across * cell[1]
    return Place(x, y, cell[0] - GAP, cell[1] - GAP)


def faces(count: int) -> Iterator[Item]:
    """Return the items of a desktop of faces: mostly notes, with votes, counters, chats and folders between
    them, as on the board of a team."""
    seed = note_seed((_WORDS[:120], {}))
    for number in range(count):
        label = f"Face {number}"
        recipe = write(_FACES[number % len(_FACES)](label, seed)).decode()
        yield Item(f"{number:04}", label, place(number, FACES_ACROSS, FACE_CELL), recipe, number)


def _recipe(name: str, number: int, seed: str) -> str:
    label = f"{name} {number}"
    made = {"n": lambda: note(label, label, seed), "i": lambda: image(label), "f": lambda: folder(label)}
    return write(made[kind_of(number)]()).decode()
