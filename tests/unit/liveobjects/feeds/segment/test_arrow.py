"""Blocks as record batches and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.arrow import COLUMNS, SCHEMA, block_of, record_batch
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter

Make = Callable[..., Record]


@pytest.fixture
def given(folder: Path, make: Make) -> list[Record]:
    made = [make(number) for number in range(50)]
    made[7] = made[7]._replace(serial=(1 << 64) - 1)
    with LogWriter(folder) as writer:
        writer.extend(made)
    return made


def test_a_batch_has_the_rows_of_its_block(folder: Path, given: list[Record]) -> None:
    (block,) = Log(folder).blocks(5, 40)
    batch = record_batch(block)
    assert batch.schema == SCHEMA
    batch.validate(full=True)
    assert batch.column("sequence").to_pylist() == list(range(5, 40))
    assert batch.column("payload").to_pylist() == [record.payload for record in given[5:40]]
    for name in ("object", "channel", "author", "type", "flags"):
        assert batch.column(name).to_pylist() == [getattr(record, name) for record in given[5:40]]
    assert batch.column("received").cast(pa.int64()).to_pylist() == [each.received for each in given[5:40]]
    assert batch.column("serial").to_pylist()[2] == -1


def test_only_the_wanted_columns_are_made(folder: Path, given: list[Record]) -> None:
    (block,) = Log(folder).blocks()
    batch = record_batch(block, ("payload", "sequence"))
    assert batch.schema.names == ["payload", "sequence"]


def test_a_batch_becomes_a_block_again(folder: Path, given: list[Record]) -> None:
    (block,) = Log(folder).blocks()
    batch = record_batch(block)
    assert list(block_of(batch).records()) == given
    assert list(block_of(batch.slice(10, 7)).records()) == given[10:17]
    without = batch.select([name for name in COLUMNS if name != "sequence"])
    again = block_of(without, 100)
    assert (again.first, list(again.records())) == (100, given)


def test_missing_values_become_empty_ones() -> None:
    columns = {name: pa.nulls(2, SCHEMA.field(name).type) for name in COLUMNS}
    (first, second) = block_of(pa.RecordBatch.from_pydict(columns, schema=SCHEMA)).records()
    assert first == second == Record(0, 0, "", "", "", "", 0, 0, b"")
