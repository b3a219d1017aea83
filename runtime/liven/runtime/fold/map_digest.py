"""The digest of a map that changes a little at a time: what did not change is not hashed again.

It is the sum of a hash for each entry, so it does not depend on an order, and an entry is taken out or put in
without a look at the others. It tells replicas that erred from those that did not; it withstands nobody who
makes two maps of equal digest on purpose.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from typing import Generic, TypeVar

from liven.runtime.fold.persistent_map import PersistentMap

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_BYTES = 16
_WIDTH = 1 << (8 * _BYTES)


class MapDigest(Generic[K, V]):
    """The digest of one map after another; near ones cost little."""

    def __init__(self) -> None:
        self._seen: PersistentMap[K, V] = PersistentMap()
        self._sum = 0

    def of(self, current: PersistentMap[K, V]) -> bytes:
        """The digest of a map."""
        for key in current.changed_since(self._seen):
            if key in self._seen:
                self._sum -= _entry(key, self._seen[key])
            if key in current:
                self._sum += _entry(key, current[key])
        self._seen = current
        self._sum %= _WIDTH
        return self._sum.to_bytes(_BYTES, "big")


def _entry(key: object, value: object) -> int:
    told = ascii((key, value)).encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=_BYTES).digest(), "big")
