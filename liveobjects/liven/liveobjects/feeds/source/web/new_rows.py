"""Rows that a document did not have when it was fetched before.

Feeds on the web repeat themselves: each answer holds the last hour. A row passes when it is new, or when it
is a later version of one that was there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]

from liven.liveobjects.feeds.source.formats.decoded import Row

MOST: Final = 200_000
"""Things that are remembered; the longest unheard of are forgotten."""
_VERSIONS: Final = ("updated", "at")
"""The fields that say which version of a row is later."""


class NewRows:
    """The memory of one source."""

    def __init__(self, key: tuple[str, ...]) -> None:
        """`key` are the fields that say what a row is about; without any, each row is a thing of its own."""
        self._key = key
        self._known: OrderedDict[bytes, tuple[Any, bytes]] = OrderedDict()

    def of(self, rows: Iterable[Row]) -> list[Row]:
        """Return the rows that are new, and remember them."""
        return [row for row in rows if self._is_new(row)]

    def _is_new(self, row: Row) -> bool:
        digest = _digest(row)
        key = _digest([row[field] for field in self._key]) if self._key else digest
        version = self._version(row)
        before = self._known.get(key)
        if before is not None:
            self._known.move_to_end(key)
            if before[1] == digest or (version is not None and before[0] is not None and version < before[0]):
                return False
        self._known[key] = version, digest
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return True

    def _version(self, row: Row) -> Any:
        if not self._key:
            return None
        return next((row[field] for field in _VERSIONS if field in row), None)


def _digest(value: Any) -> bytes:
    return blake2b(msgpack.packb(value), digest_size=16).digest()
