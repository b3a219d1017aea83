"""A board of another program: its parts in the terms of a desktop, before they become items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from liven.liveobjects.desktop.state import USUAL, Place, Style
from liven.liveobjects.look.tokens import DEFAULT_PAPER
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.papers import DEFAULT_SIZE

MOST_PARTS: Final = 3_000
"""Parts of one board: they are added in one step, while the user waits."""
MOST_LETTERS: Final = 2_000_000
"""Letters in all texts of one board."""
MOST_POINTS: Final = 400_000
"""Points in all strokes of one board."""
MOST_PICTURES: Final = 300
LARGEST_FILE: Final = 64 * 1024 * 1024
"""The largest file of another program; pictures inside it are the most of it."""

Words: TypeAlias = tuple[Insert, ...]


class ForeignError(ValueError):
    """A file that cannot be taken over; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A note, or a text without paper."""

    key: str
    place: Place
    words: Words
    paper: str = DEFAULT_PAPER
    size: str = DEFAULT_SIZE
    group: str = ""
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """A box, an ellipse or a diamond, with a text."""

    key: str
    place: Place
    outline: str
    text: str = ""
    hue: str = ""
    fill: str = "none"
    dashed: bool = False
    paper: str = "paper"
    """The paper of the note that it becomes if its text is too long for a shape."""
    group: str = ""
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line drawn by hand or with corners: x, y and pressure of each point on the plane."""

    key: str
    points: tuple[tuple[float, float, float], ...]
    hue: str = ""
    width: str = "medium"
    group: str = ""
    locked: bool = False

    @property
    def place(self) -> Place:
        """The area of the points."""
        across, down = [point[0] for point in self.points], [point[1] for point in self.points]
        left, top = min(across), min(down)
        return Place(left, top, max(max(across) - left, 1.0), max(max(down) - top, 1.0))


@dataclass(frozen=True, slots=True)
class Frame:
    """A named area."""

    key: str
    place: Place
    name: str
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with the bytes of its file."""

    key: str
    place: Place
    name: str
    data: bytes = field(repr=False)
    group: str = ""
    locked: bool = False
    fits: bool = False
    """True if the place is only a guess, and has to get the proportions of the picture."""


@dataclass(frozen=True, slots=True)
class Card:
    """An object with all of its contents in its recipe, such as a table."""

    key: str
    place: Place
    name: str
    recipe: str
    locked: bool = False


Part: TypeAlias = Sheet | Outline | Stroke | Frame | Picture | Card


@dataclass(frozen=True, slots=True)
class Arrow:
    """A connector between two parts."""

    source: str
    target: str
    label: str = ""
    style: Style = USUAL


@dataclass(slots=True)
class Board:
    """All parts of a board, the lowest first."""

    parts: list[Part] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """Things without a counterpart, counted by their kind, in the plural."""

    def add(self, part: Part) -> None:
        """Add a part above all others; raise ForeignError if there are too many."""
        if len(self.parts) >= MOST_PARTS:
            raise ForeignError(f"it has more than {MOST_PARTS:,} things; divide it into several files")
        self.parts.append(part)


def sentence_of(left_out: Counter[str]) -> str:
    """Return the sentence that says what could not be taken over; empty if everything was."""
    number = left_out.total()
    if not number:
        return ""
    kinds = ", ".join(f"{kind} ({count})" for kind, count in left_out.most_common())
    return f"{number} {'thing' if number == 1 else 'things'} could not be taken over: {kinds}."


def letters_in(words: Iterable[Insert]) -> int:
    """Return the number of letters of a text."""
    return sum(len(one.text) for one in words)
