"""The notes of the welcome desktop. Each explains one thing to try, and can be tried on itself."""

from __future__ import annotations

from dataclasses import dataclass

from liven.app.palette.new_objects import desktop, note
from liven.app.welcome_desktop.initial_states import desktop_seed, note_seed
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.liveobjects.text.document import Look
from liven.runtime.fold import PersistentMap
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write

_PLAIN: Look = {}
_TITLE: Look = {"heading": 2}
_BOX: Look = {"list": "check"}
_POINT: Look = {"list": "bullet"}


@dataclass(frozen=True, slots=True)
class WelcomeNote:
    """One note of the welcome desktop."""

    key: str
    title: str
    place: Place
    lines: tuple[tuple[str, Look], ...]


NOTES = (
    WelcomeNote(
        "1 write",
        "1 · Write here",
        Place(40, 64, 300, 190),
        (
            ("Double-click this note and type.", _PLAIN),
            ("Everyone who has this desktop open sees each letter. Esc leaves the note.", _PLAIN),
            ("Typed something", _BOX),
        ),
    ),
    WelcomeNote(
        "2 move",
        "2 · Move me",
        Place(400, 64, 270, 190),
        (
            ("Drag me. Drag a corner to resize me, or the round arrow to rotate me.", _PLAIN),
            ("Ctrl+Z takes back what you did, never what others did.", _PLAIN),
            ("Moved it and undid that", _BOX),
        ),
    ),
    WelcomeNote(
        "3 add",
        "3 · Add something",
        Place(40, 304, 300, 200),
        (
            ("Press + at the foot of the window, and choose “Note”, or drag it here.", _PLAIN),
            ("Drop or paste files, too. If one does not fit, a message says why.", _PLAIN),
            ("Added a note", _BOX),
        ),
    ),
    WelcomeNote(
        "4 share",
        "4 · Open a third window",
        Place(400, 304, 270, 200),
        (
            ("File › Open in another program. All windows show the same desktop.", _PLAIN),
            ("Close all windows and open it again: everything is still there.", _PLAIN),
            ("Opened another program", _BOX),
        ),
    ),
    WelcomeNote(
        "5 keys",
        "Anything else",
        Place(40, 544, 630, 96),
        (("Ctrl+Shift+P finds any command.", _POINT), ("F1 lists all shortcuts.", _POINT)),
    ),
)
_PATH = (("1 write", "2 move"), ("2 move", "3 add"), ("3 add", "4 share"))


def first_desktop(name: str, prefix: str) -> Object:
    """Return the recipe of a welcome desktop; the names of its channels begin with `prefix`."""
    items = PersistentMap(
        {one.key: _item(one, height, f"{prefix} {one.key}") for height, one in enumerate(NOTES)}
    )
    links = PersistentMap({f"{a} → {b}": Link(f"{a} → {b}", a, b) for a, b in _PATH})
    return desktop(name, prefix, desktop_seed(Desktop(items, links)))


def _item(lesson: WelcomeNote, height: int, channel: str) -> Item:
    seed = note_seed((lesson.title, _TITLE), *lesson.lines)
    recipe = write(note(lesson.title, channel, seed)).decode()
    return Item(lesson.key, lesson.title, lesson.place, recipe, height)
