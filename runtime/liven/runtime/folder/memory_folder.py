"""A folder in memory: shared by all proxies with one name in one process, gone with the last of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from weakref import WeakValueDictionary

from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient
from liven.runtime.folder.served_folder import ServedFolder
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, Ref, proxy


class _SharedItems:
    """The items of one folder, and the proxies that show it, oldest first."""

    def __init__(self) -> None:
        self.items: dict[str, str] = {}
        self.shown_by: WeakValueDictionary[int, MemoryFolder] = WeakValueDictionary()
        self.numbers = count()


@proxy(id="14C86577719B42F5AFA750A2D8A662F9", alias="liven:memory-folder")
class MemoryFolder(ServedFolder):
    """A folder whose items are kept in memory under `name`."""

    Endpoint: Dual[Folder, FolderClient]

    def __init__(self, context: Context, name: str = "") -> None:
        self.context = context
        self._drawer = context.shared(_SharedItems, "drawer", name)
        self._drawer.shown_by[next(self._drawer.numbers)] = self

    def items(self) -> Mapping[str, str]:
        return self._drawer.items

    def is_read_only(self) -> bool:
        return False

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        if key in self._drawer.items:
            self.context.report(f"{key!r} is in the folder already", "remove it first; nothing was changed")
            return
        self._drawer.items[key] = object.xml
        for folder in self._open():
            folder.Endpoint.peer.added(key, object)

    def remove(self, key: str) -> None:
        if self._drawer.items.pop(key, None) is None:
            self.context.report(f"there is no {key!r} in the folder", "nothing was removed")
            return
        for folder in self._open():
            folder.Endpoint.peer.removed(key)

    def _open(self) -> list[MemoryFolder]:
        return [one for one in self._drawer.shown_by.values() if one.context.connected("Endpoint")]
