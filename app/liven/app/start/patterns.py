"""Patterns: desktops that begin with something on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from liven.app.palette.new_objects import desktop, note
from liven.app.welcome_desktop.initial_states import desktop_seed
from liven.liveobjects.channel.api.recipes import seed_of
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place, Style
from liven.liveobjects.new_objects import chat, counter, roster, vote
from liven.liveobjects.text.document import Document, Insert, Look
from liven.liveobjects.text.object import PLAIN_WRITER
from liven.liveobjects.text.papers import CLEAR
from liven.liveobjects.text.wire import packed
from liven.runtime.fold import PersistentMap
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write
from liven.types.terms.value_types import TEXT

Lines = tuple[tuple[str, Look], ...]
_LEFT, _TOP = 48.0, 92.0
"""Where a pattern begins on the plane, so that nothing of it is under the controls of the window."""
_TITLE: Final[Look] = {"heading": 1}
_HEAD: Final[Look] = {"heading": 3}
_POINT: Final[Look] = {"list": "bullet"}
_BOX: Final[Look] = {"list": "check"}
_PLAIN: Final[Look] = {}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One thing of a pattern: words on a paper, or on the plane itself; or a device, named by `device`."""

    key: str
    place: Place
    lines: Lines
    paper: str = ""
    device: str = ""
    """The name of a kind in `_DEVICES`; the first line is then its name."""

    @property
    def name(self) -> str:
        """The name of the thing: its first line."""
        return self.lines[0][0]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A desktop to begin with."""

    name: str
    words: str
    sheets: tuple[Sheet, ...] = ()
    links: tuple[tuple[str, str], ...] = ()

    def make(self, name: str) -> Object:
        """Return the recipe of a new desktop of this pattern."""
        if not self.sheets:
            return desktop(name)
        items = {one.key: _item(one, height) for height, one in enumerate(self.sheets)}
        links = {f"{a} → {b}": Link(f"{a} → {b}", a, b) for a, b in self.links}
        corners = dict.fromkeys(links, Style(shape="corners"))
        state = Desktop(PersistentMap(items), PersistentMap(links), styles=PersistentMap(corners))
        return desktop(name, "", desktop_seed(state))


_DEVICES: Final[dict[str, Callable[[str], Object]]] = {
    "Vote": vote,
    "Chat": chat,
    "Counter": counter,
    "Roster": roster,
}


def _item(sheet: Sheet, height: int) -> Item:
    if sheet.device:
        recipe = _DEVICES[sheet.device](sheet.name)
    else:
        recipe = note(sheet.name, seed=_seed(sheet.lines, sheet.paper))
    place = replace(sheet.place, x=sheet.place.x + _LEFT, y=sheet.place.y + _TOP)
    return Item(sheet.key, sheet.name, place, write(recipe).decode(), height)


def _seed(lines: Lines, paper: str) -> str:
    """Return the encoded state of a note with these lines on a paper."""
    page = Document(writer=PLAIN_WRITER)
    if paper:
        page.set("paper", paper)
    parts = [part for text, look in lines for part in (Insert(text, {}), Insert("\n", look)) if part.text]
    page.edit(tuple(parts))
    return seed_of(TEXT, packed(page.whole()))


def _note(key: str, at: tuple[float, float], paper: str, *lines: tuple[str, Look]) -> Sheet:
    return Sheet(key, Place(*at, 190, 150), lines, paper)


def _columns() -> tuple[Sheet, ...]:
    columns = (("Went well", "mint"), ("Was hard", "rose"), ("Try next", "sky"))
    asked = (
        ("What should we keep?", "Who helped?"),
        ("What took too long?", "What surprised us?"),
        ("One thing to change", "Who begins?"),
    )
    found: list[Sheet] = []
    for column, ((title, paper), notes) in enumerate(zip(columns, asked, strict=True)):
        x = 240.0 * column
        found.append(Sheet(f"{column} head", Place(x, 0, 200, 56), ((title, {"heading": 2}),), CLEAR))
        for row, words in enumerate(notes):
            found.append(_note(f"{column} {row}", (x, 72 + 168 * row), paper, (words, _PLAIN)))
    return tuple(found)


TEAM: Final = Pattern(
    "Team board",
    "notes, a vote, a chat",
    (
        Sheet("title", Place(0, 0, 520, 84), (("What we are doing", _TITLE),), CLEAR),
        Sheet(
            "programme",
            Place(0, 110, 280, 250),
            (
                ("Programme", _HEAD),
                ("10:00 first thing", _POINT),
                ("11:30 second thing", _POINT),
                ("14:00 third thing", _POINT),
            ),
            "sun",
        ),
        Sheet(
            "todo",
            Place(0, 400, 280, 230),
            (("Before Friday", _HEAD), ("Ask everybody", _BOX), ("Print it", _BOX), ("Find a room", _BOX)),
            "mint",
        ),
        Sheet("vote", Place(340, 110, 330, 270), (("Which one?", _PLAIN),), device="Vote"),
        Sheet("count", Place(340, 430, 220, 150), (("Volunteers", _PLAIN),), device="Counter"),
        Sheet("chat", Place(730, 110, 300, 400), (("Crew", _PLAIN),), device="Chat"),
    ),
    (("programme", "vote"), ("todo", "count")),
)
MEETING: Final = Pattern(
    "Meeting",
    "agenda, who is here, decisions",
    (
        Sheet("title", Place(0, 0, 520, 84), (("Meeting", _TITLE),), CLEAR),
        Sheet(
            "agenda",
            Place(0, 110, 300, 250),
            (("Agenda", _HEAD), ("Since last time", _BOX), ("To decide", _BOX), ("Next steps", _BOX)),
            "sky",
        ),
        Sheet("notes", Place(340, 110, 360, 250), (("Notes", _HEAD), ("Who said what", _PLAIN)), "paper"),
        Sheet("decided", Place(0, 400, 300, 200), (("Decided", _HEAD), ("…", _POINT)), "lilac"),
        Sheet("vote", Place(340, 400, 360, 260), (("Yes or no?", _PLAIN),), device="Vote"),
        Sheet("here", Place(750, 110, 240, 250), (("Here today", _PLAIN),), device="Roster"),
        Sheet("chat", Place(750, 400, 300, 300), (("Aside", _PLAIN),), device="Chat"),
    ),
)
WAY: Final = Pattern(
    "Way through",
    "steps and arrows",
    (
        _note("idea", (0, 130), "sun", ("Idea", _HEAD)),
        _note("sketch", (290, 0), "sky", ("Sketch", _HEAD)),
        _note("ask", (290, 260), "sky", ("Ask three", _HEAD)),
        _note("build", (580, 130), "lilac", ("Build", _HEAD)),
        _note("show", (870, 0), "mint", ("Show", _HEAD)),
        _note("mend", (870, 260), "rose", ("Mend", _HEAD)),
    ),
    (
        ("idea", "sketch"),
        ("idea", "ask"),
        ("sketch", "build"),
        ("ask", "build"),
        ("build", "show"),
        ("build", "mend"),
    ),
)
PATTERNS: Final = (
    Pattern("Empty", "a plane, nothing on it"),
    TEAM,
    Pattern("Look back", "three columns", _columns()),
    WAY,
    MEETING,
)
