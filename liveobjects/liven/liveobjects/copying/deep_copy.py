"""The recipe of a copy of an object and everything inside it, computed from all their states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.copying.recipe import (
    LARGEST_FILE,
    CopyError,
    FreshNames,
    copy_of,
    has_channels,
    has_channels_inside,
    name_of_channel,
    own_channel,
    parameters_of,
    with_copies,
    with_parts,
)
from liven.liveobjects.copying.states import State
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Composite, Object, Reference, name_of
from liven.runtime.reference.xml import compact, read_object

DEEPEST: Final = 24
"""Deepest nesting: each state is encoded inside that of its container, which multiplies its length."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An object with a channel of its own, or a composite that may contain some."""

    recipe: Object
    name: str
    """Its name, or that of the parameter that holds it."""


def things_in(state: State) -> Iterator[Thing]:
    """Yield the objects inside a state that have channels. Recipes that cannot be read are skipped."""
    for text in state.recipes():
        thing = _read(text)
        if thing is not None:
            yield from things_of(thing)


def things_of(recipe: Object) -> list[Thing]:
    """Return the parts of a recipe that have channels: the whole, or its parameters."""
    whole = name_of(recipe) or recipe.id
    if isinstance(recipe, Composite):
        return [Thing(recipe, whole)] if has_channels_inside(recipe) else []
    found = [Thing(recipe, whole)] if has_channels(recipe) else []
    for one in parameters_of(recipe):
        found += [replace(each, name=name_of(each.recipe) or whole) for each in things_of(one)]
    return found


class DeepCopy:
    """One copy. Objects without a known state are not copied: original and copy share them."""

    def __init__(self, states: Mapping[str, State], apart: Collection[str] = ()) -> None:
        """Prepare a copy from `states`, by channel name. Objects `apart` are copied empty."""
        self._states = states
        self._apart = apart
        self.empty: dict[str, Reference] = {}
        """The copies of the objects apart, by the channel name of the original."""
        self._names = FreshNames()
        self._seeds: dict[str, bytes] = {}
        self._within: list[str] = []
        """The channels of all containers of the object whose state is being written."""
        self._left_out: set[str] = set()
        """Those of the containers that are inside the object again; they are left empty there, because
        their copy has been started."""

    def of(self, thing: Reference) -> Reference:
        """Return the copy of an object; raise CopyError if it would be too large."""
        own = own_channel(thing)
        if own is None:
            return with_parts(copy_of(thing, None, self._names), self.of)
        key = name_of_channel(own)
        if key in self._apart:
            made = with_parts(copy_of(thing, None, self._names), self.of)
            return self.empty.setdefault(key, made)
        if key not in self._states:
            return thing
        if key in self._within:
            self._left_out.add(key)
            return with_parts(copy_of(thing, None, self._names), self.of)
        return with_parts(copy_of(thing, self._seed(key), self._names), self.of)

    def _seed(self, key: str) -> bytes:
        known = self._seeds.get(key)
        if known is not None:
            return known
        if len(self._within) == DEEPEST:
            raise CopyError(f"its objects are nested more than {DEEPEST} deep; copy one of the inner ones")
        outer, self._left_out = self._left_out, set()
        self._within.append(key)
        seed = self._written(self._states[key])
        self._within.pop()
        left_out = self._left_out - {key}
        self._left_out = outer | left_out
        if not left_out:  # a copy with parts left out is valid only inside these containers
            self._seeds[key] = seed
        return seed

    def _written(self, state: State) -> bytes:
        length = 0

        def change(text: str) -> str:
            nonlocal length
            thing = _read(text)
            copy = thing if thing is None else with_copies(thing, self.of)
            made = text if thing is None or copy is None or copy == thing else compact(copy)
            length += len(made)
            if (made != text and len(made) > LONGEST_REFERENCE) or length > LARGEST_FILE:
                raise CopyError(_too_large(state, thing, len(made), length))
            return made

        return state.encoded(change)


def _too_large(state: State, thing: Object | None, one: int, all_of_it: int) -> str:
    if one > LONGEST_REFERENCE:
        name = "" if thing is None else name_of(thing) or thing.id
        within = f"“{name}” in “{state.name}” would have {one / 1e6:.1f} MB with its contents"
        return f"{within}; the limit is {LONGEST_REFERENCE / 1e6:.1f} MB. Copy it by itself"
    held = f"“{state.name}” would have {all_of_it / 1e6:.1f} MB with its contents"
    return f"{held}; the limit is {LARGEST_FILE / 1e6:.1f} MB"


def _read(text: str) -> Object | None:
    try:
        return read_object(text)
    except ReadError:
        return None
