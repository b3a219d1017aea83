"""The interface of a source: records by sequence, forwards and backwards, and by time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.replay.rows import Rows

BATCH: Final = 8192
"""Rows of one batch at most, so that the memory of a replay does not depend on the length of a feed."""


class Source(Protocol):
    """Records in the order of their sequences, which need not be dense. All methods are for one thread."""

    @property
    def begin(self) -> int:
        """The sequence of the first record, or `end` if there is none."""

    @property
    def end(self) -> int:
        """The sequence after the last record that is known now."""

    @property
    def complete(self) -> bool:
        """True if no records come after `end`."""

    @property
    def failure(self) -> FeedError | None:
        """The reason why a complete source lacks records at its end; None if it has all."""

    @property
    def span(self) -> tuple[int, int]:
        """The times of the earliest and the latest record known now, in microseconds; zeros without any."""

    def rows(self, first: int, end: int) -> Iterator[Rows]:
        """Yield the records from `first` up to `end`, in order, in batches of at most `BATCH`."""

    def rows_back(self, first: int, end: int) -> Iterator[Rows]:
        """Yield the same batches, the newest first. Each batch is in order in itself."""

    def sequence_at(self, time: int) -> int:
        """Return the sequence of the first record received at this time or later; `end` if there is none."""

    def close(self) -> None:
        """Release files."""
