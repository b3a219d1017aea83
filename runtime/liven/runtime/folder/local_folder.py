"""A folder of the file system as a folder object: the original program's LocalFolder."""

from __future__ import annotations

from pathlib import Path

from liven.runtime.capability.capability import Capability, reads_and_writes_folder
from liven.runtime.errors import CallFailedError
from liven.runtime.files import readable_size, user_path
from liven.runtime.folder import item_files
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient, Found
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, Int32, Ref, proxy

MOST_BYTES = 64 << 20
"""The most bytes of all objects that are given at once."""
LOOK_EVERY = 1.0
"""Seconds between two checks of the disk for changes by other programs."""


@proxy(id="4A9D7A367CCF496A9A80891C48D5E773", alias="liven:local-folder")
class LocalFolder:
    """The `.liveobject` files of the folder `path`, by name. Changes by other programs are noticed."""

    Endpoint: Dual[Folder, FolderClient]

    def __init__(
        self,
        path: str,
        context: Context,
        loader: Ref[AnyObject] | None = None,  # noqa: ARG002 the original's files give one; we need none
    ) -> None:
        self.context = context
        try:
            self.folder = user_path(path)
        except OSError as error:
            raise CallFailedError(f"{path}: {error.strerror}") from None
        self._known: frozenset[str] | None = None
        self._looking = False

    @staticmethod
    def capabilities(path: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return reads_and_writes_folder(path)

    async def keys(self) -> list[str]:
        try:
            return await self.context.errand(item_files.names, self.folder)
        except item_files.ItemError as error:
            raise CallFailedError(str(error)) from error

    async def objects(self) -> list[Ref[AnyObject]]:
        try:
            found = await self.context.errand(_load_all, self.folder)
        except item_files.ItemError as error:
            raise CallFailedError(str(error)) from error
        for problem in found[1]:
            self.context.report(problem, "the other items are available; fix or remove this one")
        return [Ref(text) for text in found[0]]

    async def contains_key(self, key: str) -> bool:
        return key in await self.keys()

    async def get_object(self, key: str) -> Ref[AnyObject]:
        found = await self.try_get_object(key)
        if found.object is None:
            raise CallFailedError(f"there is no {key!r} in {self.folder}")
        return found.object

    async def try_get_object(self, key: str) -> Found:
        try:
            text = await self.context.errand(item_files.load, self.folder, key)
        except item_files.ItemError as error:
            raise CallFailedError(str(error)) from error
        return Found(text is not None, Ref(text) if text is not None else None)

    async def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        await self._change(item_files.store, self.folder, key, object.xml)

    async def remove(self, key: str) -> None:
        await self._change(item_files.delete, self.folder, key)

    async def count(self) -> Int32:
        return len(await self.keys())

    def is_read_only(self) -> bool:
        return False

    def Endpoint_connected(self) -> None:
        if not self._looking:
            self._looking = True
            self.context.spawn(self._look())
        else:
            self.Endpoint.peer.ready()

    async def _change(self, change: object, *arguments: object) -> None:
        try:
            await self.context.errand(change, *arguments)  # type: ignore[arg-type]  # one of two functions
        except item_files.ItemError as error:
            self.context.report(str(error))
        await self._compare()

    async def _look(self) -> None:
        """Check the folder while a client is connected, and announce items that came and went."""
        try:
            self._known = frozenset(await self.keys())
            if self.context.connected("Endpoint"):
                self.Endpoint.peer.ready()
            while self.context.connected("Endpoint"):
                await self._compare()
                await self.context.sleep(LOOK_EVERY)
        except CallFailedError as error:
            self.context.report(str(error), "its items are not shown")
        self._looking, self._known = False, None

    async def _compare(self) -> None:
        now = frozenset(await self.keys())
        before, self._known = self._known, now
        if before is None or not self.context.connected("Endpoint"):
            return
        for key in sorted(before - now):
            self.Endpoint.peer.removed(key)
        for key in sorted(now - before):
            await self._tell_added(key)

    async def _tell_added(self, key: str) -> None:
        try:
            text = await self.context.errand(item_files.load, self.folder, key)
        except item_files.ItemError as error:
            self.context.report(str(error), "it is listed but cannot be opened")
            return
        if text is not None and self.context.connected("Endpoint"):
            self.Endpoint.peer.added(key, Ref(text))


def _load_all(folder: Path) -> tuple[list[str], list[str]]:
    """Return the texts of all items, and the faults of those that cannot be read."""
    texts: list[str] = []
    problems: list[str] = []
    size = 0
    for name in item_files.names(folder):
        if size > MOST_BYTES:
            problems.append(f"{folder} has more than {readable_size(MOST_BYTES)}; the rest is left out")
            break
        try:
            text = item_files.load(folder, name)
        except item_files.ItemError as error:
            problems.append(str(error))
        else:
            texts.extend([] if text is None else [text])
            size += len(text or "")
    return texts, problems
