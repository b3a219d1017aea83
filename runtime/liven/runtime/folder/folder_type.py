"""The folder type: the dictionary of the original program, in this room's words.

No class here but the proxies has an id: a folder is known by its structure, which is that of the
catalogue's `liven:folder<text, liven:object>`.
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
    """What asking for a key gives."""

    result: bool
    object: Ref[AnyObject] | None


@interface
class Folder(Protocol):
    """What one can ask of a folder."""

    def keys(self) -> list[str]:
        """The names of the items."""

    def objects(self) -> list[Ref[AnyObject]]:
        """The items, in the order of their names."""

    def contains_key(self, key: str) -> bool:
        """Whether there is an item of that name."""

    def get_object(self, key: str) -> Ref[AnyObject]:
        """The item; the call fails if there is none."""

    def try_get_object(self, key: str) -> Found:
        """The item, if there is one."""

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        """Puts an item in under a name that is free."""

    def remove(self, key: str) -> None:
        """Takes an item out."""

    def count(self) -> Int32:
        """How many items there are."""

    def is_read_only(self) -> bool:
        """Whether adding and removing are refused."""


@interface
class FolderClient(Protocol):
    """What a folder tells whoever is connected to it."""

    def ready(self) -> None:
        """The folder can be asked now."""

    def added(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        """An item was put in."""

    def removed(self, key: str) -> None:
        """An item was taken out."""


@object_type
class FolderObject:
    """An object that is a folder."""

    Endpoint: Dual[Folder, FolderClient]
