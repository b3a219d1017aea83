"""The decision where a library's code runs: in this process, or confined in one of its own."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from liven.runtime.checking.chosen_code import asks_confinement
from liven.runtime.library.store import Installed
from liven.runtime.reference.model import Object


class Confine(enum.Enum):
    """The libraries that a person's setting confines."""

    FETCHED = "fetched"
    """Those that a recipe brought, not those that the person installed."""
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Placement:
    """The person's choice. A recipe can ask for more confinement, never for less."""

    confine: Confine = Confine.FETCHED

    def confines(self, installed: Installed, thing: Object) -> bool:
        """True if objects of this library, built from `thing`, run in a process of their own."""
        if asks_confinement(thing):
            return True
        if self.confine is Confine.FETCHED:
            return installed.fetched
        return self.confine is Confine.ALL
