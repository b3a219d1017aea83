"""Files of ours read by the tools of others, and theirs read by us."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pyarrow.csv
import pyarrow.parquet
import pytest

from liven.liveobjects.feeds.description import FeedDescription, read_description
from liven.liveobjects.feeds.exchange.formats import Format
from liven.liveobjects.feeds.exchange.transfer import chosen_blocks, export, import_file
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.filter import RecordFilter
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter

duckdb = pytest.importorskip("duckdb")
mcap_reader = pytest.importorskip("mcap.reader")
mcap_writer = pytest.importorskip("mcap.writer")

NOON = 1_700_000_000_000_000
RECORDS = [
    Record(
        NOON + number * 1000,
        NOON + number * 1000 - 5,
        f"plane-{number % 7}",
        "planes",
        ("ann", "bo")[number % 2],
        "{x: float64}",
        number + (1 << 33),
        number % 4,
        msgpack.packb({"x": number / 4}),
    )
    for number in range(3000)
]
Exported = Callable[[Format], Path]


@pytest.fixture
def exported(tmp_path: Path) -> Exported:
    with LogWriter(tmp_path / "log") as writer:
        writer.extend(RECORDS)

    def made(kind: Format) -> Path:
        path = tmp_path / f"planes.{kind.value}"
        blocks = chosen_blocks(Log(tmp_path / "log"), None, None, RecordFilter())
        export(kind, blocks, path, FeedDescription())
        return path

    return made


def test_parquet_is_read_by_duckdb_and_pyarrow(exported: Exported) -> None:
    path = exported(Format.PARQUET)
    table = pyarrow.parquet.read_table(path)
    assert table.num_rows == len(RECORDS)
    assert table.column("serial").to_pylist() == [record.serial for record in RECORDS]
    found = duckdb.sql(
        f"select count(*), max(epoch_us(received)), count(distinct object), sum(length(object)) from '{path}'"
    ).fetchall()
    assert found == [(3000, RECORDS[-1].received, 7, sum(len(record.object) for record in RECORDS))]


def test_csv_and_json_lines_are_read_by_duckdb(exported: Exported) -> None:
    for kind, reader in ((Format.CSV, "read_csv"), (Format.JSON_LINES, "read_json")):
        path = exported(kind)
        found = duckdb.sql(
            f"select count(*), sum(serial)::hugeint, count(distinct author) from {reader}('{path}')"
        )
        assert found.fetchall() == [(3000, sum(record.serial for record in RECORDS), 2)], kind
    values = duckdb.sql(f"select value.x from read_json('{exported(Format.JSON_LINES)}') order by sequence")
    assert [row[0] for row in values.fetchall()] == [number / 4 for number in range(3000)]


def test_mcap_is_read_by_the_library_of_its_authors(exported: Exported) -> None:
    with exported(Format.MCAP).open("rb") as file:
        reader = mcap_reader.make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        assert summary.statistics.message_count == len(RECORDS)
        assert (summary.statistics.message_start_time, summary.statistics.message_end_time) == (
            RECORDS[0].received * 1000,
            RECORDS[-1].received * 1000,
        )
        found = [
            (channel.metadata["author"], message.log_time, message.publish_time, message.data)
            for _schema, channel, message in reader.iter_messages()
        ]
        low, high = RECORDS[100].received * 1000, RECORDS[120].received * 1000
        window = list(reader.iter_messages(starting_at=low, ending_before=high))
    assert found == [(each.author, each.received * 1000, each.sent * 1000, each.payload) for each in RECORDS]
    assert len(window) == 20


def test_mcap_of_the_library_of_its_authors_is_read(tmp_path: Path) -> None:
    """A file as a robot writes it: schemas, an attachment, metadata, JSON and bytes, three compressions."""
    for compression in mcap_writer.CompressionType:
        data = BytesIO()
        writer = mcap_writer.Writer(data, compression=compression, chunk_size=500)
        writer.start("ros2", "a robot")
        schema = writer.register_schema("Pose", "jsonschema", b"{}")
        pose = writer.register_channel("/pose", "json", schema)
        raw = writer.register_channel("/camera", "cdr", 0)
        writer.add_attachment(1, 1, "notes.txt", "text/plain", b"hello" * 100)
        writer.add_metadata("robot", {"name": "r2"})
        for number in range(40):
            writer.add_message(
                pose, number * 1_000_000, json.dumps({"x": number}).encode(), number * 1_000_000, number
            )
            writer.add_message(raw, number * 1_000_000, bytes([number]), number * 1_000_000 + 500, number)
        writer.finish()
        path = tmp_path / "robot.mcap"
        path.write_bytes(data.getvalue())
        feed = FeedFolder(tmp_path / f"feed-{compression.name}")
        assert import_file(Format.MCAP, path, feed, "robot") == 80
        found = [record for _, record in Log(feed.recorder("robot")).records()]
        poses = [record for record in found if record.object == "/pose"]
        assert [record.received for record in poses] == [number * 1000 for number in range(40)]
        assert poses[0].type == "mcap:json:Pose"
        decoder = PayloadDecoder(read_description(feed.path).types)
        assert [decoder.decode(each.type, each.payload) for each in poses] == [{"x": n} for n in range(40)]
        camera = [record for record in found if record.object == "/camera"]
        assert camera[0].type == "mcap:cdr"
        assert [decoder.decode(each.type, each.payload) for each in camera] == [bytes([n]) for n in range(40)]


def test_lines_of_two_files_are_no_duplicates_of_each_other(tmp_path: Path) -> None:
    feed = FeedFolder(tmp_path / "feed")
    for day in (2, 3):
        path = tmp_path / f"{day}.jsonl"
        path.write_text("".join(f'{{"received":"2026-11-0{day}T09:{at}","value":{at}}}\n' for at in (10, 20)))
        import_file(Format.JSON_LINES, path, feed, "doors", append=True)
    assert [record.serial for _, record in Log(feed.recorder("doors")).records()] == [0, 0, 0, 0]


def test_tables_of_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "theirs.csv").write_text(
        "received,object,value\n2026-11-02T09:30,a,1.5\n2026-11-02T10:30+01:00,b,\n"
    )
    feed = FeedFolder(tmp_path / "feed")
    assert import_file(Format.CSV, tmp_path / "theirs.csv", feed, "csv") == 2
    first, second = (record for _, record in Log(feed.recorder("csv")).records())
    assert first.received == second.received
    assert (first.object, msgpack.unpackb(first.payload), first.serial) == ("a", 1.5, 0)
    duckdb.sql(
        f"copy (select timestamp '2026-11-02 09:30' as received, 'a' as object, 'x'::blob as payload)"
        f" to '{tmp_path / 'theirs.parquet'}'"
    )
    assert import_file(Format.PARQUET, tmp_path / "theirs.parquet", feed, "parquet") == 1
    (third,) = (record for _, record in Log(feed.recorder("parquet")).records())
    assert (third.received, third.sent, third.object, third.payload) == (
        first.received,
        first.received,
        "a",
        b"x",
    )
