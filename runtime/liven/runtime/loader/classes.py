"""Where the loader finds the code of a class of objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from liven.runtime.checking import Provided
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Path
from liven.runtime.reference import ids
from liven.runtime.reference.model import Object, Reference
from liven.types.catalogue import CatalogueError, Entry
from liven.types.declare.declaration import ProxyDeclaration


@dataclass(frozen=True, slots=True)
class Class:
    """A class of objects that can be built here."""

    entry: Entry
    declaration: ProxyDeclaration

    @classmethod
    def of(cls, entry: Entry | None) -> Class | None:
        """The code of a known class; None if there is none here."""
        declaration = getattr(entry.source, "declaration", None) if entry is not None else None
        if entry is None or not isinstance(declaration, ProxyDeclaration):
            return None
        return cls(entry, declaration)


class Classes(Protocol):
    """Whoever knows classes, and can get those that are missing."""

    def provide(self, thing: Object, at: Path) -> Reply[Provided]:
        """Makes known all classes that `thing` names: installed, or fetched and trusted; and says which were
        chosen, for this dereference alone. What cannot be had is left out, for the check to name;
        DereferenceError where something went wrong on the way."""

    def recalled(self, thing: Object) -> Provided:
        """The choice for the classes that `thing` pins, as far as it can be told at once: from what runs here
        already. Its problems say what cannot."""


class Installed:
    """The classes that the catalogue knows, and no way to get others."""

    def __init__(self, known: TypeKnowledge) -> None:
        self._known = known

    def provide(self, thing: Object, at: Path) -> Reply[Provided]:  # noqa: ARG002 nothing is fetched
        reply: Reply[Provided] = Reply()
        reply.resolve(Provided(thing))
        return reply

    def recalled(self, thing: Object) -> Provided:
        return Provided(thing)

    def component(self, thing: Reference) -> Class | None:
        """By id or alias; a version means that one or a later one."""
        return Class.of(self._entry(thing.id))

    def _entry(self, id_: str) -> Entry | None:
        catalogue = self._known.catalogue
        found = ids.parse(id_)
        if found is not None:
            return catalogue.by_id("component", found)
        try:
            return catalogue.find(id_, "component")
        except CatalogueError:
            return None
