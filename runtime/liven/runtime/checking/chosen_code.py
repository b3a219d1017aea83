"""The code chosen for the references of one recipe, so that check and loader judge the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from liven.runtime.reference.model import Object, Reference, Requirement
from liven.types.catalogue import Entry

Key: TypeAlias = tuple[str, tuple[Requirement, ...], bool]
CONFINED = "confined"
"""The attribute by which a recipe asks for a process of its own, with the value `yes`."""


def key_of(thing: Reference) -> Key:
    """Return the key by which a class is chosen; filling in a composite's parameters does not change it."""
    return thing.id, thing.requires, asks_confinement(thing)


def asks_confinement(thing: Object) -> bool:
    """True if the recipe asks that this object runs in a process of its own."""
    return any(one.id == CONFINED and one.value.strip() == "yes" for one in thing.attributes)


@dataclass(frozen=True, slots=True)
class ChosenCode:
    """The classes that libraries offer for references without `From`; the others are in the catalogue."""

    entries: Mapping[Key, Entry] = field(default_factory=dict)

    def of(self, thing: Reference) -> Entry | None:
        """Return the class chosen for this reference."""
        return self.entries.get(key_of(thing)) if self.entries else None


NO_CHOICES = ChosenCode()


@dataclass(frozen=True, slots=True)
class Provided:
    """A recipe with its requirements copied into every part, and the code chosen for it."""

    thing: Object
    choices: ChosenCode = NO_CHOICES
    problems: tuple[Exception, ...] = ()
    """The problems with unavailable code, for callers that go on without it."""
