"""The state of a shared folder and its changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from liven.runtime.fold import PersistentMap
from liven.types.declare import value

_FEW: Final = 64


@value
class Put:
    """Add an object by its recipe. If the name is taken, it gets a number."""

    name: str
    reference: str


@value
class Take:
    """Remove an object."""

    name: str


@value
class Rename:
    name: str
    to: str


Change: TypeAlias = Put | Take | Rename


@dataclass(frozen=True, slots=True)
class Content:
    """The state of a folder."""

    items: PersistentMap[str, str] = field(default_factory=PersistentMap)
    """Recipes as XML text, by name."""

    def free_name(self, name: str) -> str:
        """Return `name`, or a numbered name that is free. Among few items it is the first free number.
        Among many, the search skips numbers: otherwise adding 10,000 items of one name would take
        quadratic time."""
        if name not in self.items:
            return name
        number = next((n for n in range(2, _FEW) if f"{name} ({n})" not in self.items), 0)
        return f"{name} ({number or self._far_number(name)})"

    def _far_number(self, name: str) -> int:
        """Return the number after a taken one, found by bisection."""
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
