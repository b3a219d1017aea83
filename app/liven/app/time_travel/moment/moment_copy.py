"""A copy of an object as it was at a moment: the same recipes on new channels, which begin with the old
states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from liven.liveobjects.copying.deep_copy import DeepCopy, things_in
from liven.liveobjects.copying.recipe import (
    CopyError,
    check_copied,
    file_contents,
    name_of_channel,
    own_channel,
    with_copies,
)
from liven.liveobjects.copying.states import State
from liven.liveobjects.feeds.history.comparison import PastObject
from liven.runtime.reference.model import NAME, Attribute, Object


@dataclass(frozen=True, slots=True)
class MomentCopy:
    """A recipe, ready to be opened or saved."""

    recipe: Object
    lacking: list[str]
    """The names of the objects inside that were not recorded: original and copy share them."""


def copy_of_moment(thing: Object, past: Iterable[PastObject], name: str) -> MomentCopy:
    """Return a copy of an object with new channels, also of everything inside it; raise CopyError if that is
    impossible."""
    check_copied(thing)
    states: dict[str, State] = {}
    for one in past:
        own = own_channel(one.thing)
        if own is not None:
            told = one.path[-1] if one.path else name
            states[name_of_channel(own)] = State(told, one.kind.checkpoints(), one.checkpoint)
    own = own_channel(thing)
    if own is None or name_of_channel(own) not in states:
        raise CopyError("its state at that moment was not recorded")
    copy = with_copies(thing, DeepCopy(states).of)
    others = tuple(one for one in copy.attributes if one.id != NAME)
    copy = replace(copy, attributes=(Attribute(NAME, name), *others))
    file_contents(copy)  # fails if it could not be opened again
    return MomentCopy(copy, _lacking(states))


def _lacking(states: dict[str, State]) -> list[str]:
    found = []
    for state in states.values():
        for thing in things_in(state):
            own = own_channel(thing.recipe)
            if own is None or name_of_channel(own) not in states:
                found.append(thing.name)
    return list(dict.fromkeys(found))
