"""Readable names for ids: those of the catalogue, and those of the registry's well-known keys."""

from __future__ import annotations

from dataclasses import dataclass

from liven.runtime.checking.classes import known_class
from liven.runtime.reference import ids
from liven.runtime.reference.identity import REGISTRY
from liven.runtime.reference.model import Object
from liven.runtime.registry.keys import name_of_key
from liven.types.catalogue import Catalogue, CatalogueError, Entry
from liven.types.catalogue.entry import KINDS


@dataclass(frozen=True, slots=True)
class CatalogueNames:
    """What a catalogue calls things."""

    catalogue: Catalogue

    def named(self, kind: str, id: str) -> str:  # noqa: A002
        """The alias of a class; empty if it is not known."""
        entry = self._entry(kind, id)
        return entry.alias if entry is not None else ""

    def key(self, folder: Object, key: str) -> str:
        """What one of the registry's well-known keys stands for; empty for any other folder's."""
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
