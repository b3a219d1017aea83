"""What a shared folder holds, and what may happen to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from liven.liveobjects.fold import PersistentMap
from liven.types.declare import value


@value
class Put:
    """Puts an object in, by its recipe; under a name that is taken, it gets one with a number."""

    name: str
    reference: str


@value
class Take:
    """Takes an object out."""

    name: str


@value
class Rename:
    name: str
    to: str


Change: TypeAlias = Put | Take | Rename


@dataclass(frozen=True, slots=True)
class Content:
    """A state of a folder."""

    items: PersistentMap[str, str] = field(default_factory=PersistentMap)
    """The recipes, as XML text, by name."""

    def free_name(self, name: str) -> str:
        """`name`, or the first with a number that is not taken."""
        if name not in self.items:
            return name
        number = 2
        while f"{name} ({number})" in self.items:
            number += 1
        return f"{name} ({number})"
