"""The rows of a query as blocks of records on standard output, for `liven feeds replay --sql`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

from liven.app.feeds.spark.job_progress import SparkProgress
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.replay.source.row_frames import RowFrames

_COLUMNS: Final = (
    "unix_micros(received) as received",
    "unix_micros(sent) as sent",
    "object",
    "channel",
    "author",
    "type",
    "serial",
    "flags",
    "payload",
)
_SERIALS: Final = 1 << 64


def records_query(query: str) -> str:
    """Return a query for the columns of records in the rows of another, in its order. Times become numbers,
    because Spark gives Python times in the zone of the computer."""
    inner = query.strip().rstrip(";")
    return f"select {', '.join(_COLUMNS)} from ({inner})"  # noqa: S608 - the person at the keyboard wrote it


class RowStream(SparkProgress):
    """Writes the rows of a query to a stream; all else is shown as usual, on standard error."""

    def __init__(self, stream: BinaryIO | None = None) -> None:
        super().__init__("", "", as_json=False, is_quiet=True)
        self._frames = RowFrames(sys.stdout.buffer if stream is None else stream)

    def show(self, event: Mapping[str, Any]) -> None:
        """Write rows, or show another event."""
        if event["event"] == "rows":
            self._frames.write([_record(row) for row in event["rows"]])
        elif event["event"] != "columns":
            super().show(event)


def _record(row: list[Any]) -> Record:
    """Return a row as a record. Columns that are null are empty."""
    received, sent, object_, channel, author, type_, serial, flags, payload = row
    received = int(received or 0)
    return Record(
        received,
        received if sent is None else int(sent),
        object_ or "",
        channel or "",
        author or "",
        type_ or "",
        int(serial or 0) % _SERIALS,
        int(flags or 0),
        bytes.fromhex(payload or ""),
    )
