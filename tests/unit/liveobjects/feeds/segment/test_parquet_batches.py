"""Batches of a Parquet file whose memory is bounded, whatever the file holds."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from liven.liveobjects.feeds.segment import parquet_batches
from liven.liveobjects.feeds.segment.parquet_batches import (
    BATCH_BYTES,
    TooLargeError,
    decoded_batches,
    open_parquet,
)

ROWS = 300
VALUE = b"x" * 1_000_000


def table() -> pa.Table:
    same = pa.DictionaryArray.from_arrays(pa.array([0] * ROWS, pa.int32()), pa.array([VALUE], pa.binary()))
    return pa.table(
        {
            "n": pa.array(range(ROWS)),
            "payload": same,
            "name": pa.array([None if n % 3 else f"o{n}" for n in range(ROWS)]),
            "inside": pa.array([{"text": "t"}] * ROWS),
        }
    )


def test_a_small_file_is_read_in_pieces_of_bounded_size(tmp_path: Path) -> None:
    path = tmp_path / "same.parquet"
    pq.write_table(table(), path, compression="zstd")
    assert path.stat().st_size < 20_000
    rows: list[dict[str, Any]] = []
    sizes = []
    for batch in decoded_batches(open_parquet(path), "same"):
        assert batch.schema.field("payload").type == pa.binary()
        sizes.append(batch.nbytes)
        assert set(batch.column("payload").to_pylist()) == {VALUE}
        rows += batch.select(["n", "name", "inside"]).to_pylist()
    assert rows == table().select(["n", "name", "inside"]).to_pylist()
    assert max(sizes) < BATCH_BYTES * 1.1
    assert len(sizes) == -(-ROWS // 33)


def test_a_row_above_the_limit_comes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_batches, "BATCH_BYTES", 10)
    out = io.BytesIO()
    pq.write_table(pa.table({"payload": [b"x" * 8, b"y" * 30, b"", b"z" * 10]}), out)
    out.seek(0)
    assert [batch.num_rows for batch in decoded_batches(open_parquet(out), "one")] == [1, 1, 2]


def test_a_group_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_batches, "GROUP_MOST", 1000)
    out = io.BytesIO()
    pq.write_table(pa.table({"payload": [b"%d" % n for n in range(1000)]}), out)
    out.seek(0)
    with pytest.raises(TooLargeError, match=r"big: its row group 0 has [\d,]+ bytes, and 1,000 are allowed"):
        list(decoded_batches(open_parquet(out), "big"))


def test_an_empty_file_has_no_batches() -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({"payload": pa.array([], pa.binary())}), out)
    out.seek(0)
    assert list(decoded_batches(open_parquet(out), "empty")) == []
