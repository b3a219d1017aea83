"""Records written to a stream as blocks, which is what `spark_rows` reads: the other side of a query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, Final

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import pack_block
from liven.liveobjects.feeds.segment.block_format import MOST_ROWS
from liven.liveobjects.feeds.segment.pending_block import PendingBlock

_LOG: Final = 1
"""The number of the log in each block; a stream belongs to none."""


class RowFrames:
    """One stream of records, numbered from 0 in the order in which they are written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._pending = PendingBlock()
        self.rows = 0
        """The records that were written."""

    def write(self, records: Sequence[Record]) -> None:
        """Write records; raise BadRecordError or OSError."""
        for low in range(0, len(records), MOST_ROWS):
            self._write(records[low : low + MOST_ROWS])

    def _write(self, records: Sequence[Record]) -> None:
        rest = records
        while rest:
            count = self._pending.fitting([len(record.payload) for record in rest])
            taken, rest = rest[:count], rest[count:]
            self._pending.extend(taken, sum(len(record.payload) for record in taken))
            self._stream.writelines(pack_block(self._pending.block(self.rows), _LOG))
            self._stream.flush()
            self.rows += self._pending.rows
            self._pending.clear()
