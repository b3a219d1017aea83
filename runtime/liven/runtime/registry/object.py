"""The registry as an object: the folder under its reserved id, over one book of this node."""

from __future__ import annotations

from collections.abc import Mapping

from liven.runtime.context import Context
from liven.runtime.folder.interface import AnyObject, Folder, FolderClient, Found
from liven.runtime.folder.served import ServedFolder
from liven.runtime.known import Known
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import compact, read_object
from liven.runtime.registry.book import Book, EntryError
from liven.runtime.registry.keys import canonical_key
from liven.types.catalogue import learn
from liven.types.declare import Declarations, Dual, Ref, proxy
from liven.types.declare.reading import declaration_of

LOOK_EVERY = 1.0
"""Seconds between two looks at the files, for what people edit."""


class RegistryFolder(ServedFolder):
    """Serves a book. Reading is from files that are small and checked once; it happens in place."""

    Endpoint: Dual[Folder, FolderClient]
    book: Book

    def __init__(self, context: Context) -> None:
        self.context = context
        self._told: dict[str, str] = {}
        self._seen: dict[str, str] = {}
        self._looking = False

    def items(self) -> Mapping[str, str]:
        """Every entry that leads to an object; what is refused is reported, once until it changes."""
        entries = self.book.entries()
        refused = {key: entry.refused for key, entry in entries.items() if entry.refused}
        for key, reason in refused.items():
            if self._told.get(key) != reason:
                self.context.report(
                    f"the registry's entry {key} is refused: {reason}", "mend the file, or remove it"
                )
        self._told = refused
        return {k: compact(entry.object) for k, entry in entries.items() if entry.object and entry.usable}

    def contains_key(self, key: str) -> bool:
        """A key is an id: every spelling of it is the same."""
        return super().contains_key(canonical_key(key))

    def get_object(self, key: str) -> Ref[AnyObject]:
        """The entry; the call fails if there is none."""
        return super().get_object(canonical_key(key))

    def try_get_object(self, key: str) -> Found:
        """The entry, if there is one."""
        return super().try_get_object(canonical_key(key))

    def is_read_only(self) -> bool:
        """People choose here."""
        return False

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002
        """Puts an entry in the place of a default; one that somebody chose must be removed first."""
        known = self.book.find(key)
        if known is not None and known.path is not None:
            self.context.report(f"the registry has {key!r} already", "remove it first; nothing was changed")
            return
        try:
            self.book.put(key, read_object(object.xml))
        except (EntryError, ReadError, OSError) as error:
            self.context.report(str(error), "nothing was changed")
        self._tell()

    def remove(self, key: str) -> None:
        """Takes an entry away; the default stands again, if there is one."""
        try:
            self.book.remove(key)
        except (EntryError, OSError) as error:
            self.context.report(str(error), "nothing was changed")
        self._tell()

    def Endpoint_connected(self) -> None:
        """Begins to look at the files for whoever is connected."""
        self._seen = dict(self.items())
        super().Endpoint_connected()
        if not self._looking:
            self._looking = True
            self.context.spawn(self._look())

    async def _look(self) -> None:
        while self.context.connected("Endpoint"):
            await self.context.sleep(LOOK_EVERY)
            self._tell()
        self._looking = False

    def _tell(self) -> None:
        """Tells what came, went or changed since the last look."""
        before, now = self._seen, dict(self.items())
        self._seen = now
        if not self.context.connected("Endpoint"):
            return
        for key in sorted(before):
            if now.get(key) != before[key]:
                self.Endpoint.peer.removed(key)
        for key in sorted(now):
            if before.get(key) != now[key]:
                self.Endpoint.peer.added(key, Ref(now[key]))


def learn_registry(known: Known, book: Book) -> Known:
    """`known`, with the registry's reserved class over this node's book."""

    @proxy(id="E8C9D312C27649F39812B8E99AA67CBC", alias="liven:registry")
    class Registry(RegistryFolder):
        Endpoint: Dual[Folder, FolderClient]

        def __init__(self, context: Context) -> None:
            RegistryFolder.__init__(self, context)
            self.book = book

    declared = Declarations(__name__, (declaration_of(Registry),))
    learn(known.catalogue, declared, known.matcher)
    return known
