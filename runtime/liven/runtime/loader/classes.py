"""The loader's source of code for classes of objects."""

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
        """Return the code of a known class; None if there is none here."""
        declaration = getattr(entry.source, "declaration", None) if entry is not None else None
        if entry is None or not isinstance(declaration, ProxyDeclaration):
            return None
        return cls(entry, declaration)


class Classes(Protocol):
    """A source that knows classes and can get missing ones."""

    def provide(self, thing: Object, at: Path) -> Reply[Provided]:
        """Make all classes that `thing` names known, installed or fetched,
        and return the choice for this dereference.

        Unavailable classes are left out, for the check to name; raise DereferenceError if something fails on
        the way.
        """

    def recalled(self, thing: Object) -> Provided:
        """Return the choice for the classes that `thing` pins, from code that is already loaded.

        Its problems name the classes that are not.
        """


class Installed:
    """The classes that the catalogue knows, with no way to get others."""

    def __init__(self, known: TypeKnowledge) -> None:
        self._known = known

    def provide(self, thing: Object, at: Path) -> Reply[Provided]:  # noqa: ARG002 nothing is fetched
        reply: Reply[Provided] = Reply()
        reply.resolve(Provided(thing))
        return reply

    def recalled(self, thing: Object) -> Provided:
        return Provided(thing)

    def component(self, thing: Reference) -> Class | None:
        """Return the class by id or alias; a version means that one or a later one."""
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
