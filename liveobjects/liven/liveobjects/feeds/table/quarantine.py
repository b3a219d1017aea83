"""Rows of the quarantine for records that cannot be read at all: a range of sequences, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from liven.liveobjects.feeds.table.arrow_blocks import TIME
from liven.liveobjects.feeds.table.commits.commit import Skipped

_SCHEMA = pa.schema(
    [
        ("seq", pa.int64()),
        ("received", TIME),
        ("recorder", pa.string()),
        ("reason", pa.string()),
        ("detail", pa.string()),
    ]
)


def write_damage(folder: Path, recorder: str, skipped: Sequence[Skipped], reason: str, now: int) -> None:
    """Write a row for each range to a file in `folder`; raise OSError. `received` is the time of the
    ingest."""
    rows = [
        {
            "seq": one.first,
            "received": now,
            "recorder": recorder,
            "reason": reason,
            "detail": f"records {one.first} to {one.end - 1}: {one.why}",
        }
        for one in skipped
    ]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), folder / "part-0.parquet")
