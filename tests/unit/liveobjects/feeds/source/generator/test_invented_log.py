"""A made-up feed: two recorders hear most rows, each with gaps and delays of its own, the same for one
seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder
from liven.liveobjects.feeds.record import GAP, Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.source.generator.airspace import Airspace
from liven.liveobjects.feeds.source.generator.earthquakes import Earthquakes
from liven.liveobjects.feeds.source.generator.invented_log import ExistingFeedError, Hearing, write_invented
from liven.liveobjects.feeds.source.generator.invention import Invented
from liven.runtime.reference.xml import read_object
from liven.runtime.testing import Bench

START = 1_790_000_000_000_000
TWO = Hearing(2, 0.02)


def recorded(folder: Path) -> list[Record]:
    log = Log(folder)
    return [record for _, record in log.records(log.begin, log.end)]


@pytest.fixture
def feed(tmp_path: Path) -> FeedFolder:
    return FeedFolder(tmp_path / "feeds" / "sky")


def test_two_recorders_hear_most_rows_each_with_its_own_delay(feed: FeedFolder) -> None:
    count = write_invented(feed, Airspace(1, 40), 1, START, 60, TWO)
    north, south = (recorded(feed.path / name) for name in ("north", "south"))
    assert count == len(north) + len(south)
    for own in (north, south):
        assert 0.95 * 2400 < len(own) < 2400
        assert [one.received for one in own] == sorted(one.received for one in own)
        assert all(20_000 <= one.received - one.sent < 1_000_000 for one in own)
    keys = [{(one.channel, one.author, one.serial): one for one in own} for own in (north, south)]
    both = keys[0].keys() & keys[1].keys()
    assert len(both) > 0.9 * 2400
    assert len(keys[0].keys() | keys[1].keys()) > max(map(len, keys)), (
        "each has heard rows that the other missed"
    )
    assert all(keys[0][key].payload == keys[1][key].payload for key in both)
    assert any(keys[0][key].received != keys[1][key].received for key in both)


def test_missing_numbers_of_an_author_are_marked(feed: FeedFolder) -> None:
    write_invented(feed, Airspace(1, 5), 1, START, 300, Hearing(1, 0.2))
    last: dict[str, int] = {}
    gaps = 0
    for one in recorded(feed.path / "north"):
        is_gap = one.author in last and one.serial > last[one.author] + 1
        assert bool(one.flags & GAP) == is_gap
        gaps += is_gap
        last[one.author] = max(last.get(one.author, 0), one.serial)
    assert gaps > 50


def test_nothing_is_lost_without_loss_and_payloads_decode_by_the_description(feed: FeedFolder) -> None:
    generator = Earthquakes(3, 50)
    write_invented(feed, generator, 3, START, 86_400, Hearing())
    made = [one for _, step in Earthquakes(3, 50).steps(START, 86_400) for one in step]
    found = recorded(feed.path / "north")
    description = read_description(feed.path)
    decoder = PayloadDecoder(description.types)
    assert description.title == "Earthquakes, made up with seed 3"
    assert all(decoder.is_known(one.type) for one in found[:1])
    told = [(one.author, one.serial, decoder.decode(one.type, one.payload)) for one in found]
    assert sorted(told, key=str) == sorted(
        ((one.subject, _serial(made, place), one.row) for place, one in enumerate(made)), key=str
    )


def _serial(made: list[Invented], place: int) -> int:
    return sum(1 for one in made[: place + 1] if one.subject == made[place].subject)


def test_the_recipe_is_an_object_that_hears_the_channel(feed: FeedFolder) -> None:
    write_invented(feed, Airspace(1, 2), 1, START, 2, Hearing())
    recipe = read_description(feed.path).recipe
    [name] = {one.channel for one in recorded(feed.path / "north")}
    assert f">{name}<" in recipe
    with Bench() as bench:
        bench.known.checker.check(read_object(recipe))
        assert read_object(recipe).id == "liven:subscriber"


def test_the_same_seed_makes_the_same_records(tmp_path: Path) -> None:
    feeds = [FeedFolder(tmp_path / name) for name in ("a", "b", "c")]
    for one, seed in zip(feeds, (1, 1, 2), strict=True):
        write_invented(one, Airspace(seed, 10), seed, START, 30, TWO)
    first, again, other = (recorded(one.path / "south") for one in feeds)
    assert first == again
    assert first != other


def test_a_feed_that_is_there_stays_as_it_is(feed: FeedFolder) -> None:
    write_invented(feed, Airspace(1, 5), 1, START, 10, TWO)
    before = recorded(feed.path / "north")
    with pytest.raises(ExistingFeedError, match="exists already; give the feed another name"):
        write_invented(feed, Airspace(2, 5), 2, START, 10, TWO)
    assert recorded(feed.path / "north") == before


def test_an_interruption_leaves_nothing(feed: FeedFolder) -> None:
    class Interrupted(Airspace):
        def steps(self, start: int, seconds: float) -> Iterator[tuple[int, list[Invented]]]:
            yield from super().steps(start, seconds)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_invented(feed, Interrupted(1, 5), 1, START, 10, TWO)
    assert list(feed.path.parent.iterdir()) == []


def test_a_full_disk_leaves_nothing(feed: FeedFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("liven.liveobjects.feeds.segment.writer.LogWriter.sync", full)
    with pytest.raises(OSError, match="No space left"):
        write_invented(feed, Airspace(1, 5), 1, START, 10, TWO)
    assert list(feed.path.parent.iterdir()) == []


@pytest.mark.parametrize("count", [0, 17])
def test_a_number_of_recorders_that_is_none_is_refused(feed: FeedFolder, count: int) -> None:
    with pytest.raises(FeedError, match="1 to 16 recorders"):
        write_invented(feed, Airspace(1, 5), 1, START, 10, Hearing(count))


def test_progress_goes_up_to_the_end(feed: FeedFolder) -> None:
    seen: list[tuple[int, int]] = []
    write_invented(feed, Airspace(1, 100), 1, START, 100, TWO, lambda rows, part: seen.append((rows, part)))
    assert seen == sorted(seen)
    assert seen[-1][1] >= 800
