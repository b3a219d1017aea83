"""A place in a recipe that is being built: its name for people, and the result of its check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from liven.runtime.checking import NO_CHOICES, ChosenCode, Part, Report
from liven.runtime.problems import Path
from liven.runtime.reference.model import Object

Chain: TypeAlias = tuple[tuple[Object, str], ...]
"""The folders and keys that led here, outermost first."""
ROOT: Path = ("Object",)


@dataclass(frozen=True, slots=True)
class RecipePath:
    """One element, inside a recipe that was checked as a whole."""

    shown: Path
    """The path from the object that the user opened."""
    path: Path
    """The path from the root of the checked recipe."""
    parts: Mapping[Path, Part]
    chain: Chain = ()
    choices: ChosenCode = NO_CHOICES
    """The code that was chosen for the recipe."""
    recipe: str = ""
    """The identity of the recipe, for the consent to what it reaches."""

    @classmethod
    def root(cls, shown: Path, report: Report, chain: Chain, choices: ChosenCode, recipe: str) -> RecipePath:
        """Return the root of a recipe that was checked."""
        return cls(shown, ROOT, {part.path: part for part in report.parts}, chain, choices, recipe)

    def at(self, *steps: str) -> RecipePath:
        """Return the place that these steps lead to."""
        return replace(self, shown=(*self.shown, *steps), path=(*self.path, *steps))

    @property
    def part(self) -> Part | None:
        """The result of the check for the object here."""
        return self.parts.get(self.path)
