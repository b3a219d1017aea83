"""A board of another program as changes of a desktop: one step that undo takes back."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.drawings.recipes import recipe_of
from liven.liveobjects.desktop.foreign.board import (
    Arrow,
    Board,
    Card,
    Frame,
    Outline,
    Part,
    Picture,
    Sheet,
    Stroke,
)
from liven.liveobjects.desktop.foreign.drawn import ink_of_stroke, place_of_stroke, shape_of_outline
from liven.liveobjects.desktop.foreign.geometry import bounds_of
from liven.liveobjects.desktop.frames import frame_recipe
from liven.liveobjects.desktop.model import HIGHEST, LONGEST_LABEL
from liven.liveobjects.desktop.state import (
    USUAL,
    Add,
    Change,
    Desktop,
    Item,
    Join,
    Link,
    Lock,
    Restyle,
)
from liven.liveobjects.image.recipe import image
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.recipe import TooMuchTextError, formatted
from liven.runtime.reference.errors import WriteError
from liven.runtime.reference.xml import compact, write


@dataclass(frozen=True, slots=True)
class Upload:
    """A picture whose image is among the added items."""

    item: str
    recipe: str
    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Added:
    """The items that a board becomes."""

    command: Command
    keys: tuple[str, ...]
    uploads: tuple[Upload, ...]
    left_out: Counter[str]


@dataclass(frozen=True, slots=True)
class _Made:
    recipe: str
    label: str = ""


def extent_of(board: Board) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of what a board becomes, without its turns."""
    corners = [
        corner
        for part in board.parts
        for place in (part.place,)
        for corner in ((place.x, place.y), (place.x + place.width, place.y + place.height))
    ]
    return bounds_of(corners) if corners else (0.0, 0.0, 0.0, 0.0)


def added(state: Desktop, board: Board, name: str, dx: float, dy: float) -> Added:
    """Return the changes that add a board to a desktop, shifted by a distance. `name` stands in the undo
    list."""
    adding = _Adding(state, board, dx, dy)
    changes = tuple(adding.changes())
    command = Command(f"Add {name}", changes)
    return Added(command, tuple(adding.keys.values()), tuple(adding.uploads), adding.left_out)


class _Adding:
    def __init__(self, state: Desktop, board: Board, dx: float, dy: float) -> None:
        self._board = board
        self._dx, self._dy = dx, dy
        self._top = state.top + 1
        frames = sum(isinstance(part, Frame) for part in board.parts)
        self._beneath = min(state.bottom, self._top) - frames
        self._groups: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.uploads: list[Upload] = []
        self.left_out = Counter(board.left_out)

    def changes(self) -> Iterable[Change]:
        above = below = 0
        for part in self._board.parts:
            made = self._made(part)
            if made is None:
                continue
            key = uuid.uuid4().hex
            self.keys.setdefault(part.key, key)
            if isinstance(part, Frame):
                z, below = self._beneath + below, below + 1
            else:
                z, above = self._top + above, above + 1
            old = place_of_stroke(part) if isinstance(part, Stroke) else part.place
            place = replace(old, x=old.x + self._dx, y=old.y + self._dy)
            group = "" if isinstance(part, Frame | Card) else self._group(part.group)
            yield Add(Item(key, made.label, place, made.recipe, min(max(z, -HIGHEST), HIGHEST), group))
            if part.locked:
                yield Lock(key, True)  # a change of its own: undo unlocks before it removes
            if isinstance(part, Picture):
                self.uploads.append(Upload(key, made.recipe, part.name, part.data))
        for arrow in self._board.arrows:
            yield from self._connector(arrow)

    def _made(self, part: Part) -> _Made | None:
        """Return the recipe of a part; None if it has no counterpart, which is counted."""
        match part:
            case Sheet():
                return self._sheet(part.words, part.paper, part.size)
            case Outline() if len(part.text) <= LONGEST_LABEL:
                return _Made(recipe_of(shape_of_outline(part)), part.text)
            case Outline():
                return self._sheet((Insert(part.text, {}),), part.paper, "medium")
            case Stroke():
                return _Made(recipe_of(ink_of_stroke(part)))
            case Frame():
                return _Made(frame_recipe(), part.name[:LONGEST_LABEL])
            case Picture():
                return _Made(write(image(part.name)).decode(), part.name[:LONGEST_LABEL])
            case Card():
                return _Made(part.recipe, part.name[:LONGEST_LABEL])

    def _sheet(self, words: tuple[Insert, ...], paper: str, size: str) -> _Made | None:
        try:
            recipe = compact(formatted(words, paper=paper, size=size))
        except (TooMuchTextError, WriteError):
            recipe = ""
        if not recipe or len(recipe) > LONGEST_REFERENCE:
            self.left_out["texts that are too long for a note"] += 1
            return None
        return _Made(recipe)

    def _group(self, group: str) -> str:
        return self._groups.setdefault(group, uuid.uuid4().hex) if group else ""

    def _connector(self, arrow: Arrow) -> Iterable[Change]:
        source, target = self.keys.get(arrow.source), self.keys.get(arrow.target)
        if source is None or target is None:
            self.left_out["arrows"] += 1
            return
        link = Link(uuid.uuid4().hex, source, target, arrow.label[:LONGEST_LABEL])
        yield Join(link)
        if arrow.style != USUAL:
            yield Restyle(link.key, arrow.style)
