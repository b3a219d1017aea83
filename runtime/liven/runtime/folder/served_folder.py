"""The serving side of a folder, independent of where the items are kept."""

from __future__ import annotations

from collections.abc import Mapping

from liven.runtime.errors import CallFailedError
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient, Found
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, Int32, Ref


class ServedFolder:
    """The reading half of a folder, over `items()`; a subclass
    adds where they are kept and how they change."""

    Endpoint: Dual[Folder, FolderClient]
    context: Context

    def items(self) -> Mapping[str, str]:
        raise NotImplementedError

    def keys(self) -> list[str]:
        return list(self.items())

    def objects(self) -> list[Ref[AnyObject]]:
        return [Ref(text) for text in self.items().values()]

    def contains_key(self, key: str) -> bool:
        return key in self.items()

    def get_object(self, key: str) -> Ref[AnyObject]:
        found = self.items().get(key)
        if found is None:
            raise CallFailedError(f"there is no {key!r} in the folder {'/'.join(self.context.path)}")
        return Ref(found)

    def try_get_object(self, key: str) -> Found:
        found = self.items().get(key)
        return Found(found is not None, Ref(found) if found is not None else None)

    def count(self) -> Int32:
        return len(self.items())

    def Endpoint_connected(self) -> None:
        self.Endpoint.peer.ready()
