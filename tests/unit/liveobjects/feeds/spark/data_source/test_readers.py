"""The data source's readers as plain Python: no session, no Java."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import msgpack  # type: ignore[import-untyped]
import pyarrow as pa
import pytest

pytest.importorskip("pyspark")

from pyspark.sql.datasource import (
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    IsNull,
    LessThan,
    LessThanOrEqual,
)
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows
from pyspark.sql.types import (
    BinaryType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructType,
    TimestampType,
)

from liven.liveobjects.feeds.errors import BegunAnewError, DamagedError, GoneError, UnknownFeedError
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.data_source.arrow_schema import arrow_schema
from liven.liveobjects.feeds.spark.data_source.batch_reader import FeedReader, FilteredFeedReader
from liven.liveobjects.feeds.spark.data_source.options import BadOptionError, dump_ranges
from liven.liveobjects.feeds.spark.data_source.ranges import Stretch, split
from liven.liveobjects.feeds.spark.data_source.source import LivenSource
from liven.liveobjects.feeds.spark.data_source.stream_reader import FeedStreamReader
from liven.liveobjects.feeds.table.reading import Reading

NOON = 1_700_000_000_000_000
SCHEMA = "seq BIGINT, recorder STRING, payload BINARY"
KINDS = {
    "BIGINT": LongType(),
    "BINARY": BinaryType(),
    "DOUBLE": DoubleType(),
    "INT": IntegerType(),
    "STRING": StringType(),
    "TIMESTAMP": TimestampType(),
}


def struct(ddl: str) -> StructType:
    """Return the schema: Spark's own reader of such texts needs Java."""
    found = StructType()
    for column in ddl.split(", "):
        name, kind = column.rsplit(" ", 1)
        found.add(name.strip("`"), KINDS[kind])
    return found


def source(path: Path, **options: str) -> LivenSource:
    return LivenSource({"path": str(path), **options})


def reader(path: Path, schema: str = SCHEMA, **options: str) -> FeedReader:
    found = source(path, **options).reader(struct(schema))
    assert isinstance(found, FeedReader)
    return cast(FeedReader, pickle.loads(pickle.dumps(found)))  # Spark sends it to four processes


def stream(path: Path, **options: str) -> FeedStreamReader:
    found = source(path, **options).streamReader(struct(SCHEMA))
    assert isinstance(found, FeedStreamReader)
    return cast(FeedStreamReader, pickle.loads(pickle.dumps(found)))


def rows(found: Any, partitions: Iterable[Any]) -> list[dict[str, Any]]:
    return [row for each in partitions for batch in found.read(each) for row in batch.to_pylist()]


def test_all_records_of_all_recorders_are_read_once(feed: Path) -> None:
    found = reader(feed, partitions="3")
    got = rows(found, found.partitions())
    assert [row["seq"] for row in got if row["recorder"] == "a"] == list(range(20_000))
    assert [row["seq"] for row in got if row["recorder"] == "b"] == list(range(500))
    assert all(row["payload"] == b"%d" % row["seq"] for row in got)


def test_one_recorder_may_be_named(feed: Path) -> None:
    found = reader(feed / "b", **{"from": "100", "to": "110"})
    assert [row["seq"] for row in rows(found, found.partitions())] == list(range(100, 110))


def test_ranges_choose_of_each_recorder(feed: Path) -> None:
    found = reader(feed, ranges=dump_ranges([("a", 19_990, 19_995), ("b", 3, 5)]))
    got = [(row["recorder"], row["seq"]) for row in rows(found, found.partitions())]
    assert got == [*(("a", n) for n in range(19_990, 19_995)), ("b", 3), ("b", 4)]


def test_the_schema_of_batches_is_exactly_the_one_that_spark_expects(feed: Path) -> None:
    plain = source(feed).schema()
    found = reader(feed, schema=plain)
    (first, *_) = found.read(found.partitions()[0])
    expected = arrow_schema(struct(plain))
    assert first.schema == expected
    assert expected.field("received").type == pa.timestamp("us", tz="UTC")
    assert expected.field("payload").type == pa.binary()


def test_a_column_that_records_lack_is_null(feed: Path) -> None:
    found = reader(feed / "b", schema="seq BIGINT, mood STRING")
    assert rows(found, found.partitions())[0] == {"seq": 0, "mood": None}


def test_partitions_are_a_list_and_none_reads_nothing(tmp_path: Path, write: Callable[..., Path]) -> None:
    found = reader(write(tmp_path / "feed" / "a", range(0)))
    assert found.partitions() == []
    assert list(found.read(None)) == []  # type: ignore[arg-type]  # Spark's answer to an empty list


def test_small_blocks_are_sent_together(tmp_path: Path, make: Callable[..., Any]) -> None:
    with LogWriter(tmp_path / "a") as log:
        for number in range(100):
            log.append(make(number))
            log.flush()
    found = reader(tmp_path / "a", batchrows="40")
    sizes = [batch.num_rows for batch in found.read(found.partitions()[0])]
    assert sizes == [40, 40, 20]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ([GreaterThan(("seq",), 5), LessThan(("seq",), 9)], [6, 7, 8]),
        ([GreaterThanOrEqual(("seq",), 497)], [497, 498, 499]),
        ([LessThanOrEqual(("seq",), 1)], [0, 1]),
        ([EqualTo(("seq",), 44)], [44]),
    ],
)
def test_conditions_on_seq_narrow_the_range(feed: Path, filters: list[Filter], expected: list[int]) -> None:
    found = reader(feed / "b", pushdown="true")
    assert isinstance(found, FilteredFeedReader)
    other = IsNull(("payload",))
    assert list(found.pushFilters([*filters, other])) == [other]
    assert [row["seq"] for row in rows(found, found.partitions())] == expected


def test_conditions_are_only_taken_if_asked(feed: Path) -> None:
    assert "pushFilters" not in vars(FeedReader)
    assert type(reader(feed)) is FeedReader


@pytest.mark.parametrize(("rows_", "partitions"), [(0, 4), (1, 4), (100, 4), (101, 3), (7, 100)])
def test_stretches_cover_everything_once(rows_: int, partitions: int) -> None:
    made = split({"a": (3, 3 + rows_), "b": (0, 10)}, partitions, least=10)
    for recorder, low, high in (("a", 3, 3 + rows_), ("b", 0, 10)):
        own = [each for each in made if each.recorder == recorder]
        assert all(before.high == after.low for before, after in pairwise(own))
        if own:
            assert (own[0].low, own[-1].high) == (low, high)
        else:
            assert low == high


@pytest.mark.parametrize(
    "options", [{"from": "-1"}, {"to": "x"}, {"partitions": "many"}, {"ranges": "a"}, {"ranges": "a=1"}]
)
def test_an_option_without_meaning_is_refused(feed: Path, options: dict[str, str]) -> None:
    with pytest.raises(BadOptionError):
        reader(feed, **options)


def test_a_path_is_needed_and_must_be_a_feed(tmp_path: Path) -> None:
    with pytest.raises(BadOptionError, match="needs a path"):
        LivenSource({}).reader(struct(SCHEMA))
    with pytest.raises(UnknownFeedError, match="liven feeds ls"):
        reader(tmp_path).partitions()


def test_types_are_decoded_while_reading(tmp_path: Path, make: Callable[..., Any]) -> None:
    with LogWriter(tmp_path / "a") as log:
        for number in range(10):
            payload = msgpack.packb({"x": float(number)}) if number % 2 else b"\xc1"
            log.append(make(number, payload))
    reading = Reading.dump([Reading("bytes", "{x: float64}", {})])
    schema = "seq BIGINT, x DOUBLE, error STRING, payload BINARY"
    found = reader(tmp_path / "a", schema, readings=reading)
    got = rows(found, found.partitions())
    assert [row["x"] for row in got] == [n if n % 2 else None for n in range(10)]
    assert all((row["error"] is None) == (row["x"] is not None) for row in got)


def garble(folder: Path) -> None:
    (file,) = folder.glob("*.seg")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def test_damage_fails_the_read_or_is_skipped_as_asked(feed: Path) -> None:
    garble(feed / "a")
    strict = reader(feed / "a")
    with pytest.raises(DamagedError, match="repair"):
        rows(strict, strict.partitions())
    lenient = reader(feed / "a", damage="skip")
    got = [row["seq"] for row in rows(lenient, lenient.partitions())]
    assert 0 < len(got) < 20_000
    assert got == sorted(set(got))


def follow(
    found: FeedStreamReader, start: dict[str, int], most: int
) -> tuple[dict[str, int], list[tuple[str, int]]]:
    end = found.latestOffset(start, ReadMaxRows(most))
    got = [(row["recorder"], row["seq"]) for row in rows(found, found.partitions(start, end))]
    return end, got


def test_a_stream_goes_through_everything_once(feed: Path) -> None:
    found = stream(feed, maxrows="8000")
    assert found.getDefaultReadLimit() == ReadMaxRows(8000)
    at, seen = found.initialOffset(), []
    assert at == {"a": 0, "b": 0}
    for _ in range(4):
        at, got = follow(found, at, 8000)
        assert len(got) <= 8000
        seen += got
    assert len(seen) == len(set(seen)) == 20_500
    assert at == found.reportLatestOffset() == {"a": 20_000, "b": 500}


def test_a_stream_takes_recorders_that_come_later(feed: Path, write: Callable[..., Path]) -> None:
    found = stream(feed)
    assert isinstance(found.getDefaultReadLimit(), ReadAllAvailable)
    start = found.latestOffset(found.initialOffset(), ReadAllAvailable())
    write(feed / "c", range(7))
    end = found.latestOffset(start, ReadAllAvailable())
    got = [(row["recorder"], row["seq"]) for row in rows(found, found.partitions(start, end))]
    assert got == [("c", number) for number in range(7)]


def test_a_query_that_ends_by_itself_ends_where_it_began(feed: Path, write: Callable[..., Path]) -> None:
    found = stream(feed)
    found.prepareForTriggerAvailableNow()
    write(feed / "b", range(500, 600))
    assert found.latestOffset(found.initialOffset(), ReadAllAvailable()) == {"a": 20_000, "b": 500}
    assert found.reportLatestOffset()["b"] == 600


def test_the_first_batches_of_a_stream_may_be_small(feed: Path) -> None:
    found = stream(feed / "a", firstrows="100")
    at, sizes = found.initialOffset(), []
    for _ in range(4):
        end = found.latestOffset(at, ReadAllAvailable())
        sizes.append(end["a"] - at["a"])
        at = end
    assert sizes == [100, 400, 1600, 6400]


def test_recorders_are_read_up_to_the_same_time(tmp_path: Path, write: Callable[..., Path]) -> None:
    write(tmp_path / "a", range(1000))
    write(tmp_path / "b", range(0, 1000, 10))
    found = stream(tmp_path)
    at = found.initialOffset()
    ends = []
    while at != {"a": 1000, "b": 100}:
        at = found.latestOffset(at, ReadMaxRows(200))
        assert abs(at["a"] - 10 * at["b"]) <= 10
        ends.append(sum(at.values()))
    assert all(0 < later - earlier <= 200 for earlier, later in pairwise([0, *ends]))


def test_a_stream_begins_at_a_time(tmp_path: Path, write: Callable[..., Path]) -> None:
    write(tmp_path / "a", range(1000))
    write(tmp_path / "b", range(990, 1000))
    found = stream(tmp_path, since=str(NOON + 980))
    assert found.initialOffset() == {"a": 980, "b": 0}


def test_a_log_that_was_begun_anew_does_not_stand_still(tmp_path: Path, write: Callable[..., Path]) -> None:
    write(tmp_path / "a", range(5))
    with pytest.raises(BegunAnewError, match="the recording a was begun anew"):
        stream(tmp_path).latestOffset({"a": 6}, ReadAllAvailable())


def test_a_stream_says_that_records_are_gone(tmp_path: Path, write: Callable[..., Path]) -> None:
    folder = tmp_path / "feed" / "a"
    with LogWriter(folder, segment_bytes=1) as log:
        from liven.liveobjects.feeds.segment.block_format import MOST_ROWS

        for number in range(3):
            write_block(log, number * MOST_ROWS, MOST_ROWS)
    first, *_ = sorted(folder.glob("*.seg"))
    first.unlink()
    found = stream(tmp_path / "feed")
    with pytest.raises(GoneError, match="begins at"):
        found.partitions({"a": 0}, {"a": 10_000})


def write_block(log: LogWriter, low: int, count: int) -> None:
    from liven.liveobjects.feeds.record import Record

    log.extend([Record(1, 1, "o", "c", "a", "bytes", low + n, 0, b"") for n in range(count)])
    log.flush()


def test_a_stretch_can_be_printed() -> None:
    assert repr(Stretch("a", 1, 2)) == "Stretch('a', 1, 2)"
