"""The table of a column of texts, as a block has it: checked at once, and decoded when somebody looks at it.

A scan of payloads looks at no names, and Arrow takes the bytes as they are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final, overload

import numpy as np
import numpy.typing as npt

_CONTINUES: Final = 0b1000_0000
_CONTINUES_MASK: Final = 0b1100_0000
"""In UTF-8, bytes inside of a character begin with the bits 10."""


class BadTableError(Exception):
    """The bytes are no table of texts; the text says why."""


class TextTable(Sequence[str]):
    """Texts that are decoded when one of them is needed."""

    __slots__ = ("_texts", "data", "ends")

    def __init__(self, data: memoryview, ends: npt.NDArray[np.int32]) -> None:
        """Text i is `data[ends[i]:ends[i + 1]]` in UTF-8; raise BadTableError."""
        if len(ends) == 0 or ends[0] != 0 or ends[-1] != len(data) or (ends[1:] < ends[:-1]).any():
            raise BadTableError("a table of names does not fit in it")
        self.data = data
        self.ends = ends
        self._texts: list[str] | None = None
        self._demand_texts()

    def _demand_texts(self) -> None:
        """Raise BadTableError unless every text is UTF-8: all together are, and none ends inside of a
        character."""
        try:
            whole = str(self.data, "utf-8")
        except UnicodeDecodeError:
            raise BadTableError("a name in it is not text") from None
        if len(whole) == len(self.data):
            return  # every character is a byte
        begins = self.ends[self.ends < len(self.data)]
        first = np.frombuffer(self.data, np.uint8)[begins]
        if (first & _CONTINUES_MASK == _CONTINUES).any():
            raise BadTableError("a name in it is not text")

    def _decoded(self) -> list[str]:
        if self._texts is None:
            data, ends = bytes(self.data), self.ends.tolist()
            self._texts = [data[low:high].decode() for low, high in itertools.pairwise(ends)]
        return self._texts

    def __len__(self) -> int:
        return len(self.ends) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self._decoded()[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._decoded())

    def __contains__(self, text: object) -> bool:
        return text in self._decoded()

    def __repr__(self) -> str:
        return repr(self._decoded())
