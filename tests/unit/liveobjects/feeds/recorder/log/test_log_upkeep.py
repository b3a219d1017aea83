"""The oldest records go by size and age, and the only state of an object waits for a newer one."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.feeds.record import CHECKPOINT, Record
from liven.liveobjects.feeds.recorder.log import log_upkeep as module
from liven.liveobjects.feeds.recorder.log.limits import BadLimitError, Limits
from liven.liveobjects.feeds.recorder.log.log_upkeep import STATES_WITHIN, LogUpkeep
from liven.liveobjects.feeds.recorder.object import limits_of
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.writer import LogWriter

NOON = 1_700_000_000_000_000
BOTH = frozenset({"busy", "quiet"})


class Stage:
    """A log of which each write is a block, two to a file, and a clock that a test sets."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder
        self.at = 0.0
        self.writer = LogWriter(folder, segment_blocks=2)
        self.upkeep = LogUpkeep(folder, limits, lambda: self.at)

    def write(self, channel: str, flags: int = 0, size: int = 100, received: int = 0) -> None:
        when = received or NOON + int(self.at * 1e6)
        made = Record(when, when, channel, channel, "", "t", self.writer.end + 1, flags, bytes(size))
        before = self.writer.end
        self.writer.append(made)
        self.writer.sync()
        self.upkeep.written(before, [made])

    def retain(self, channels: frozenset[str] = BOTH) -> frozenset[str]:
        return self.upkeep.retain(self.writer, channels)

    def channels(self) -> list[str]:
        return [record.channel for _, record in Log(self.folder).records()]


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give the seconds since noon that the clock of the computer shows."""
    seconds = [0.0]
    monkeypatch.setattr(module, "now", lambda: NOON + int(seconds[0] * 1e6))
    return seconds


def test_the_only_state_of_a_quiet_object_stays_until_there_is_a_newer_one(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Limits(keep_bytes=1))
    stage.write("quiet", CHECKPOINT)
    stage.write("busy", CHECKPOINT)
    for _ in range(5):
        stage.write("busy")
    stage.write("busy", CHECKPOINT)
    assert stage.retain() == {"quiet"}
    assert stage.channels()[0] == "quiet"
    stage.write("quiet", CHECKPOINT)
    assert stage.retain() == {"busy"}  # whose state is in the file before the last one
    assert stage.channels() == ["busy", "busy", "quiet"]
    stage.write("busy", CHECKPOINT)
    assert stage.retain() == frozenset()
    assert stage.channels() == ["quiet", "busy"]
    stage.writer.close()


def test_an_object_that_cannot_be_asked_and_one_that_gives_nothing_do_not_fill_the_disk(
    tmp_path: Path,
) -> None:
    stage = Stage(tmp_path, Limits(keep_bytes=1))
    stage.write("quiet", CHECKPOINT)
    for _ in range(4):
        stage.write("busy")
    assert stage.retain() == BOTH
    stage.at += STATES_WITHIN - 1
    assert stage.retain() == BOTH
    stage.at += 1
    assert stage.retain() == {"busy"}  # the next file waits anew
    assert stage.channels() == ["busy"] * 3
    assert stage.retain(frozenset()) == frozenset()
    assert stage.channels() == ["busy"]
    stage.writer.close()


def test_a_slow_board_loses_what_is_older_than_its_age(tmp_path: Path, noon: list[float]) -> None:
    """All of it fits into one file."""
    stage = Stage(tmp_path, Limits(keep_seconds=800.0))
    stage.writer.close()
    stage.writer = LogWriter(tmp_path)
    for hundred in range(20):
        stage.at = noon[0] = hundred * 100.0
        stage.write("busy", CHECKPOINT)
        stage.retain()
        stage.at += 1.0
        stage.retain()
    assert len(segment_files(tmp_path)) > 3
    found = [record.received - NOON for _, record in Log(tmp_path).records()]
    assert min(found) >= (1900 - 800 - 200) * 1_000_000
    assert min(found) < (1900 - 800 + 100) * 1_000_000
    stage.writer.close()


def test_a_clock_that_is_ahead_makes_nothing_older(tmp_path: Path, noon: list[float]) -> None:
    stage = Stage(tmp_path, Limits(keep_seconds=800.0))
    for _ in range(6):
        stage.write("busy", CHECKPOINT)
    noon[0] = 1e9
    stage.retain()
    assert len(stage.channels()) == 6
    stage.writer.close()


@pytest.mark.parametrize("text", ["10m", "10 M", "1.5m"])
def test_minutes_that_may_be_megabytes_are_refused(text: str) -> None:
    with pytest.raises(BadLimitError, match=r"may be megabytes or minutes; write .*B or .*in"):
        limits_of(keep=text)
    assert limits_of(keep="10MB").keep_bytes == 10_000_000
    assert limits_of(keep="10min").keep_seconds == 600
