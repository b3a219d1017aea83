"""The files and folders that a person allowed permanently, each for one recipe."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

from liven.runtime.capability import Capability, CapabilityKind, ConsentQuestion
from liven.runtime.files import read_json, write_file
from liven.runtime.user_folders import UserFolders

LARGEST = 1024 * 1024
MOST = 1000
"""Most answers; the oldest are dropped."""


@dataclass(frozen=True, slots=True)
class AllowedPath:
    """One answer: this recipe may do this."""

    recipe: str
    capability: Capability
    day: str


class PathStore:
    """The file of answers. If it cannot be read, nothing is allowed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, folders: UserFolders) -> PathStore:
        """Return the store of the user."""
        return cls(folders.config / "paths.json")

    def entries(self) -> tuple[AllowedPath, ...]:
        """Return all answers, newest last."""
        try:
            return tuple(
                AllowedPath(
                    str(one["recipe"]),
                    Capability(CapabilityKind(one["kind"]), str(one["path"])),
                    str(one["day"]),
                )
                for one in read_json(self._path, LARGEST)
            )
        except (OSError, ValueError, TypeError, KeyError):
            return ()

    def allows(self, question: ConsentQuestion) -> bool:
        """Return True if the recipe may do everything that the question lists."""
        given = {one.capability for one in self.entries() if one.recipe == question.recipe}
        return given.issuperset(question.capabilities)

    def remember(self, question: ConsentQuestion) -> None:
        """Allow this from now on; raise OSError if that cannot be saved."""
        day = time.strftime("%Y-%m-%d")
        new = [AllowedPath(question.recipe, one, day) for one in question.capabilities]
        added = {(one.recipe, one.capability) for one in new}
        old = [one for one in self.entries() if (one.recipe, one.capability) not in added]
        rows = [
            {
                "recipe": one.recipe,
                "kind": one.capability.kind.value,
                "path": one.capability.subject,
                "day": one.day,
            }
            for one in [*old, *new][-MOST:]
        ]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_file(self._path, json.dumps(rows, indent=1).encode(), 0o600)
