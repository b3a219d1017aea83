"""The one door to the compiled core: lengths and codes are checked here, and nowhere above."""

from __future__ import annotations

from liven.multicast._core import ffi, lib
from liven.multicast.errors import BadRangeError, CoreMemoryError, MulticastError, SetFullError

_KINDS: dict[int, type[MulticastError]] = {-1: CoreMemoryError, -2: BadRangeError, -3: SetFullError}
_LARGEST = 2**64 - 1


def core_version() -> str:
    """The version of the C core that is loaded."""
    return ffi.string(lib.mcast_version()).decode("ascii")


def _check(code: int) -> None:
    if code != 0:
        text = ffi.string(lib.mcast_strerror(code)).decode("ascii")
        raise _KINDS.get(code, MulticastError)(code, text)


class RangeSet:
    """A bounded set of 64-bit numbers, kept as ranges: what a node holds, or misses, of a stream."""

    def __init__(self, bound: int = 1024) -> None:
        if bound < 1:
            raise ValueError(f"a range set needs a bound of at least 1, not {bound}")
        handle = lib.mcast_ranges_new(lib.mcast_system_memory(), bound)
        if handle == ffi.NULL:
            _check(-1)
        self._handle = ffi.gc(handle, lib.mcast_ranges_free)

    def add(self, first: int, last: int) -> None:
        """Adds every number from `first` to `last`, both included."""
        _check(lib.mcast_ranges_add(self._handle, first, last))

    def remove(self, first: int, last: int) -> None:
        """Removes every number from `first` to `last`, both included."""
        _check(lib.mcast_ranges_remove(self._handle, first, last))

    def __contains__(self, number: int) -> bool:
        return 0 <= number <= _LARGEST and bool(lib.mcast_ranges_contains(self._handle, number))

    def range_count(self) -> int:
        """The count of separate ranges, which is what the set costs."""
        return int(lib.mcast_ranges_count(self._handle))
