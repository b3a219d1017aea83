"""Ingest on a real session: typed tables, quarantine, duplicates, late days, versions, cancelling."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pyarrow.parquet as pq
import pytest

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, write_description
from liven.liveobjects.feeds.record import CHECKPOINT, Record
from liven.liveobjects.feeds.recorder.log.marks import fork_record, gap_record
from liven.liveobjects.feeds.spark.jobs import deduplication
from liven.liveobjects.feeds.spark.jobs.job import CancelledError
from liven.liveobjects.feeds.table.commits.commit import DamagedCommitError
from liven.liveobjects.feeds.table.commits.manifest import Manifest, State

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


EVERYTHING = (
    "{b: bool, d: uint64, f: float64, i: int32, l: list<{a: text, n: int8}>, m: map<text, list<bytes>>,"
    " o: text?, r: {s: text, u: <p: text | q: int32>}, t: text, y: bytes}"
)


def test_workers_write_the_same_rows_as_spark(workplace: Any, make_point: Callable[..., Record]) -> None:
    """A batch with a duplicate is written by Spark, one without by its workers."""
    values = [
        {
            "b": number % 2 == 0,
            "d": 2**64 - 1 - number,
            "f": number / 3,
            "i": -number,
            "l": [{"a": f"é{number}", "n": 1}] * (number % 3),
            "m": {"k": [b"\x00", b""]} if number % 2 else {},
            "o": None if number % 3 else "given",
            "r": {"s": "", "u": {"p": "x"} if number % 2 else {"q": number}},
            "t": f"text {number}",
            "y": bytes([number]),
        }
        for number in range(12)
    ]
    made = [
        make_point(number, type=EVERYTHING, payload=msgpack.packb(value))
        for number, value in enumerate(values)
    ]
    workplace.record(made, feed="direct")
    workplace.record([*made, made[-1]], feed="searched")
    workplace.ingest()
    assert [event["duplicates"] for event in workplace.told("batch")] == [0, 1]
    assert [event["quarantined"] for event in workplace.told("batch")] == [0, 0]
    (table,) = state_of(workplace, "direct").tables()
    rows = {feed: rows_of(workplace, table, feed) for feed in ("direct", "searched")}
    assert sorted(rows["direct"], key=repr) == sorted(rows["searched"], key=repr)
    assert len(rows["direct"]) == 12
    names = ", ".join(f"`{name}`" for name in rows["direct"][0])
    shown = workplace.sql(f"select {names} from {table} where feed = 'direct' order by seq")
    assert shown == workplace.sql(f"select {names} from {table} where feed = 'searched' order by seq")


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


def test_records_of_the_quarantine_are_there_once_too(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    made = [make_point(n, payload=b"\xc1") if n % 5 == 0 else make_point(n) for n in range(10)]
    workplace.record(made, recorder="a")
    workplace.ingest()
    workplace.record([*made, make_point(10)], recorder="b")
    workplace.ingest()
    assert sorted(row["serial"] for row in rows_of(workplace, "quarantine")) == [1, 6]
    good = [row["serial"] for row in rows_of(workplace, point_table(workplace))]
    assert sorted(good) == [2, 3, 4, 5, 7, 8, 9, 10, 11]
    assert state_of(workplace).duplicates == 10


def test_a_recorder_that_catches_up_days_later_gives_no_record_twice(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    workplace.record((make_point(n) for n in range(10)), recorder="a")
    workplace.ingest()
    late = make_point(0).received + 3 * DAY
    workplace.record((make_point(n, received=late + n) for n in range(12)), recorder="b")
    workplace.ingest()
    assert sorted(row["serial"] for row in rows_of(workplace, point_table(workplace))) == list(range(1, 13))


def test_the_history_that_won_is_kept_beside_the_one_that_lost(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    workplace.record(make_point(n) for n in range(6))
    workplace.ingest()
    won = [make_point(n, received=make_point(10 + n).received) for n in range(3, 8)]
    workplace.record([fork_record("o", "c", 3), *won])
    workplace.ingest()
    workplace.record([*won[-2:], fork_record("o", "c", 7), make_point(7, received=make_point(30).received)])
    workplace.ingest()
    rows = rows_of(
        workplace, next(one for one in state_of(workplace).tables() if one.startswith("x_float64"))
    )
    found = sorted((row["seq"], row["serial"]) for row in rows)
    expected = [(n, n + 1) for n in range(6)] + [(n + 4, n + 1) for n in range(3, 8)] + [(15, 8)]
    assert found == expected
    assert state_of(workplace).duplicates == 2


@pytest.mark.parametrize("first", ["a", "b"])
def test_an_operation_of_an_unknown_author_is_the_one_with_an_author(
    workplace: Any, make_point: Callable[..., Record], first: str
) -> None:
    logs = {
        "a": [make_point(n, author="ann" if n % 2 else "bo") for n in range(6)],
        "b": [make_point(n, author="") for n in range(3, 8)],
    }
    for recorder in sorted(logs, key=lambda name: name != first):
        workplace.record(logs[recorder], recorder=recorder)
        workplace.ingest()
    rows = rows_of(workplace, point_table(workplace))
    assert sorted(row["serial"] for row in rows) == list(range(1, 9))


def test_records_of_each_kind_are_told_apart(workplace: Any, make_point: Callable[..., Record]) -> None:
    """A note, a state and an event may have one number and no author."""
    made = [make_point(4, author="", flags=CHECKPOINT), make_point(4, author="")]
    workplace.record([*made, gap_record("o", "c", 4, 5, "away"), fork_record("o", "c", 5), made[0]])
    rows = workplace.context.session.spark.read.format("liven")
    records = rows.option("path", str(workplace.context.feeds / "f")).load()
    kept = deduplication.without_duplicates(records).orderBy("seq").collect()
    assert [row["seq"] for row in kept] == [0, 1, 2, 3, 4]


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


def test_a_time_that_no_calendar_has_stops_nothing(workplace: Any, make_point: Callable[..., Record]) -> None:
    workplace.record([make_point(0), make_point(1, received=1 << 60), make_point(2)])
    workplace.ingest()
    assert [row["seq"] for row in rows_of(workplace, point_table(workplace))] == [0, 2]
    shown = workplace.sql("select seq, reason, detail, received, length(payload), day from quarantine")
    at = "received 1152921504606846976, sent 1152921504606846976 µs since 1970"
    assert shown == [[1, "far-time", at, None, len(make_point(1).payload), "none"]]


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
