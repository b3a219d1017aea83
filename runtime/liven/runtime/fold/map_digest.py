"""An incremental digest of a map: unchanged entries are not hashed again.

The digest is the sum of one hash per entry, so it is independent of order, and an entry can be added or
removed without looking at the others. It detects replicas that diverged by mistake; it does not resist
somebody who constructs two maps with the same digest."""

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
    """The digests of successive versions of one map. Similar versions cost little."""

    def __init__(self) -> None:
        self._seen: PersistentMap[K, V] = PersistentMap()
        self._sum = 0

    def of(self, current: PersistentMap[K, V]) -> bytes:
        """Return the digest of a map."""
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
