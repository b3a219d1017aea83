"""The code that was chosen for the references of one recipe, so that check and loader judge the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from liven.runtime.reference.model import Object, Reference, Requirement
from liven.types.catalogue import Entry

Key: TypeAlias = tuple[str, tuple[Requirement, ...]]


def key_of(thing: Reference) -> Key:
    """What a class is chosen by; filling in a composite's parameters does not change it."""
    return thing.id, thing.requires


@dataclass(frozen=True, slots=True)
class ChosenCode:
    """The classes that libraries offer for references without `From`; what is not here, the catalogue has."""

    entries: Mapping[Key, Entry] = field(default_factory=dict)

    def of(self, thing: Reference) -> Entry | None:
        """The class that was chosen for this reference."""
        return self.entries.get(key_of(thing)) if self.entries else None


NO_CHOICES = ChosenCode()


@dataclass(frozen=True, slots=True)
class Provided:
    """A recipe, whose references say all that is required around them, and the code chosen for them."""

    thing: Object
    choices: ChosenCode = NO_CHOICES
    problems: tuple[Exception, ...] = ()
    """What could not be had, for whoever goes on without it."""
