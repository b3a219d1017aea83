"""Recipes of desktops that begin with contents."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Final

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE, channel, seed_of, shared
from liven.liveobjects.desktop.foreign.board import Board, ForeignError
from liven.liveobjects.desktop.foreign.items import Upload, added
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Add, Desktop
from liven.liveobjects.desktop.wire import DesktopState, packed
from liven.runtime.reference.xml import compact
from liven.types.declare import TermBuilder
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms

OPERATION: Final = "8E058A84A89546389352AD2F551696CD"
STATE: Final = "BE02D391402D436EB62473CC4E04E7F4"
"""The ids of a desktop's operation and state classes, the same as in files of the original program."""


@dataclass(frozen=True, slots=True)
class BoardObject:
    """A board of another program as one object."""

    name: str
    recipe: str
    uploads: tuple[Upload, ...]
    """The pictures that are sent into images inside it."""
    left_out: Counter[str]


def desktop_seed(state: Desktop) -> str:
    """Return the encoded state of a desktop."""
    kind = TermBuilder(Formalisms(builtin_formalisms())).value_of(DesktopState)
    return seed_of(kind, asdict(packed(state)))


def object_of(board: Board, name: str) -> BoardObject:
    """Return a board as one object: its only part, or else a desktop with all of them. Raise ForeignError if
    there is nothing in it, or too much for a recipe."""
    made = added(Desktop(), board, name, 0.0, 0.0)
    adds = [one.item for one in made.command.changes if isinstance(one, Add)]
    if not adds:
        raise ForeignError("nothing in it could be taken over")
    if len(adds) == 1 and adds[0].reference:
        only = adds[0]
        return BoardObject(only.label or name, only.reference, made.uploads, made.left_out)
    model, state = DesktopModel(), Desktop()
    for change in made.command.changes:
        state = model.apply(state, change)
    recipe = compact(shared("liven:desktop", name, channel(OPERATION, STATE, "", desktop_seed(state))))
    if len(recipe) > LONGEST_REFERENCE:
        size, limit = len(recipe) / 1e6, LONGEST_REFERENCE / 1e6
        raise ForeignError(
            f"as one object it would have {size:.1f} MB; the limit is {limit:.1f} MB. Drop it on a desktop"
        )
    return BoardObject(name, recipe, made.uploads, made.left_out)
