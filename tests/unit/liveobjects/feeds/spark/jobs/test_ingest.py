"""Ingest on a real session: typed tables, quarantine, duplicates, late days, versions, cancelling."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pyarrow.parquet as pq
import pytest

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, write_description
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.spark.jobs.job import CancelledError
from liven.liveobjects.feeds.table.commit import DamagedCommitError
from liven.liveobjects.feeds.table.manifest import Manifest, State

DAY = 86_400_000_000
POINT = "{x: float64, y: float64}"


def state_of(workplace: Any, feed: str = "f") -> State:
    return Manifest(workplace.layout, feed).state()


def rows_of(workplace: Any, table: str, feed: str = "f") -> list[dict[str, Any]]:
    """Return the rows of a table by the manifest and pyarrow, without Spark."""
    files = sorted(file.path for file in state_of(workplace, feed).files_of(table))
    return [row for path in files for row in pq.ParquetFile(workplace.layout.root / path).read().to_pylist()]


def point_table(workplace: Any) -> str:
    (name,) = [name for name in state_of(workplace).tables() if name != "quarantine"]
    return name


def test_records_become_rows_once(workplace: Any, make_point: Callable[..., Record]) -> None:
    workplace.record(make_point(n) for n in range(100))
    workplace.ingest(feeds=["f"], first_rows=10, most_rows=40)
    sizes = [event["rows"] for event in workplace.told("batch")]
    assert sizes == [10, 40, 40, 10]
    assert workplace.told("batch")[-1]["done"] == workplace.told("plan")[0]["rows"] == 100
    workplace.record(make_point(n) for n in range(100, 130))
    workplace.ingest()
    workplace.ingest()
    rows = rows_of(workplace, point_table(workplace))
    assert sorted(row["seq"] for row in rows) == list(range(130))
    assert all(row["x"] == row["seq"] == row["serial"] - 1 for row in rows)
    assert all(row["recorder"] == "a" and row["object"] == f"o{row['seq'] % 3}" for row in rows)
    assert list(workplace.layout.root.glob("staging/*")) == []


def test_what_cannot_be_decoded_goes_to_the_quarantine(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    bad = [make_point(1, payload=b"\xc1"), make_point(3, type="nobody:knows", payload=b"?")]
    workplace.record([make_point(0), bad[0], make_point(2), bad[1]])
    workplace.ingest()
    assert {row["seq"] for row in rows_of(workplace, point_table(workplace))} == {0, 2}
    quarantine = {row["seq"]: row for row in rows_of(workplace, "quarantine")}
    assert {seq: row["reason"] for seq, row in quarantine.items()} == {1: "undecodable", 3: "unknown-type"}
    assert quarantine[1]["payload"] == b"\xc1"
    assert quarantine[3]["payload"] == b"?"
    assert quarantine[3]["type"] == quarantine[3]["detail"] == "nobody:knows"
    texts = " ".join(event["text"] for event in workplace.told("warning"))
    assert "could not be decoded are in the quarantine: 1" in texts
    assert "nobody:knows" in texts
    (done,) = workplace.told("batch")
    assert (done["duplicates"], done["quarantined"]) == (0, 2)


def test_a_garbled_block_is_said_and_skipped(workplace: Any, make_point: Callable[..., Record]) -> None:
    folder = workplace.record(make_point(n) for n in range(30_000))
    (file,) = folder.glob("*.seg")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    workplace.ingest()
    (skipped,) = state_of(workplace).skipped
    seqs = {row["seq"] for row in rows_of(workplace, point_table(workplace))}
    assert seqs == set(range(30_000)) - set(range(skipped.first, skipped.end))
    (row,) = rows_of(workplace, "quarantine")
    assert (row["reason"], row["seq"]) == ("damaged", skipped.first)
    assert any(
        f"records {skipped.first} to {skipped.end - 1} were skipped" in e["text"]
        for e in workplace.told("warning")
    )


def test_two_recorders_of_a_feed_give_each_record_once(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    workplace.record((make_point(n) for n in range(60)), recorder="a")
    workplace.record((make_point(n) for n in range(40, 90)), recorder="b")
    workplace.record((make_point(n) for n in (20, 91, 91)), recorder="c")
    workplace.ingest(first_rows=25, most_rows=25)
    serials = sorted(row["serial"] for row in rows_of(workplace, point_table(workplace)))
    assert serials == [*range(1, 91), 92]
    assert state_of(workplace).duplicates == 22
    assert sum(event["duplicates"] for event in workplace.told("batch")) == 22


def test_records_without_a_number_are_all_kept(workplace: Any, make_point: Callable[..., Record]) -> None:
    workplace.record(
        [make_point(1, serial=5), make_point(1, serial=5), *(make_point(n, serial=0) for n in range(4))]
    )
    workplace.ingest()
    assert sorted(row["serial"] for row in rows_of(workplace, point_table(workplace))) == [0, 0, 0, 0, 5]


def test_late_records_come_to_their_own_day(workplace: Any, make_point: Callable[..., Record]) -> None:
    today = make_point(0).received
    workplace.record(
        [make_point(0), make_point(1, received=today - 2 * DAY), make_point(2, received=today + DAY)]
    )
    workplace.ingest()
    workplace.record([make_point(3, received=today - DAY)])
    workplace.ingest()
    table = point_table(workplace)
    days = workplace.sql(f"select day, count(*), min(seq) from {table} group by day order by day")
    assert [(row[1], row[2]) for row in days] == [(1, 1), (1, 3), (1, 0), (1, 2)]
    assert state_of(workplace).late == {days[1][0]}


def test_two_versions_of_a_type_share_a_table(workplace: Any, make_point: Callable[..., Record]) -> None:
    types = {
        "my:light": TypeEntry("{on: bool}", "AB01", 1),
        "my:light~2": TypeEntry("{level: float64, on: bool}", "AB01", 2),
    }
    old = [make_point(n, type="my:light", payload=msgpack.packb({"on": True})) for n in range(3)]
    new = [
        make_point(n, type="my:light~2", payload=msgpack.packb({"level": 0.5, "on": False}))
        for n in range(3, 5)
    ]
    folder = workplace.record(old)
    write_description(folder.parent, FeedDescription(types={"my:light": types["my:light"]}))
    workplace.ingest()
    write_description(folder.parent, FeedDescription(types=types))
    workplace.record([*new, make_point(5, type="my:light", payload=msgpack.packb({"on": True}))])
    workplace.ingest()
    assert workplace.sql("select seq, on, level, type, feed from my_light order by seq") == [
        [0, True, None, "my:light", "f"],
        [1, True, None, "my:light", "f"],
        [2, True, None, "my:light", "f"],
        [3, False, 0.5, "my:light~2", "f"],
        [4, False, 0.5, "my:light~2", "f"],
        [5, True, None, "my:light", "f"],
    ]


def test_a_cancelled_ingest_goes_on_where_it_stopped(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    workplace.record(make_point(n) for n in range(60))
    report = workplace.context.report

    def cancel_after_two(event: dict[str, Any]) -> None:
        report(event)
        if len(workplace.told("batch")) == 2:
            workplace.context.cancelled.set()

    workplace.context.report = cancel_after_two
    with pytest.raises(CancelledError):
        workplace.ingest(first_rows=20, most_rows=20)
    assert state_of(workplace).rows_of(point_table(workplace)) == 40
    workplace.context.cancelled.clear()
    workplace.context.report = report
    workplace.ingest()
    assert sorted(row["seq"] for row in rows_of(workplace, point_table(workplace))) == list(range(60))


def test_a_log_begun_anew_under_an_old_name_is_read_from_its_start(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    import shutil

    folder = workplace.record(make_point(n) for n in range(20))
    workplace.ingest()
    shutil.rmtree(folder)
    workplace.record(make_point(n) for n in range(100, 105))
    workplace.ingest()
    assert state_of(workplace).rows_of(point_table(workplace)) == 25


def test_a_damaged_commit_stops_the_ingest_until_it_is_repaired(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    workplace.record(make_point(n) for n in range(60))
    workplace.ingest(first_rows=20, most_rows=20)
    path: Path = workplace.layout.commits("f") / f"{1:016d}.json"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DamagedCommitError, match="--repair"):
        workplace.ingest()
    workplace.ingest(repair=True)
    assert sorted(row["seq"] for row in rows_of(workplace, point_table(workplace))) == list(range(60))


def test_files_that_a_killed_run_left_behind_are_deleted(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    workplace.record(make_point(n) for n in range(10))
    workplace.ingest()
    (file,) = state_of(workplace).files.values()
    stray = (workplace.layout.root / file.path).with_name("stray.parquet")
    stray.write_bytes(b"")
    workplace.ingest()
    assert not stray.exists()
    assert (workplace.layout.root / file.path).exists()
