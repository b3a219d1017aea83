"""The folder type: the dictionary of the original program, in this room's words.

Only the proxies have ids. A folder is recognised by its structure, which is that of the catalogue's
`liven:folder<text, liven:object>`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from liven.types.declare import Dual, Int32, Ref, interface, object_type, value


@object_type
class AnyObject:
    """Any object at all."""


@value
@dataclass(frozen=True)
class Found:
    """The answer to a request for an item."""

    result: bool
    object: Ref[AnyObject] | None


@interface
class Folder(Protocol):
    """The operations of a folder."""

    def keys(self) -> list[str]:
        """Return the names of the items."""

    def objects(self) -> list[Ref[AnyObject]]:
        """Return the items, in the order of their names."""

    def contains_key(self, key: str) -> bool:
        """Return True if there is an item of that name."""

    def get_object(self, key: str) -> Ref[AnyObject]:
        """Return the item; the call fails if there is none."""

    def try_get_object(self, key: str) -> Found:
        """Return the item, if there is one."""

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        """Add an item under a name that is free."""

    def remove(self, key: str) -> None:
        """Remove an item."""

    def count(self) -> Int32:
        """Return the number of items."""

    def is_read_only(self) -> bool:
        """Return True if adding and removing are refused."""


@interface
class FolderClient(Protocol):
    """The events that a folder sends to its clients."""

    def ready(self) -> None:
        """The folder is ready for calls."""

    def added(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        """An item was added."""

    def removed(self, key: str) -> None:
        """An item was removed."""


@object_type
class FolderObject:
    """An object that is a folder."""

    Endpoint: Dual[Folder, FolderClient]
