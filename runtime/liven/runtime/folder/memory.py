"""A folder in memory: shared by all who open one name in one process, gone with the last of them."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakSet

from liven.runtime.context import Context
from liven.runtime.errors import CallFailedError
from liven.runtime.folder.interface import AnyObject, Folder, FolderClient
from liven.runtime.folder.served import ServedFolder
from liven.types.declare import Dual, Ref, proxy


class _Drawer:
    """The items of one folder, and the proxies that show it."""

    def __init__(self) -> None:
        self.items: dict[str, str] = {}
        self.shown_by: WeakSet[MemoryFolder] = WeakSet()


@proxy(id="6B1E7B9D3F0C4C3C9B8C0B6E6B1C54A7", alias="liven:memory-folder")
class MemoryFolder(ServedFolder):
    """A folder whose items are kept in memory under `name`."""

    Endpoint: Dual[Folder, FolderClient]

    def __init__(self, context: Context, name: str = "") -> None:
        self.context = context
        self._drawer = context.shared(_Drawer, name)
        self._drawer.shown_by.add(self)

    def items(self) -> Mapping[str, str]:
        return self._drawer.items

    def is_read_only(self) -> bool:
        return False

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        if key in self._drawer.items:
            return self.context.report(f"{key!r} is in the folder already", "remove it first")
        self._drawer.items[key] = object.xml
        for folder in self._drawer.shown_by:
            if folder.Endpoint.connected:
                folder.Endpoint.peer.added(key, object)
        return None

    def remove(self, key: str) -> None:
        if self._drawer.items.pop(key, None) is None:
            return self.context.report(f"there is no {key!r} in the folder", "nothing was removed")
        for folder in self._drawer.shown_by:
            if folder.Endpoint.connected:
                folder.Endpoint.peer.removed(key)
        return None
