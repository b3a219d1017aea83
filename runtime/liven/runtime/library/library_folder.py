"""A library as a folder of objects: for a name it returns a reference to the object declared under it.

These references require the library with its hash, so that they mean the same elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import CallFailedError
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient, Found
from liven.runtime.folder.served_folder import ServedFolder
from liven.runtime.library.errors import LibraryError
from liven.runtime.library.fetching.acquisition import Acquirer
from liven.runtime.library.store import Installed
from liven.runtime.library.trust import Trust, refuse
from liven.runtime.objects.context import Context
from liven.runtime.reference.model import Reference, Requirement
from liven.runtime.reference.xml import compact
from liven.types.catalogue import register
from liven.types.declare import Declarations, Dual, Int32, Ref, proxy
from liven.types.declare.annotation.reader import declaration_of


class LibraryFolder(ServedFolder):
    """Serves one library, which is found or fetched at the first call."""

    Endpoint: Dual[Folder, FolderClient]
    acquirer: Acquirer
    trust: Trust

    def __init__(self, context: Context, need: Requirement) -> None:
        self.context = context
        self._need = need
        self._items: dict[str, str] | None = None

    def items(self) -> Mapping[str, str]:
        """Return the objects known so far."""
        return self._items or {}

    async def keys(self) -> list[str]:  # type: ignore[override]  # an answer may come later
        """Return the aliases and ids of its objects."""
        return list(await self._opened())

    async def objects(self) -> list[Ref[AnyObject]]:  # type: ignore[override]
        """Return its objects."""
        return [Ref(text) for text in (await self._opened()).values()]

    async def contains_key(self, key: str) -> bool:  # type: ignore[override]
        """Return True if it declares that object."""
        return key in await self._opened()

    async def get_object(self, key: str) -> Ref[AnyObject]:  # type: ignore[override]
        """Return the object; the call fails if it declares none of that name."""
        found = (await self._opened()).get(key)
        if found is None:
            raise CallFailedError(f"the library declares no object {key!r}")
        return Ref(found)

    async def try_get_object(self, key: str) -> Found:  # type: ignore[override]
        """Return the object, if it declares one of that name."""
        found = (await self._opened()).get(key)
        return Found(found is not None, Ref(found) if found is not None else None)

    async def count(self) -> Int32:  # type: ignore[override]
        """Return the number of objects it declares."""
        return len(await self._opened())

    def is_read_only(self) -> bool:
        """Return True: a library does not change."""
        return True

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002, ARG002
        """Refuse: a library does not change."""
        self.context.report(f"{key!r} cannot be added to a library", "use a folder of your own")

    def remove(self, key: str) -> None:
        """Refuse: a library does not change."""
        self.context.report(
            f"{key!r} cannot be removed from a library", "`liven library remove` removes it whole"
        )

    async def _opened(self) -> dict[str, str]:
        if self._items is None:
            try:
                self._items = await self._open()
            except (LibraryError, OSError) as error:
                raise CallFailedError(str(error)) from error
        return self._items

    async def _open(self) -> dict[str, str]:
        here = await self.context.errand(self.acquirer.installed, self._need)
        if here is None:
            reason = "/".join(self.context.path)
            asked = self.acquirer.asked(self._need, reason, self.trust)
            here = await self.acquirer.bring(self._need, asked, self.trust, self.context.errand)
        return await self.context.errand(_items, self.acquirer, here, self._need.url)


def _items(acquirer: Acquirer, installed: Installed, url: str) -> dict[str, str]:
    sha256 = installed.verified()
    need = Requirement(f"{installed.namespace:032X}", installed.version, sha256, url=url)
    found = {}
    for declared in acquirer.index.declares(installed):
        if declared.kind == "component" and declared.id:
            text = compact(Reference(declared.id, requires=(need,)))
            found[declared.alias] = found[declared.id] = text
    return found


def learn_library(known: TypeKnowledge, acquirer: Acquirer, trust: Trust = refuse) -> TypeKnowledge:
    """Add the class of this node's library folders to `known`, and return it."""
    given, answer = acquirer, trust

    @proxy(id="545E658181884AEC84F899E38E208EE4", alias="liven:library-folder")
    class OneLibrary(LibraryFolder):
        Endpoint: Dual[Folder, FolderClient]
        acquirer = given
        trust = staticmethod(answer)

        def __init__(
            self, context: Context, library: str, version: str = "0", sha256: str = "", url: str = ""
        ) -> None:
            need = Requirement(
                library, int(version) if version.isdigit() else 0, sha256.strip().lower(), url=url
            )
            LibraryFolder.__init__(self, context, need)

    register(known.catalogue, Declarations(__name__, (declaration_of(OneLibrary),)), known.matcher)
    return known
