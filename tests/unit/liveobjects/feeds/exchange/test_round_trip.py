"""Exported and imported again, a feed has the same records, in every format."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, read_description
from liven.liveobjects.feeds.exchange.formats import Format
from liven.liveobjects.feeds.exchange.transfer import chosen_blocks, export, import_file
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.filter import RecordFilter
from liven.liveobjects.feeds.record import ASIDE, Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter

PHASES = [phase for phase in Phase if phase not in (Phase.explain, Phase.shrink)]
"""Shrinking an example would export and import thousands of files."""
LONGS = st.integers(-(1 << 63), (1 << 63) - 1)
TIMES = st.one_of(LONGS, st.integers(0, 1 << 51), st.sampled_from([0, -1, (1 << 63) - 1, 1 << 62]))
NAMES = st.one_of(
    st.text(max_size=8), st.sampled_from(["", "a,b", 'say "no"', "two\nlines", "\r", "$base64", "\0"])
)
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(1 << 63), (1 << 64) - 1),
        st.floats(),
        st.text(max_size=5),
        st.binary(max_size=5),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(st.text(max_size=3), st.integers(0, 9), st.just("$float")), inner, max_size=3
        ),
    ),
    max_leaves=6,
)
PAYLOADS = st.one_of(st.binary(max_size=20), VALUES.map(msgpack.packb))
RECORDS = st.builds(
    Record,
    TIMES,
    TIMES,
    NAMES,
    NAMES,
    NAMES,
    NAMES,
    st.integers(0, (1 << 64) - 1),
    st.integers(0, (1 << 32) - 1).map(lambda flags: flags & ~ASIDE),
    PAYLOADS,
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder in memory if there is one."""
    memory = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else tmp_path_factory.mktemp("feeds")))
    yield made
    shutil.rmtree(made)


def there_and_back(kind: Format, place: Path, records: Sequence[Record]) -> list[Record]:
    """Export records and return those that are imported from the file."""
    work = Path(tempfile.mkdtemp(dir=place))
    try:
        with LogWriter(work / "log") as writer:
            writer.extend(records)
        log = Log(work / "log")
        export(kind, chosen_blocks(log, None, None, RecordFilter()), work / "file", FeedDescription())
        feed = FeedFolder(work / "feed")
        assert import_file(kind, work / "file", feed, "again") == len(records)
        return [record for _, record in Log(feed.recorder("again")).records()]
    finally:
        shutil.rmtree(work)


@pytest.mark.parametrize("examples", [pytest.param(200, marks=pytest.mark.slow), 12])
@pytest.mark.parametrize("kind", Format)
def test_the_same_records_come_back(kind: Format, place: Path, examples: int) -> None:
    @settings(max_examples=examples, phases=PHASES)
    @given(st.lists(RECORDS, max_size=6))
    def holds(records: list[Record]) -> None:
        assert there_and_back(kind, place, records) == records

    holds()


@pytest.mark.parametrize("kind", Format)
def test_long_payloads_and_many_records_come_back(kind: Format, place: Path) -> None:
    records = [Record(number, 0, f"o{number % 99}", "c", "a", "t", number, 0, b"") for number in range(9000)]
    records[5] = records[5]._replace(payload=bytes(range(256)) * (LONG_PAYLOAD // 256 + 1))
    records[6] = records[6]._replace(payload=msgpack.packb("x" * LONG_PAYLOAD))
    assert there_and_back(kind, place, records) == records


@pytest.mark.parametrize("kind", [Format.MCAP, Format.PARQUET])
def test_types_come_along_in_formats_that_have_a_place_for_them(kind: Format, tmp_path: Path) -> None:
    with LogWriter(tmp_path / "log") as writer:
        writer.append(Record(1, 1, "o", "c", "a", "mine:plane", 1, 0, msgpack.packb({"x": 1.5})))
    description = FeedDescription(types={"mine:plane": TypeEntry("{x: float64}")})
    blocks = chosen_blocks(Log(tmp_path / "log"), None, None, RecordFilter())
    export(kind, blocks, tmp_path / "file", description)
    feed = FeedFolder(tmp_path / "feed")
    import_file(kind, tmp_path / "file", feed, "again")
    assert read_description(feed.path).types["mine:plane"].notation == "{x: float64}"


def test_only_chosen_records_are_exported(tmp_path: Path) -> None:
    records = [Record(number, 0, f"o{number % 3}", "c", "a", "t", number, 0, b"\xc0") for number in range(50)]
    with LogWriter(tmp_path / "log") as writer:
        writer.extend(records)
    log = Log(tmp_path / "log")
    seen: list[tuple[int, int]] = []
    chosen = chosen_blocks(
        log, 10, 40, RecordFilter.of(object=["o1"]), progress=lambda done, whole: seen.append((done, whole))
    )
    found = [record for block in chosen for record in block.records()]
    assert found == [record for record in records[10:40] if record.object == "o1"]
    assert seen == [(30, 30)]
