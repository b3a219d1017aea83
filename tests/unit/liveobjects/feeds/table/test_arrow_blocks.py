"""Blocks in the columns of tables, and back."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.arrow_blocks import TIME, block_of, record_arrays


def test_columns_have_the_values_of_records(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    made = log([make(n, bytes([n])) for n in range(20)])
    (block,) = made.blocks(3, 8)
    columns = record_arrays(block, "r", ["payload", "recorder", "seq", "object", "nothing"])
    assert list(columns["seq"].to_pylist()) == [3, 4, 5, 6, 7]
    assert columns["payload"].to_pylist() == [bytes([n]) for n in range(3, 8)]
    assert columns["recorder"].to_pylist() == ["r"] * 5
    assert "nothing" not in columns


def test_rows_become_the_records_that_they_were(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    made = log([make(n, bytes([n])) for n in range(20)])
    (block,) = made.blocks()
    names = ("received", "sent", "object", "channel", "author", "type", "serial", "flags", "payload")
    columns = record_arrays(block, "r", names)
    batch = pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))
    assert list(block_of(batch).records()) == list(block.records())
    assert list(block_of(batch.slice(5, 3)).records()) == list(block.records())[5:8]


def test_missing_columns_have_plain_values() -> None:
    batch = pa.RecordBatch.from_pydict(
        {"received": pa.array([5], TIME), "object": ["o"], "type": ["t"], "payload": [b"p"]}
    )
    assert block_of(batch).record(0) == Record(5, 5, "o", "", "", "t", 0, 0, b"p")


def test_rows_without_a_payload_are_refused() -> None:
    batch = pa.RecordBatch.from_pydict({"received": pa.array([5], TIME), "object": ["o"], "type": ["t"]})
    with pytest.raises(ValueError, match="missing: payload"):
        block_of(batch)
