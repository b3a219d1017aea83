"""Sets of numbers, kept as ranges."""

from __future__ import annotations

from liven.multicast._core import ffi, lib
from liven.multicast.engine.codes import check

_LARGEST = 2**64 - 1


class RangeSet:
    """A bounded set of 64-bit numbers, kept as ranges: the packets of a stream that a node has, or lacks."""

    def __init__(self, bound: int = 1024) -> None:
        if bound < 1:
            raise ValueError(f"a range set needs a bound of at least 1, not {bound}")
        handle = lib.mcast_ranges_new(lib.mcast_system_memory(), bound)
        if handle == ffi.NULL:
            check(-1)
        self._handle = ffi.gc(handle, lib.mcast_ranges_free)

    def add(self, first: int, last: int) -> None:
        """Add every number from `first` to `last`, both included."""
        check(lib.mcast_ranges_add(self._handle, first, last))

    def remove(self, first: int, last: int) -> None:
        """Remove every number from `first` to `last`, both included."""
        check(lib.mcast_ranges_remove(self._handle, first, last))

    def __contains__(self, number: int) -> bool:
        return 0 <= number <= _LARGEST and bool(lib.mcast_ranges_contains(self._handle, number))

    def range_count(self) -> int:
        """Return the count of separate ranges, which determines the memory."""
        return int(lib.mcast_ranges_count(self._handle))
