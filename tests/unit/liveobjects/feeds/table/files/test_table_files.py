"""Files of tables: row groups, bounds, and what stands in them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from liven.liveobjects.feeds.table.files import table_files
from liven.liveobjects.feeds.table.files.table_files import TableFiles

CODED = pa.dictionary(pa.int32(), pa.string())


def batch(low: int, high: int, names: list[str]) -> pa.RecordBatch:
    """Return rows whose names are numbers into a table of their own."""
    codes = pa.array([row % len(names) for row in range(low, high)], pa.int32())
    return pa.RecordBatch.from_arrays(
        [pa.array(range(low, high), pa.int64()), pa.DictionaryArray.from_arrays(codes, pa.array(names))],
        schema=pa.schema([("seq", pa.int64()), ("object", CODED)]),
    )


def test_batches_become_row_groups_and_names_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "ROWS_IN_A_GROUP", 100)
    files = TableFiles(tmp_path)
    for low in range(0, 250, 50):
        files.add("t", "2026-01-01", batch(low, low + 50, ["a", f"b{low}"]))
    (written,) = files.close()
    found = pq.ParquetFile(tmp_path / written.name)
    assert [found.metadata.row_group(n).num_rows for n in range(found.num_row_groups)] == [100, 100, 50]
    rows = found.read()
    assert rows.schema.field("object").type == pa.string()
    assert rows["seq"].to_pylist() == list(range(250))
    assert rows["object"].to_pylist()[49:52] == ["b0", "a", "b50"]
    assert (written.table, written.day, written.rows) == ("t", "2026-01-01", 250)


def test_each_table_and_day_has_files_of_its_own_and_few_are_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "MOST_OPEN", 2)
    monkeypatch.setattr(table_files, "MOST_BYTES", 1000)
    files = TableFiles(tmp_path)
    days = [f"2026-01-{day:02d}" for day in range(1, 6)]
    for low in range(0, 300, 10):
        for table in ("t", "u"):
            files.add(table, days[low // 10 % 5], batch(low, low + 10, ["a"]))
        assert len(files._open) <= 2
        assert files._bytes <= 1000
    found: dict[tuple[str, str], list[int]] = {}
    for one in files.close():
        rows = pq.ParquetFile(tmp_path / one.name).read(["seq"])["seq"].to_pylist()
        assert len(rows) == one.rows
        found.setdefault((one.table, one.day), []).extend(rows)
    assert found.keys() == {(table, day) for table in ("t", "u") for day in days}
    assert all(
        sorted(rows) == [n for n in range(300) if n // 10 % 5 == days.index(day)]
        for (_, day), rows in found.items()
    )


def test_two_tasks_share_a_folder(tmp_path: Path) -> None:
    made = [TableFiles(tmp_path) for _ in range(2)]
    for files in made:
        files.add("t", "2026-01-01", batch(0, 3, ["a"]))
    names = {one.name for files in made for one in files.close()}
    assert len(names) == 2


def test_no_rows_make_no_file(tmp_path: Path) -> None:
    files = TableFiles(tmp_path)
    files.add("t", "2026-01-01", batch(0, 0, ["a"]))
    assert files.close() == []
    assert list(tmp_path.iterdir()) == []


def test_texts_anywhere_in_a_column_have_tables_of_texts(tmp_path: Path) -> None:
    kinds = {
        "l": pa.list_(pa.string()),
        "m": pa.map_(pa.string(), pa.struct([("x", pa.string()), ("n", pa.int64())])),
        "b": pa.binary(),
    }
    rows = pa.RecordBatch.from_pylist(
        [{"l": ["a"], "m": [("k", {"x": "y", "n": 1})], "b": b"?"}], pa.schema(kinds)
    )
    files = TableFiles(tmp_path)
    files.add("t", "2026-01-01", rows)
    (written,) = files.close()
    found = pq.ParquetFile(tmp_path / written.name)
    assert found.read().to_pylist() == rows.to_pylist()
    group = found.metadata.row_group(0)
    columns = [group.column(n) for n in range(group.num_columns)]
    coded = {one.path_in_schema for one in columns if one.has_dictionary_page}
    assert coded == {"l.list.element", "m.key_value.key", "m.key_value.value.x"}
