"""`liven feeds replay` as people and programs run it: processes, keys at a terminal, live channels."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.unit.liveobjects.feeds.replay.recordings import checkpoint, counter_recipe, record, written

from liven.liveobjects.channel.api.recipes import COMMUNICATION, channel, shared
from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, write_description
from liven.liveobjects.feeds.record import GAP, GAP_TYPE
from liven.liveobjects.feeds.replay.bookmarks import Bookmarks
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.reference.xml import write

pytestmark = pytest.mark.slow
COUNT = 40


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    """Return a feed of a counter: 40 amounts of 1 in 4 seconds, with a state in the middle."""
    place = tmp_path / "monday"
    records = [checkpoint(n / 10, n) if n == 20 else record(n / 10) for n in range(COUNT)]
    written(place / "here", records, 7)
    types = {"int64": TypeEntry("int64")}
    write_description(place, FeedDescription("Monday", write(counter_recipe()).decode(), types))
    return place


def command(feed: Path, *options: str, name: str = "") -> list[str]:
    return [sys.executable, "-m", "liven.app.main", "feeds", "replay", name or str(feed), *options]


def environment(feed: Path) -> dict[str, str]:
    return {**os.environ, "LIVEN_HOME": str(feed.parent / "home"), "TERM": "xterm"}


def played(
    feed: Path, *options: str, code: int = 0, name: str = "", seconds: float = 120
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command(feed, *options, name=name),
        env=environment(feed),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == code, (done.stdout, done.stderr)
    return done


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_program_reads_positions_timing_and_digest(feed: Path) -> None:
    rows = lines(played(feed, "--speed", "100", "--digest", "--json").stdout)
    last = [row for row in rows if row["event"] == "position"][-1]
    assert (last["state"], last["given"], last["part"]) == ("ended", COUNT, 1.0)
    (timing,) = [row for row in rows if row["event"] == "timing"]
    assert timing["events"] == COUNT
    (digest,) = [row["digest"] for row in rows if row["event"] == "digest"]
    again = lines(played(feed, "--max", "--digest", "--json").stdout)
    assert [row["digest"] for row in again if row["event"] == "digest"] == [digest]
    sought = lines(played(feed, "--seek", "100%", "--max", "--digest", "--json").stdout)
    assert [row["digest"] for row in sought if row["event"] == "digest"] == [digest]


def test_window_filter_and_print(feed: Path) -> None:
    done = played(feed, "--max", "--print", "--json", "--from", "#5", "--to", "#9", "--author", "a*")
    records = [row for row in lines(done.stdout) if row["event"] == "record"]
    assert [row["sequence"] for row in records] == [5, 6, 7, 8]
    assert all(row["value"] == 1 for row in records)


def test_new_recording_has_the_events_marked_as_replayed(feed: Path) -> None:
    copy = feed.parent / "copy" / "here"
    remap = ("--remap", "home/feeds/count=home/feeds/new")
    played(feed, "--max", "--into", "nothing", "--log", str(copy), *remap)
    records = [row for _, row in Log(copy).records()]
    assert len(records) == COUNT
    assert {row.channel for row in records} == {"home/feeds/new"}
    assert {row.flags & 2 for row in records} == {2}


def test_reader_that_has_enough_ends_the_replay_quietly(feed: Path) -> None:
    words = command(feed, "--print", "--loop", "--speed", "50")
    with subprocess.Popen(
        words,
        env=environment(feed),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert "#0" in running.stdout.readline()
        running.stdout.close()
        assert running.wait(60) == 0
        assert running.stderr is not None
        assert running.stderr.read() == ""


def test_unknown_feeds_places_and_bookmarks_are_told(feed: Path) -> None:
    assert "there is no feed" in played(feed.parent / "tuesday", code=2).stderr
    assert "write 2026" in played(feed, "--from", "yesterday", code=1).stderr
    assert "there is no bookmark 'storm'" in played(feed, "--bookmark", "storm", code=1).stderr


def test_feed_without_a_recipe_plays_its_events(feed: Path) -> None:
    (feed / "feed.json").unlink()
    done = played(feed, "--max", "--json")
    assert [row["given"] for row in lines(done.stdout) if row["event"] == "position"][-1] == COUNT
    assert "no object is recorded here" in done.stderr


def test_recipe_that_asks_the_registry_for_its_channel(feed: Path) -> None:
    """As the program itself writes recipes of new objects."""
    sample = write(shared("liven:shared-counter", "Count", channel("liven:int64", "liven:int64", "cups")))
    place = feed.parent / "sample"
    name = f"home/{COMMUNICATION}/cups"
    written(place / "here", [record(n / 10, 2, channel=name) for n in range(30)])
    write_description(place, FeedDescription("Sample", sample.decode(), {"int64": TypeEntry("int64")}))
    done = lines(played(place, "--max", "--digest", "--json").stdout)
    assert not [row for row in done if row["event"] == "problem"]
    whole = hashlib.sha256()
    for part in (name.encode(), b"60"):
        whole.update(len(part).to_bytes(4, "big") + part)
    assert [row["digest"] for row in done if row["event"] == "digest"] == [whole.hexdigest()]


def test_live_channel_is_not_played_into_without_being_asked(feed: Path) -> None:
    done = played(feed, "--into", "live:talk", code=1)
    assert "add --yes" in done.stderr


def test_query_of_spark_is_played_to_the_same_state(feed: Path) -> None:
    """Spark selects and orders; its rows are paced by the same engine, in the order of the query."""
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    feeds = feed.parent / "home" / "state" / "feeds"
    feeds.mkdir(parents=True)
    feed.rename(feeds / "monday")
    query = "select * from records where feed = 'monday' order by seq"
    done = lines(played(feed.parent / "monday", "--max", "--digest", "--json", name="monday").stdout)
    spark = lines(
        played(feed, "--sql", query, "--max", "--digest", "--json", name="monday", seconds=400).stdout
    )
    digests = [[row["digest"] for row in rows if row["event"] == "digest"] for rows in (done, spark)]
    assert len(digests[0]) == 1
    assert digests[0] == digests[1]
    few = "select * from records where feed = 'monday' and seq in (3, 1) order by seq desc"
    rows = lines(played(feed, "--sql", few, "--max", "--print", "--json", name="monday", seconds=400).stdout)
    times = [row["received"] for row in rows if row["event"] == "record"]
    assert times == sorted(times, reverse=True)
    assert len(times) == 2


class Terminal:
    """A replay at a terminal."""

    def __init__(self, feed: Path, options: Sequence[str]) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command(feed, *options),
            env=environment(feed),
            stdin=slave,
            stderr=slave,
            stdout=subprocess.PIPE,
            text=True,
        )
        os.close(slave)
        self.seen = ""

    def wait_for(self, pattern: str) -> None:
        """Read until the terminal shows something new that matches."""
        limit = time.monotonic() + 30
        while not (found := re.search(pattern, self.seen)):
            assert time.monotonic() < limit, f"{pattern} does not come: {self.seen[-500:]}"
            if select.select([self._master], [], [], 1.0)[0]:
                self.seen += os.read(self._master, 4096).decode()
        self.seen = self.seen[found.end() :]

    def press(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def end(self, code: int = 0) -> str:
        output, _ = self.process.communicate(timeout=60)
        os.close(self._master)
        assert self.process.returncode == code
        return output


def test_keys_at_a_terminal(feed: Path) -> None:
    terminal = Terminal(feed, ("--paused", "--digest"))
    terminal.wait_for("⏸ .* 0 events")
    terminal.press(b"\x1b[C\x1b[C\x1b[C")
    terminal.wait_for("⏸ .* 3 events")
    terminal.press(b"\x1b[D")
    terminal.wait_for(r"15:06:40\.2 UTC")
    terminal.press(b"m")
    terminal.wait_for("“bookmark 1” is at")
    terminal.press(b".")
    terminal.wait_for(r"15:06:41\.2 UTC")
    terminal.press(b"\x1b[F")
    terminal.wait_for("100 %")
    terminal.press(b"\x1b[H")
    terminal.wait_for("  0 %")
    terminal.press(b"b")
    terminal.wait_for(r"15:06:40\.9 UTC")
    terminal.press(b"\x1b[A")
    terminal.wait_for("2 ×")
    terminal.press(b" ")
    terminal.wait_for("▶")
    terminal.wait_for("■ .* 100 %")
    terminal.press(b"q")
    (ended,) = re.findall(r"UTC: ([0-9a-f]{64})", terminal.end())
    (bookmark,) = Bookmarks(feed).all()
    assert (bookmark.name, bookmark.recorder, bookmark.sequence) == ("bookmark 1", "here", 2)
    (whole,) = lines(played(feed, "--max", "--digest", "--json").stdout)[-1:]
    assert whole["digest"] == ended
    rows = lines(played(feed, "--from", "@bookmark 1", "--max", "--json", "--print").stdout)
    assert next(row["sequence"] for row in rows if row["event"] == "record") == 2


def test_recorders_that_together_have_everything_give_the_same_state(tmp_path: Path) -> None:
    whole = [checkpoint(0, 0), *(record(n / 10, n, serial=n) for n in range(1, COUNT + 1))]
    middle = checkpoint(2.05, sum(range(21)))._replace(serial=20)
    gap = record(
        2.6, {"first": 21, "last": 25, "why": "away"}, flags=GAP, serial=25, type=GAP_TYPE, author=""
    )
    first = [*whole[:21], gap, *whole[26:31]]
    second = [middle, *(one._replace(received=one.received + 3_600_000_000) for one in whole[18:])]
    digests = []
    for name, logs in (("one", [whole]), ("two", [first, second]), ("three", [second, whole, first])):
        place = tmp_path / name
        for number, records in enumerate(logs):
            written(place / f"r{number}", records, 7)
        types = {"int64": TypeEntry("int64")}
        write_description(place, FeedDescription("Monday", write(counter_recipe()).decode(), types))
        done = played(place, "--max", "--digest")
        assert not done.stderr, done.stderr
        digests.append(done.stdout.rpartition(": ")[2])
    assert len(set(digests)) == 1, digests
    assert digests[0].strip()


def test_numbers_that_no_recorder_has_are_told(tmp_path: Path) -> None:
    place = tmp_path / "holes"
    whole = [checkpoint(0, 0), *(record(n / 10, n, serial=n) for n in range(1, 9))]
    for name, records in (("a", whole[:3]), ("b", [whole[0], whole[1], *whole[6:]])):
        written(place / name, records, 7)
    write_description(place, FeedDescription("Holes", "", {"int64": TypeEntry("int64")}))
    done = played(place, "--max", "--print")
    assert "numbers 3 to 5 of the channel" in done.stderr
    assert len(done.stdout.splitlines()) == 6
