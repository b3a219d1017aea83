"""Recordings are listed with size, growth and faults, without reading a record."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.liveobjects.feeds.history.recordings import MONDAY, SECOND, Recording

from liven.liveobjects.feeds.description import FeedDescription, write_description
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.recording_list import RecordingList
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter


def recorded(count: int) -> Recording:
    made = Recording()
    for _ in range(count):
        made.broken("board")
    return made


def feed(root: Path, name: str, count: int, title: str = "") -> Path:
    """Write a feed with one recorder."""
    folder = FeedFolder(root / name)
    write_description(folder.path, FeedDescription(title, "<Root/>"))
    with LogWriter(folder.recorder("ann")) as log:
        log.extend(recorded(count).records)
    return folder.recorder("ann")


def test_nothing_is_there_before_the_first_recording(tmp_path: Path) -> None:
    assert RecordingList(tmp_path / "feeds").read() == []


def test_a_recording_has_its_figures(tmp_path: Path) -> None:
    log = feed(tmp_path, "board", 5, "Open day")
    [found] = RecordingList(tmp_path).read()
    assert (found.title, found.name, found.records) == ("Open day", "board/ann", 5)
    assert found.latest == MONDAY + 4 * SECOND
    assert found.size >= sum(one.stat().st_size for one in log.glob("*.seg"))
    assert not found.is_running
    assert not found.error


def test_growth_is_told_by_the_second_between_two_readings(tmp_path: Path) -> None:
    now = [0.0]
    survey = RecordingList(tmp_path, lambda: now[0])
    folder = feed(tmp_path, "board", 10)
    [first] = survey.read()
    assert first.records_per_second == 0
    with LogWriter(folder) as log:
        log.extend(recorded(40).records)
        log.sync()
        now[0] = 2.0
        [second] = survey.read()
        assert second.is_running
    assert second.records == 50
    assert second.records_per_second == pytest.approx(10)  # half of 20: rates are smoothed
    assert second.bytes_per_second > 0
    for at in range(3, 40):
        now[0] = float(at)
        [last] = survey.read()
    assert last.records_per_second < 0.1
    assert not last.is_running


def test_running_ones_come_first_and_then_the_latest(tmp_path: Path) -> None:
    feed(tmp_path, "early", 2)
    late = feed(tmp_path, "late", 9)
    assert [one.feed.name for one in RecordingList(tmp_path).read()] == ["late", "early"]
    with LogWriter(late.parent.parent / "early" / "ann"):
        assert [one.feed.name for one in RecordingList(tmp_path).read()] == ["early", "late"]


def test_a_description_that_cannot_be_read_is_told_with_advice(tmp_path: Path) -> None:
    feed(tmp_path, "board", 2)
    (tmp_path / "board" / "feed.json").write_text("{")
    [found] = RecordingList(tmp_path).read()
    assert "feed.json" in found.error and "remove it" in found.error


def test_damage_is_told_and_the_rest_is_counted(tmp_path: Path) -> None:
    folder = feed(tmp_path, "board", 3)
    with LogWriter(folder) as log:
        log.extend(recorded(3).records)
    [segment] = folder.glob("*.seg")
    data = bytearray(segment.read_bytes())
    data[20] ^= 0xFF  # the head of the first block
    segment.write_bytes(data)
    [found] = RecordingList(tmp_path).read()
    assert "liven feeds repair" in found.error
    assert found.records == Log(folder).end - Log(folder).begin
