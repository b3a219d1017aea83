"""The rows of a result, brought up to date with each batch of a stream. All are bounded.

A batch has the whole result (`WholeResult`), its changed rows, which have keys (`KeyedResult`), or new rows
that stay as they are (`RollingResult`). It needs nothing of Spark."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

MOST_ROWS: Final = 10_000
MOST_CHARACTERS: Final = 512 * 1024
"""Characters of all texts of a result: as a message of a channel it has to fit into one."""
_SPARE: Final = 4
"""A keyed result is cut when it has so many times the rows that it tells."""
Row: TypeAlias = list[Any]


class Result(Protocol):
    """The rows of a result so far."""

    is_cut: bool
    """True if there are rows that are not told."""

    def take(self, rows: Sequence[Row]) -> None:
        """Take the rows of one batch."""

    def rows(self) -> list[Row]:
        """Return the rows to tell."""


@dataclass(slots=True)
class WholeResult:
    """A result of which each batch has all rows, in the order of the query."""

    most: int
    is_cut: bool = False
    _rows: list[Row] = field(default_factory=list)

    def take(self, rows: Sequence[Row]) -> None:
        self._rows = list(rows[: self.most])
        self.is_cut = len(rows) > self.most

    def rows(self) -> list[Row]:
        return self._rows


@dataclass(slots=True)
class RollingResult:
    """Rows that stay as they are. The last ones are told, in the order in which they came."""

    most: int
    is_cut: bool = False
    _rows: deque[Row] = field(default_factory=deque)

    def take(self, rows: Sequence[Row]) -> None:
        self._rows.extend(rows)
        self.is_cut = self.is_cut or len(self._rows) > self.most
        while len(self._rows) > self.most:
            self._rows.popleft()

    def rows(self) -> list[Row]:
        return list(self._rows)


@dataclass(slots=True)
class KeyedResult:
    """Rows of which a later one replaces that with the same keys. Those with the greatest keys are told, in
    the order of the keys."""

    most: int
    keys: tuple[int, ...]
    """The places of the key columns."""
    is_cut: bool = False
    _rows: dict[tuple[Any, ...], Row] = field(default_factory=dict)

    def take(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self._rows[tuple((row[place] is not None, row[place]) for place in self.keys)] = row
            if len(self._rows) > self.most * _SPARE:
                self._cut()
        self._cut()

    def rows(self) -> list[Row]:
        return [self._rows[key] for key in sorted(self._rows)]

    def _cut(self) -> None:
        if len(self._rows) > self.most:
            self.is_cut = True
            self._rows = {key: self._rows[key] for key in sorted(self._rows)[-self.most :]}


def shortened(rows: list[Row], *, from_end: bool) -> list[Row]:
    """Return as many of the first rows, or of the last ones, as have texts that fit into a message."""
    left = MOST_CHARACTERS
    found: list[Row] = []
    for row in reversed(rows) if from_end else rows:
        left -= sum(len(cell) for cell in row if isinstance(cell, str)) + len(row)
        if left < 0:
            break
        found.append(row)
    return found[::-1] if from_end else found
