"""The state of a check at each point of the recipe: its place,
and the parameters of the enclosing composite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from liven.runtime.reference.model import Path, Value


@dataclass(frozen=True, slots=True)
class Scope:
    """A place in the recipe."""

    path: Path = ("Object",)
    given: Mapping[str, Value | None] | None = None
    """The values of the enclosing composite's parameters; None outside of any."""
    needs: tuple[str, ...] = ()
    """The libraries that the objects around this place require."""
    passed: bool = False
    """True if this object is only passed on, as a reference: building the whole does not build it."""

    def at(self, *steps: str) -> Scope:
        """Return the place that these steps lead to."""
        return replace(self, path=(*self.path, *steps))

    def inside(self, given: Mapping[str, Value | None]) -> Scope:
        """Return the same place, for the parts of a composite with these parameters."""
        return replace(self, given=given)

    def handed(self) -> Scope:
        """Return the same place, for a reference that is passed on."""
        return self if self.passed else replace(self, passed=True)

    def needing(self, libraries: tuple[str, ...]) -> Scope:
        """Return the same place, with these libraries required too."""
        needs = tuple(dict.fromkeys((*self.needs, *libraries)))
        return replace(self, needs=needs) if needs != self.needs else self
