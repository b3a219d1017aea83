"""The facts about the kinds of objects that one can add: sign, hue, a description, other names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from liven.liveobjects.look.view.signs import Sign

_SHARED: Final = "Shared: all who have this open"
_BUILT_IN: Final = "Built in, nothing to trust"
BLUE, ORANGE, GREEN, PINK, VIOLET, GOLD, TEAL, GREY = range(8)
"""The hues of the look, by their places in its list."""


@dataclass(frozen=True, slots=True)
class KindFacts:
    """The facts about one kind."""

    sign: Sign
    hue: int
    about: str
    undo: str = "Undo takes back what you did"
    also: str = ""
    """Words of other programs for it."""

    @property
    def lines(self) -> tuple[tuple[Sign, str], ...]:
        """The short facts, each with its sign."""
        return ((Sign.PEOPLE, _SHARED), (Sign.UNDO, self.undo), (Sign.BOX, _BUILT_IN))


FACTS: Final[Mapping[str, KindFacts]] = MappingProxyType(
    {
        "Note": KindFacts(
            Sign.NOTE,
            GOLD,
            "A sheet of paper that several people write on at once: headings, bold, lists, boxes to tick.",
            "Undo takes back your words only",
            "sticky post-it paper text write list todo checklist",
        ),
        "Text": KindFacts(
            Sign.TEXT,
            GREY,
            "Words on the plane itself, without a sheet: a title, a label, a sentence beside an arrow.",
            "Undo takes back your words only",
            "title heading label caption write",
        ),
        "Image": KindFacts(
            Sign.IMAGE,
            TEAL,
            "A picture. Put one in by dropping, pasting or choosing a file; everyone sees it.",
            also="picture photo screenshot png jpg",
        ),
        "Frame": KindFacts(
            Sign.FRAME,
            GREY,
            "A named area. What lies in it moves with it, and is exported with it.",
            also="section area group slide column",
        ),
        "Caption window": KindFacts(
            Sign.WINDOW,
            GREY,
            "A caption over one object. Drop the object into it; it can be exchanged later.",
            also="title bar box",
        ),
        "Chat": KindFacts(
            Sign.CHAT,
            GREEN,
            "A conversation beside the work. Lines stay, with the names of those who wrote them.",
            "Undo removes your last line",
            "talk message comment discussion",
        ),
        "Vote": KindFacts(
            Sign.VOTE,
            VIOLET,
            "A question, answers, and one vote for each person. Everyone sees who chose what, at once.",
            "Undo takes back your vote",
            "poll survey question decide ballot",
        ),
        "Counter": KindFacts(
            Sign.COUNTER,
            ORANGE,
            "A number that everyone can count up and down at the same time; no count is lost.",
            "A count is taken back with the other button",
            "number score tally",
        ),
        "Roster": KindFacts(
            Sign.PEOPLE,
            GREEN,
            "The people who have this open now, and since when.",
            "There is nothing to undo",
            "people who presence online members",
        ),
        "Desktop": KindFacts(
            Sign.BOARD,
            BLUE,
            "A desktop within this one, with things of its own. Enter it in place, or open its window.",
            also="board plane canvas page nested",
        ),
        "Folder": KindFacts(
            Sign.FOLDER,
            ORANGE,
            "Things by name. Drop them in, drag them out; everyone has the same folder.",
            also="files directory collection",
        ),
        "Colour": KindFacts(
            Sign.COLOUR,
            PINK,
            "A colour that is chosen together. Other objects can take it as theirs.",
            "The colour before it is chosen again",
            "color swatch hue",
        ),
        "From a file…": KindFacts(
            Sign.FILES,
            GREY,
            "A picture, a text, or an object that was saved as a .liveobject file.",
            also="open import upload picture",
        ),
    }
)
