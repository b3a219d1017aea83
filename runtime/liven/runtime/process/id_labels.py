"""Readable names for ids: those of the catalogue, and those of the registry's well-known keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from liven.runtime.checking.classes import known_class
from liven.runtime.reference import ids
from liven.runtime.reference.identity import REGISTRY
from liven.runtime.reference.model import Object
from liven.runtime.reference.well_known_keys import name_of_key
from liven.types.catalogue import Catalogue, CatalogueError, Entry
from liven.types.catalogue.entry import KINDS
from liven.types.ids import ClassId

Elsewhere: TypeAlias = Callable[[str, ClassId], str]
"""Returns the alias of a class of that kind and id; empty if it is unknown there, too."""


def nowhere(kind: str, id_: ClassId) -> str:  # noqa: ARG001
    """Return no name."""
    return ""


@dataclass(frozen=True, slots=True)
class IdLabels:
    """The names that a catalogue gives."""

    catalogue: Catalogue
    elsewhere: Elsewhere = nowhere
    """Asked for ids that the catalogue does not know."""

    def named(self, kind: str, id: str) -> str:  # noqa: A002
        """Return the alias of a class; empty if it is unknown."""
        entry = self._entry(kind, id)
        if entry is not None:
            return entry.alias
        found = ids.parse(id)
        return self.elsewhere(kind, found) if found is not None else ""

    def key(self, folder: Object, key: str) -> str:
        """Return the meaning of one of the registry's well-known keys; empty for a key of another folder."""
        return name_of_key(key) if ids.same(folder.id, REGISTRY) else ""

    def _entry(self, kind: str, id_: str) -> Entry | None:
        wanted = next(one for one in KINDS if one == kind)
        found = ids.parse(id_)
        if found is not None:
            return known_class(self.catalogue, wanted, found)
        try:
            return self.catalogue.find(id_, wanted) if id_ else None
        except CatalogueError:
            return None
