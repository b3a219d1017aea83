"""Sealed values that workers open: each is a row of the table of what is inside, or of the quarantine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pyarrow.parquet as pq
from tests.unit.liveobjects.feeds.sealed_feed import CHANNEL, OTHER, SEALED, Sender, channel_key, clear_record

from liven.liveobjects.feeds.key_file import kept_keys
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.jobs.sealed_channels import Opened
from liven.liveobjects.feeds.table.files.stretch import Work, Written, write_stretch
from liven.liveobjects.feeds.table.reading import Reading, Sealing


def opened(keys: Path) -> Opened:
    return Opened(0, {CHANNEL: channel_key()}, frozenset((SEALED,)), keys, ())


def written(log: Log, folder: Path) -> tuple[Written, dict[str, list[dict[str, object]]]]:
    """Return the result of a whole log, and the rows by table."""
    with kept_keys(folder / "runtime", [channel_key()]) as keys:
        of = opened(keys)
        work = Work(log.folder, "r", of.plan({}).tables, frozenset(), folder / "draft", of.choice)
        result = write_stretch(work, log.begin, log.end)
    rows: dict[str, list[dict[str, object]]] = {}
    for one in result.files:
        rows.setdefault(one.table, []).extend(pq.ParquetFile(work.folder / one.name).read().to_pylist())
    return result, rows


def test_what_is_inside_is_a_row_of_its_own_type(log: Callable[..., Log], tmp_path: Path) -> None:
    ann = Sender()
    made = log(
        [
            ann.record(1, "before", is_state=True),
            ann.record(2, "one euro"),
            clear_record(3, "closed on Monday"),
            ann.record(4, "two euros"),
        ]
    )
    result, rows = written(made, tmp_path)
    assert result.undecodable == 0
    assert set(rows) == {"text"}
    found = [(row["seq"], row["type"], row["value"], row["author"]) for row in rows["text"]]
    assert sorted(found) == [
        (0, "text", "before", ""),
        (1, "text", "one euro", "ann"),
        (3, "text", "two euros", "ann"),
    ]


def test_what_cannot_be_opened_is_in_the_quarantine_as_it_came(
    log: Callable[..., Log], tmp_path: Path
) -> None:
    ann, stranger = Sender(), Sender(OTHER)
    good = ann.record(1, "one euro")
    altered = msgpack.unpackb(good.payload)
    altered["box"] = bytes(len(altered["box"]))
    wrong = {**msgpack.unpackb(good.payload), "count": -1}
    made = log(
        [
            good,
            stranger.record(2, "a million euros"),
            good._replace(serial=3, payload=msgpack.packb(altered)),
            good._replace(serial=4, flags=CHECKPOINT),
            good._replace(serial=5, payload=msgpack.packb(wrong)),
            good._replace(serial=6, payload=b"\xc1"),
        ]
    )
    result, rows = written(made, tmp_path)
    assert [row["value"] for row in rows["text"]] == ["one euro"]
    assert result.undecodable == 5
    details = {row["seq"]: str(row["detail"]) for row in rows["quarantine"]}
    assert details[1] == "it was sealed with another key"
    assert "altered" in details[2]
    assert "altered" in details[3]  # a message is no state
    assert details[4] == "it is not sealed"
    assert "not MessagePack" in details[5]
    kept = {row["seq"]: row["payload"] for row in rows["quarantine"]}
    assert kept == {seq: record.payload for seq, record in made.records() if seq}


def test_readings_as_an_option_of_spark_name_the_file_and_no_key(tmp_path: Path) -> None:
    with kept_keys(tmp_path, [channel_key()]) as keys:
        (table,) = opened(keys).plan({}).tables
    text = Reading.dump([*table.readings, Reading("int64", "int64", {"value": "v"})])
    assert channel_key().key not in text
    assert str(keys) in text
    assert Reading.load(text) == [*table.readings, Reading("int64", "int64", {"value": "v"})]
    assert [asdict(each)["type"] for each in table.readings] == ["text", "text"]
    assert {each.sealing.states for each in table.readings if isinstance(each.sealing, Sealing)} == {
        True,
        False,
    }
