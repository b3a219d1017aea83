"""The registry as an object: the folder under its reserved id, over this node's registry store."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from liven.runtime.capability import Capability, CapabilityKind
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import CallFailedError
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient, Found
from liven.runtime.objects.context import Context
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.well_known_keys import canonical_key
from liven.runtime.reference.xml import compact, read_object
from liven.runtime.registry.store import EntryError, RegistryStore
from liven.types.catalogue import register
from liven.types.declare import Declarations, Dual, Int32, Ref, proxy
from liven.types.declare.annotation.reader import declaration_of

LOOK_EVERY = 1.0
"""Seconds between two checks of the files, which people may edit."""


class RegistryFolder:
    """Serves a registry store.

    Workers read and write the disk; entries are judged here, between two events.
    """

    Endpoint: Dual[Folder, FolderClient]
    registry: RegistryStore

    def __init__(self, context: Context) -> None:
        self.context = context
        self._told: dict[str, str] = {}
        self._seen: dict[str, str] = {}
        self._looking = False
        self._looks = count(1)
        self._latest = 0

    async def keys(self) -> list[str]:
        """Return the keys of all entries that lead to an object."""
        return list(await self._items())

    async def objects(self) -> list[Ref[AnyObject]]:
        """Return the entries."""
        return [Ref(text) for text in (await self._items()).values()]

    async def contains_key(self, key: str) -> bool:
        """Return True if there is an entry under the id `key`, in any spelling."""
        return canonical_key(key) in await self._items()

    async def get_object(self, key: str) -> Ref[AnyObject]:
        """Return the entry; the call fails if there is none."""
        found = (await self._items()).get(canonical_key(key))
        if found is None:
            raise CallFailedError(f"there is no {key!r} in the registry")
        return Ref(found)

    async def try_get_object(self, key: str) -> Found:
        """Return the entry, if there is one."""
        found = (await self._items()).get(canonical_key(key))
        return Found(found is not None, Ref(found) if found is not None else None)

    async def count(self) -> Int32:
        """Return the number of entries that lead to an object."""
        return len(await self._items())

    def is_read_only(self) -> bool:
        """Return False: people choose here."""
        return False

    async def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002
        """Add an entry in place of a default; one that somebody chose must be removed first."""
        try:
            thing = read_object(object.xml)
            offered = await self.context.errand(self.registry.offered, thing)
            self.registry.admit(key, thing, offered)
            await self.context.errand(self.registry.write, key, thing)
        except (EntryError, ReadError, OSError) as error:
            self.context.report(str(error), "nothing was changed")
        await self._tell()

    async def remove(self, key: str) -> None:
        """Remove an entry; the default applies again, if there is one."""
        try:
            await self.context.errand(self.registry.remove, key)
        except (EntryError, OSError) as error:
            self.context.report(str(error), "nothing was changed")
        await self._tell()

    async def Endpoint_connected(self) -> None:
        """Start to check the files for the new client."""
        self._seen = dict(await self._items())
        if not self.context.connected("Endpoint"):
            return
        self.Endpoint.peer.ready()
        if not self._looking:
            self._looking = True
            self.context.spawn(self._look())

    async def _look(self) -> None:
        while self.context.connected("Endpoint"):
            await self.context.sleep(LOOK_EVERY)
            await self._tell()
        self._looking = False

    async def _items(self) -> Mapping[str, str]:
        """Return every entry that leads to an object; report refused ones, once until they change."""
        entries = self.registry.judged(await self.context.errand(self.registry.look))
        refused = {key: entry.refused for key, entry in entries.items() if entry.refused}
        for key, reason in refused.items():
            if self._told.get(key) != reason:
                self.context.report(
                    f"the registry's entry {key} is refused: {reason}", "fix the file or remove it"
                )
        self._told = refused
        return {k: compact(entry.object) for k, entry in entries.items() if entry.object and entry.usable}

    async def _tell(self) -> None:
        """Announce what came, went or changed since the last check."""
        number = next(self._looks)
        now = dict(await self._items())
        if number < self._latest:
            return  # a later check was faster
        before, self._seen, self._latest = self._seen, now, number
        if not self.context.connected("Endpoint"):
            return
        for key in sorted(before):
            if now.get(key) != before[key]:
                self.Endpoint.peer.removed(key)
        for key in sorted(now):
            if before.get(key) != now[key]:
                self.Endpoint.peer.added(key, Ref(now[key]))


def learn_registry(known: TypeKnowledge, registry: RegistryStore) -> TypeKnowledge:
    """Add the registry's reserved class, over this node's store, to `known`, and return it."""

    @proxy(id="E8C9D312C27649F39812B8E99AA67CBC", alias="liven:registry")
    class Registry(RegistryFolder):
        Endpoint: Dual[Folder, FolderClient]

        def __init__(self, context: Context) -> None:
            RegistryFolder.__init__(self, context)
            self.registry = registry

        @staticmethod
        def capabilities() -> tuple[Capability, ...]:
            """State that whoever is connected can change the entries, which the user chose."""
            return (Capability(CapabilityKind.WRITE_FOLDER, str(registry.root)),)

    declared = Declarations(__name__, (declaration_of(Registry),))
    register(known.catalogue, declared, known.matcher)
    return known
