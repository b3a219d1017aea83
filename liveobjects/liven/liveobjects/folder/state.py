"""What a shared folder holds, and what may happen to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from liven.runtime.fold import PersistentMap
from liven.types.declare import value

_FEW: Final = 64


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
        """`name`, or one with a number that is not taken: where few are, the first. Where many are, not all
        are looked at, else ten thousand things of one name would take the square of that."""
        if name not in self.items:
            return name
        number = next((n for n in range(2, _FEW) if f"{name} ({n})" not in self.items), 0)
        return f"{name} ({number or self._far_number(name)})"

    def _far_number(self, name: str) -> int:
        """The number behind one that is taken, found by halves."""
        taken, free = _FEW - 1, 2 * _FEW
        while f"{name} ({free})" in self.items:
            taken, free = free, 2 * free
        while free - taken > 1:
            middle = (taken + free) // 2
            if f"{name} ({middle})" in self.items:
                taken = middle
            else:
                free = middle
        return free
