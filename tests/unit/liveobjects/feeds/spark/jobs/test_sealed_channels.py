"""Which encrypted channels a key opens, and where an ingest goes on with each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.liveobjects.feeds.sealed_feed import (
    CHANNEL,
    OTHER,
    Sender,
    channel_key,
    clear_record,
    described,
)

from liven.liveobjects.feeds.description import FeedDescription
from liven.liveobjects.feeds.key_file import ChannelKey, kept_keys
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.recorder.log.marks import gap_record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.jobs.sealed_channels import Opened, SealedChannels, sealed_text

SECOND = "home/f/second"


def a_log(folder: Path, records: list[Record]) -> Log:
    with LogWriter(folder / "a") as log:
        log.extend(records)
    return Log(folder / "a")


@pytest.fixture
def both(tmp_path: Path) -> Log:
    """Return the log of two encrypted channels with keys of their own, and of one in clear."""
    ann, bo = Sender(), Sender(OTHER, SECOND)
    made = [ann.record(1, "a"), clear_record(2, "b"), bo.record(3, "c"), ann.record(4, "d")]
    return a_log(tmp_path, [*made, gap_record("takings", CHANNEL, 5, 6, "nobody was there")])


@pytest.fixture
def keys(tmp_path: Path) -> Iterator[Path]:
    with kept_keys(tmp_path / "runtime", [channel_key()]) as path:
        yield path


def of(keys: Path | None, *channels: str) -> SealedChannels:
    return SealedChannels.of(described(*(channels or (CHANNEL, SECOND))), keys)


def test_without_a_key_everything_stays_sealed_and_is_counted(both: Log) -> None:
    sealed = of(None)
    assert sealed.opened(both, "a", {}, both.end) == []
    assert dict(sealed.left(both, "a", {}, both.end)) == {CHANNEL: 2, SECOND: 1}
    assert dict(sealed.left(both, "a", {}, 2)) == {CHANNEL: 1}


def test_a_key_opens_its_channel(both: Log, keys: Path) -> None:
    sealed = of(keys)
    (found,) = sealed.opened(both, "a", {}, both.end)
    assert found == Opened(0, {CHANNEL: channel_key()}, sealed.types, keys, (f"a#{CHANNEL}",))
    ends = dict.fromkeys(found.ends, both.end)
    assert dict(sealed.left(both, "a", ends, both.end)) == {SECOND: 1}
    assert sealed.opened(both, "a", ends, both.end) == []


def test_each_channel_goes_on_where_it_was(both: Log, tmp_path: Path) -> None:
    with kept_keys(tmp_path / "runtime", [channel_key(OTHER), channel_key()]) as keys:
        ends = {f"a#{CHANNEL}": 2}
        found = of(keys).opened(both, "a", ends, both.end)
    assert sorted((each.low, *each.channels) for each in found) == [(0, SECOND), (2, CHANNEL)]


def test_a_forged_record_does_not_hide_the_channel_from_its_key(keys: Path, tmp_path: Path) -> None:
    forged = Sender(OTHER)
    log = a_log(tmp_path, [*(forged.record(n, "x") for n in range(1, 9)), Sender().record(9, "true")])
    (found,) = of(keys, CHANNEL).opened(log, "a", {}, log.end)
    assert set(found.channels) == {CHANNEL}


def test_tries_are_bounded(keys: Path, tmp_path: Path) -> None:
    forged = Sender(OTHER)
    log = a_log(tmp_path, [*(forged.record(n, "x") for n in range(1, 71)), Sender().record(99, "true")])
    assert of(keys, CHANNEL).opened(log, "a", {}, log.end) == []


def test_a_feed_in_clear_has_nothing_to_open(both: Log, keys: Path) -> None:
    sealed = SealedChannels.of(FeedDescription(), keys)
    assert sealed.opened(both, "a", {}, both.end) == []
    assert not sealed.left(both, "a", {}, both.end)
    assert all(sealed.clear.rows(block).all() for block in both.blocks())


def test_notes_on_an_encrypted_channel_are_records_in_clear(both: Log) -> None:
    (block,) = both.blocks()
    assert of(None).clear.rows(block).tolist() == [False, True, False, False, True]


def test_the_sentence_says_how_many_and_what_to_do() -> None:
    left = {CHANNEL: 2, SECOND: 1}
    assert sealed_text("till", left, has_keys=False) == (
        "records that stayed sealed: 3 (channel home/f/second, home/f/secret); `liven feeds ingest till"
        " --decrypt --key FILE` reads them, with the file of an object that has a key"
    )
    assert "none of the keys opens them" in sealed_text("till", left, has_keys=True)
    many = dict.fromkeys("abcde", 1)
    assert "(channel a, b, c and 2 more)" in sealed_text("till", many, has_keys=False)


def test_the_key_stays_out_of_sight(keys: Path) -> None:
    key: ChannelKey = channel_key()
    assert key.key not in repr(Opened(0, {CHANNEL: key}, frozenset(), keys, ()))
