"""Records of a stretch as files of tables and of the quarantine, each record in one of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pyarrow.parquet as pq
import pytest

from liven.liveobjects.feeds.description import TypeEntry
from liven.liveobjects.feeds.errors import GoneError
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.commits.layout import NO_DAY
from liven.liveobjects.feeds.table.files.stretch import Work, Written, task_result, write_stretch
from liven.liveobjects.feeds.table.typed_tables import tables_for

DAY = 86_400_000_000
NOON = 20_000 * DAY + DAY // 2
POINT = "{x: float64, y: float64}"


def good(number: int) -> bytes:
    packed: bytes = msgpack.packb({"x": float(number), "y": -1.0})
    return packed


def work_on(log: Log, folder: Path, types: list[str], described: dict[str, TypeEntry] | None = None) -> Work:
    plan = tables_for(types, described or {}, {})
    return Work(log.folder, "r", plan.tables, frozenset(plan.unknown), folder)


def rows_of(folder: Path, written: Written) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return the rows by table and day."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in written.files:
        rows = pq.ParquetFile(folder / one.name).read().to_pylist()
        assert len(rows) == one.rows
        found.setdefault((one.table, one.day), []).extend(rows)
    return found


def test_each_record_becomes_one_row_with_what_it_has(
    log: Callable[..., Log], make: Callable[..., Record], tmp_path: Path
) -> None:
    made = [make(n, good(n), received=NOON + n, author="ann" if n % 2 else "bo") for n in range(20)]
    work = work_on(log(made), tmp_path / "draft", [POINT])
    written = write_stretch(work, 3, 17)
    ((table, _),) = rows = rows_of(work.folder, written)
    found = rows[table, "2024-10-04"]
    assert [row["seq"] for row in found] == list(range(3, 17))
    for row in found:
        record = made[row["seq"]]
        assert (row["object"], row["channel"], row["author"]) == (
            record.object,
            record.channel,
            record.author,
        )
        assert (row["recorder"], row["type"], row["serial"]) == ("r", POINT, record.serial)
        assert row["received"].timestamp() * 1_000_000 == pytest.approx(record.received)
        assert (row["x"], row["y"]) == (row["seq"], -1.0)


def test_what_is_no_row_of_a_table_goes_to_the_quarantine(
    log: Callable[..., Log], make: Callable[..., Record], tmp_path: Path
) -> None:
    made = [
        make(0, good(0), received=NOON),
        make(1, b"\xc1", received=NOON),
        make(2, good(2), received=NOON + DAY),
        make(3, b"?", type="nobody:knows", received=NOON),
        make(4, good(4), received=1 << 60),
        make(5, b"!", type="nobody:knows", received=-(1 << 60)),
        make(6, b"\xc1", received=1 << 60),
    ]
    work = work_on(log(made), tmp_path / "draft", [POINT, "nobody:knows"])
    written = write_stretch(work, 0, 7)
    assert written.undecodable == 1
    rows = rows_of(work.folder, written)
    in_tables = {key: [row["seq"] for row in found] for key, found in rows.items() if key[0] != "quarantine"}
    (table,) = {name for name, _ in in_tables}
    assert in_tables == {(table, "2024-10-04"): [0], (table, "2024-10-05"): [2]}
    of_day = {row["seq"]: row for row in rows["quarantine", "2024-10-04"]}
    assert {seq: row["reason"] for seq, row in of_day.items()} == {1: "undecodable", 3: "unknown-type"}
    assert of_day[1]["payload"] == b"\xc1"
    assert of_day[1]["detail"]
    assert (of_day[3]["payload"], of_day[3]["detail"]) == (b"?", "nobody:knows")
    far = rows["quarantine", NO_DAY]
    assert [(row["seq"], row["reason"], row["received"], row["sent"]) for row in far] == [
        (4, "far-time", None, None),
        (5, "far-time", None, None),
        (6, "far-time", None, None),
    ]
    assert far[0]["detail"] == f"received {1 << 60}, sent {1 << 60} µs since 1970"
    assert far[1]["payload"] == b"!"


def test_versions_of_a_type_share_a_file(
    log: Callable[..., Log], make: Callable[..., Record], tmp_path: Path
) -> None:
    described = {
        "my:light": TypeEntry("{on: bool}", "AB01", 1),
        "my:light~2": TypeEntry("{level: float64, on: bool}", "AB01", 2),
    }
    made = [
        make(0, msgpack.packb({"on": True}), type="my:light", received=NOON),
        make(1, msgpack.packb({"level": 0.5, "on": False}), type="my:light~2", received=NOON),
    ]
    work = work_on(log(made), tmp_path / "draft", list(described), described)
    (found,) = rows_of(work.folder, write_stretch(work, 0, 2)).values()
    shown = sorted((row["seq"], row["on"], row["level"]) for row in found)
    assert shown == [(0, True, None), (1, False, 0.5)]


def test_a_damaged_block_is_left_out(
    log: Callable[..., Log], make: Callable[..., Record], tmp_path: Path
) -> None:
    made = log([make(n, good(n), received=NOON + n) for n in range(30_000)])
    (file,) = made.folder.glob("*.seg")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    skipped: list[Any] = []
    expected = [seq for seq, _ in Log(made.folder).records(0, 30_000, skipped.append)]
    work = work_on(made, tmp_path / "draft", [POINT])
    (found,) = rows_of(work.folder, write_stretch(work, 0, 30_000)).values()
    assert [row["seq"] for row in found] == expected
    assert 0 < len(expected) < 30_000


def test_records_that_are_gone_are_an_error_and_no_file_stays_open(
    log: Callable[..., Log], make: Callable[..., Record], tmp_path: Path
) -> None:
    made = log([make(n, good(n), received=NOON + n) for n in range(10)])
    for file in made.folder.glob("*.seg"):
        file.unlink()
    with pytest.raises(GoneError):
        write_stretch(work_on(made, tmp_path / "draft", [POINT]), 0, 10)


def test_the_result_of_a_task_is_text(
    log: Callable[..., Log], make: Callable[..., Record], tmp_path: Path
) -> None:
    made = log([make(n, good(n) if n else b"", received=NOON + n) for n in range(10)])
    work = work_on(made, tmp_path / "draft", [POINT])
    result = Written.of(json.loads(task_result(work, [(0, 4), (4, 10)], 0)))
    assert sum(one.rows for one in result.files) == 4
    assert result.undecodable == 1
