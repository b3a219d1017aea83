"""`liven feeds replay` of a table: the records behind its rows, and what becomes of those that are gone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.unit.app.feeds.conftest import NOON, record

from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.table.commits.commit import Commit, DataFile
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.liveobjects.feeds.table.commits.manifest import Manifest

Run = Callable[..., int]
DAY = "2023-11-14"


@pytest.fixture
def tables(home: Path) -> Path:
    return home / "state" / "tables"


def ingested(
    tables: Path, name: str, rows: Iterable[tuple[str, int]], table: str = "plane", feed: str = "airspace"
) -> Path:
    """Commit a file with these rows, each of a recorder and a sequence; return the folder of the table."""
    layout, path = Layout(tables), f"{table}/feed={feed}/day={DAY}/{name}.parquet"
    (tables / path).parent.mkdir(parents=True, exist_ok=True)
    chosen = list(rows)
    columns = {
        "seq": pa.array([sequence for _, sequence in chosen], pa.int64()),
        "received": [datetime.fromtimestamp(NOON / 1e6 + sequence, UTC) for _, sequence in chosen],
        "recorder": [recorder for recorder, _ in chosen],
        "x": [sequence / 2 for _, sequence in chosen],
    }
    pq.write_table(pa.table(columns), tables / path)
    manifest = Manifest(layout, feed)
    file = DataFile(table, path, len(chosen), (tables / path).stat().st_size, DAY)
    manifest.commit(manifest.state(), Commit(0, "ingest", NOON, add=(file,)))
    return tables / table


def played(run: Run, capsys: pytest.CaptureFixture[str], *words: object) -> list[int]:
    """Return the serials of the events that a replay of a table gives."""
    options = ("--max", "--into", "nothing", "--print", "--json", "--no-keys", "--until-end")
    assert run("replay", *words, *options) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [event["serial"] for event in events if "serial" in event]


def test_the_records_of_a_table_are_played_in_their_order(
    run: Run, log: Path, tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = ingested(tables, "b", [("ann", 30), ("ann", 7)])
    ingested(tables, "a", [("ann", 12)])
    uncommitted = table / "feed=airspace" / f"day={DAY}" / "uncommitted.parquet"
    shutil.copy(table / "feed=airspace" / f"day={DAY}" / "a.parquet", uncommitted)
    assert played(run, capsys, table) == [7, 12, 30]
    assert played(run, capsys, "plane") == [7, 12, 30]
    assert played(run, capsys, table / "feed=airspace" / f"day={DAY}" / "b.parquet") == [7, 30]


def test_records_that_are_gone_are_told(
    run: Run, log: Path, tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = ingested(tables, "a", [("ann", 3), ("ann", 400), ("bob", 5)])
    assert run("replay", table, "--max", "--into", "nothing", "--no-keys", "--until-end") == 0
    assert "the records of 2 rows are no longer in the recording of airspace" in capsys.readouterr().err


def test_a_log_that_was_begun_anew_has_other_records(
    run: Run, log: Path, tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = ingested(tables, "a", [("ann", 3), ("ann", 4)])
    shutil.rmtree(log)
    with LogWriter(log) as writer:
        writer.extend([record(number)._replace(received=NOON + 1) for number in range(10)])
    assert run("replay", table, "--into", "nothing", "--no-keys") == 1
    said = capsys.readouterr().err
    assert "the records of 2 rows are no longer in the recording of airspace" in said
    assert "liven feeds sql" in said


@pytest.mark.parametrize(
    ("table", "columns", "says"),
    [
        ("stats_1m", {"object": ["o"], "events": [1]}, "its rows are not records"),
        ("plane", {}, "no commit names a file here"),
    ],
)
def test_a_table_without_records_is_refused(
    table: str,
    columns: dict[str, list[object]],
    says: str,
    run: Run,
    log: Path,
    tables: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = ingested(tables, "a", [("ann", 1)], table="stats_1m")
    if columns:
        pq.write_table(pa.table(columns), folder / "feed=airspace" / f"day={DAY}" / "a.parquet")
    (tables / table).mkdir(exist_ok=True)
    assert run("replay", tables / table, "--into", "nothing", "--no-keys") == 1
    assert says in capsys.readouterr().err


def test_one_feed_of_a_table_is_played_at_a_time(
    run: Run, log: Path, tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = ingested(tables, "a", [("ann", 1)])
    ingested(tables, "a", [("ann", 1)], feed="other")
    assert run("replay", table, "--into", "nothing", "--no-keys") == 1
    assert "feed=airspace, feed=other" in capsys.readouterr().err
    assert played(run, capsys, table / "feed=airspace") == [1]
