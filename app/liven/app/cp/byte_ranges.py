"""The missing parts of a file: ranges of bytes, each with its first byte and the one after its last."""

from __future__ import annotations

from collections.abc import Iterable

Range = tuple[int, int]


class ByteRanges:
    """A set of numbers as an ordered list of ranges that neither touch nor overlap."""

    def __init__(self, ranges: Iterable[Range] = ()) -> None:
        self._ranges: list[Range] = []
        for first, end in ranges:
            self.add(first, end)

    def __bool__(self) -> bool:
        return bool(self._ranges)

    def ranges(self) -> list[Range]:
        """Return all ranges in order."""
        return list(self._ranges)

    def size(self) -> int:
        """The number of bytes in all ranges."""
        return sum(end - first for first, end in self._ranges)

    def add(self, first: int, end: int) -> None:
        """Add a range."""
        if first >= end:
            return
        apart = [each for each in self._ranges if each[1] < first or each[0] > end]
        touched = [each for each in self._ranges if not (each[1] < first or each[0] > end)]
        low = min([first, *(each[0] for each in touched)])
        high = max([end, *(each[1] for each in touched)])
        self._ranges = sorted([*apart, (low, high)])

    def remove(self, first: int, end: int) -> None:
        """Remove a range, as far as it is in the set."""
        left: list[Range] = []
        for low, high in self._ranges:
            if high <= first or low >= end:
                left.append((low, high))
                continue
            left += [each for each in ((low, first), (end, high)) if each[0] < each[1]]
        self._ranges = left

    def take(self, most: int) -> Range | None:
        """Remove and return the first bytes, at most `most`; None if the set is empty."""
        if not self._ranges:
            return None
        first, end = self._ranges[0]
        end = min(end, first + most)
        self.remove(first, end)
        return first, end
