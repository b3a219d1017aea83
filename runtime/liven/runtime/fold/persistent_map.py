"""A persistent map: an immutable map whose changed copies share nearly all of their parts with it.

A model's state is sent to a joining member in slices while operations go on, and a view compares the new
state with the old one. Both need old states unchanged, at a cost that does not grow with their size. The
keys lie in buckets: a change copies one bucket and the list of buckets, and a comparison skips the shared
buckets."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_FEWEST = 8
_CROWDED = 16
"""The average number of keys in a bucket at which the number of buckets grows."""
_WIDER = 8


class PersistentMap(Mapping[K, V], Generic[K, V]):
    """An immutable mapping. `with_` and `without` return changed copies."""

    __slots__ = ("_buckets", "_size")

    def __init__(self, items: Mapping[K, V] | None = None) -> None:
        count = _buckets_for(len(items or ()))
        made: list[dict[K, V]] = [{} for _ in range(count)]
        for key, value in (items or {}).items():
            made[hash(key) % count][key] = value
        self._buckets: tuple[dict[K, V], ...] = tuple(made)
        self._size = len(items or ())

    def __getitem__(self, key: K) -> V:
        return self._buckets[hash(key) % len(self._buckets)][key]

    def __iter__(self) -> Iterator[K]:
        for bucket in self._buckets:
            yield from bucket

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"PersistentMap({dict(self)!r})"

    def with_(self, key: K, value: V) -> PersistentMap[K, V]:
        """Return a copy in which `key` maps to `value`."""
        count = len(self._buckets)
        if self._size >= count * _CROWDED:
            return PersistentMap({**self, key: value})
        at = hash(key) % count
        bucket = {**self._buckets[at], key: value}
        return self._replaced(at, bucket)

    def without(self, key: K) -> PersistentMap[K, V]:
        """Return a copy without `key`, which must be present."""
        at = hash(key) % len(self._buckets)
        bucket = dict(self._buckets[at])
        del bucket[key]
        return self._replaced(at, bucket)

    def changed_since(self, old: PersistentMap[K, V]) -> frozenset[K]:
        """Return the keys that were added, removed or changed since `old`."""
        if len(self._buckets) != len(old._buckets):
            return _changed(old, self)
        return frozenset[K]().union(
            *(_changed(a, b) for a, b in zip(old._buckets, self._buckets, strict=True) if a is not b)
        )

    def _replaced(self, at: int, bucket: dict[K, V]) -> PersistentMap[K, V]:
        made: PersistentMap[K, V] = PersistentMap.__new__(PersistentMap)
        made._size = self._size + len(bucket) - len(self._buckets[at])
        made._buckets = (*self._buckets[:at], bucket, *self._buckets[at + 1 :])
        return made


def _buckets_for(size: int) -> int:
    count = _FEWEST
    while size >= count * _CROWDED:
        count *= _WIDER
    return count


def _changed(old: Mapping[K, V], new: Mapping[K, V]) -> frozenset[K]:
    kept = {key for key in old.keys() & new.keys() if old[key] is new[key] or old[key] == new[key]}
    return frozenset((old.keys() | new.keys()) - kept)
