"""The writing thread: it pauses while the disk takes nothing, goes on by itself, and ends at its limit."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from tests.unit.liveobjects.feeds.recorder.log.test_hand_over import rows

from liven.liveobjects.feeds.description import FeedDescription, write_description
from liven.liveobjects.feeds.errors import LockedError
from liven.liveobjects.feeds.record import GAP
from liven.liveobjects.feeds.recorder.log import log_thread as module
from liven.liveobjects.feeds.recorder.log.hand_over import HandOver, Numbered, Position
from liven.liveobjects.feeds.recorder.log.limits import Limits
from liven.liveobjects.feeds.recorder.log.log_thread import Condition, LogStatus, LogThread
from liven.liveobjects.feeds.recorder.log.positions import NAME, read_positions
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter

PATIENCE = 60.0


class Stage:
    """A log with its thread, whose conditions a test waits for."""

    def __init__(self, folder: Path, limits: Limits, free: Callable[[Path], int] | None = None) -> None:
        self.hand_over = HandOver()
        self.conditions: list[LogStatus] = []
        self._arrived = threading.Condition()
        self.thread = LogThread(folder, self.hand_over, limits, self._changed, free=free)
        self.thread.start()

    def _changed(self, status: LogStatus) -> None:
        with self._arrived:
            self.conditions.append(status)
            self._arrived.notify_all()

    def until(self, condition: Condition) -> LogStatus:
        with self._arrived:
            there = lambda: bool(self.conditions) and self.conditions[-1].condition is condition  # noqa: E731
            assert self._arrived.wait_for(there, PATIENCE)
            return self.conditions[-1]

    def serials(self) -> list[int]:
        self.thread.close()
        return [record.serial for _, record in Log(self.thread.folder).records()]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOOK_EVERY", 0.02)
    monkeypatch.setattr(module, "_TICK", 0.01)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Yield a switch: while its list is not empty, no segment takes data."""
    switch: list[bool] = []
    pwritev = os.pwritev

    def write(fd: int, pieces: Any, offset: int, *rest: int) -> int:
        if switch:
            raise OSError(errno.ENOSPC, "No space left on device")
        return pwritev(fd, pieces, offset, *rest)

    monkeypatch.setattr(os, "pwritev", write)
    yield switch


def test_a_full_disk_pauses_the_recording_which_goes_on_by_itself(
    tmp_path: Path, full_disk: list[bool]
) -> None:
    stage = Stage(tmp_path / "log", Limits(floor=0))
    full_disk.append(True)
    stage.hand_over.put(rows(1, 3))
    assert "No space left" in stage.until(Condition.PAUSED).why
    stage.hand_over.put(rows(4, 5))
    full_disk.clear()
    stage.until(Condition.RECORDS)
    assert stage.serials() == [1, 2, 3, 4, 5]


def test_records_that_the_disk_did_not_keep_become_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage(tmp_path / "log", Limits(floor=0))
    stage.hand_over.put(rows(1, 3))
    while stage.thread.durable < 3:
        stage.hand_over.wait_closed(0.01)
    force, broken = os.fdatasync, [True]

    def fail(fd: int) -> None:
        if broken:
            path = Path(f"/proc/self/fd/{fd}").readlink()
            os.truncate(path, whole)  # what a failed write-back drops
            raise OSError(errno.EIO, "Input/output error")
        force(fd)

    whole = max((tmp_path / "log").glob("*.seg")).stat().st_size
    monkeypatch.setattr(os, "fdatasync", fail)
    stage.hand_over.put(rows(4, 6))
    assert "Input/output error" in stage.until(Condition.PAUSED).why
    broken.clear()
    stage.until(Condition.RECORDS)
    stage.hand_over.put(rows(7, 7))
    stage.thread.close()
    found = [record for _, record in Log(stage.thread.folder).records()]
    assert [(one.serial, one.flags) for one in found] == [(1, 0), (2, 0), (3, 0), (6, GAP), (7, 0)]
    assert msgpack.unpackb(found[3].payload)["first"] == 4


def test_a_disk_below_its_floor_pauses_the_recording(tmp_path: Path) -> None:
    free = [1000]
    stage = Stage(tmp_path / "log", Limits(floor=2000), lambda _: free[0])
    assert "1 kB left" in stage.until(Condition.PAUSED).why
    free[0] = 3000
    stage.until(Condition.RECORDS)
    stage.hand_over.put(rows(1, 1))
    assert stage.serials() == [1]


def test_a_recording_on_a_full_disk_ends_and_says_what_is_lost(tmp_path: Path, full_disk: list[bool]) -> None:
    stage = Stage(tmp_path / "log", Limits(floor=0))
    full_disk.append(True)
    stage.hand_over.put(rows(1, 3))
    stage.until(Condition.PAUSED)
    stage.thread.close()
    assert stage.thread.status.condition is Condition.ENDED
    assert "lost" in stage.thread.status.why


def test_a_recording_ends_at_its_limit(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "log", Limits(most_bytes=10_000, floor=0))
    stage.hand_over.put(rows(1, 100, size=200))
    assert "limit of 10 kB" in stage.until(Condition.ENDED).why
    stage.hand_over.put(rows(101, 200))
    assert stage.serials() == list(range(1, 101))


def test_payloads_beside_the_segments_count_towards_the_limit(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "log", Limits(most_bytes=2_000_000, floor=0))
    stage.hand_over.put(rows(1, 3, size=1_000_000))
    assert "limit of 2 MB" in stage.until(Condition.ENDED).why
    assert stage.serials() == [1, 2, 3]


def test_the_oldest_records_beyond_a_size_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_POSITIONS_EVERY", 0.0)
    stage = Stage(tmp_path / "log", Limits(floor=0, keep_bytes=600_000))
    log = Log(stage.thread.folder)
    limit = time.monotonic() + PATIENCE
    number = 1
    while log.begin == 0:
        assert time.monotonic() < limit, "nothing was deleted"
        stage.hand_over.put(rows(number, number + 99, size=1000))
        number += 100
        stage.hand_over.wait_closed(0.01)
    assert stage.serials()[-1] == number - 1


def test_a_description_that_cannot_be_written_costs_no_record(tmp_path: Path) -> None:
    """The description is above its limit."""
    folder, hand_over, told = tmp_path / "feed" / "log", HandOver(), list[str]()
    conditions: list[LogStatus] = []
    thread = LogThread(folder, hand_over, Limits(floor=0), conditions.append, warn=told.append)
    hand_over.put(rows(1, 100))
    thread.describe(lambda: write_description(tmp_path / "feed", FeedDescription(recipe="x" * (5 << 20))))
    thread.start()
    hand_over.put(rows(101, 200))
    thread.close()
    assert [one.serial for _, one in Log(folder).records()] == list(range(1, 201))
    assert len(told) == 1
    assert "it would be longer than 4 MiB" in told[0]
    assert not conditions
    LogWriter(folder).close()  # nobody holds the lock


def test_a_fault_in_the_thread_loses_nothing_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    folder, hand_over = tmp_path / "log", HandOver()

    def broken(_: Path) -> int:
        hand_over.put(rows(4, 6))
        raise RuntimeError("planted")

    conditions: list[LogStatus] = []
    thread = LogThread(folder, hand_over, Limits(), conditions.append, free=broken)
    hand_over.put(rows(1, 3))
    thread.start()
    thread.close()
    assert [one.serial for _, one in Log(folder).records()] == [1, 2, 3, 4, 5, 6]
    assert [(one.condition, one.why) for one in conditions] == [(Condition.ENDED, "RuntimeError: planted")]
    LogWriter(folder).close()


def test_a_record_that_cannot_be_written_becomes_a_gap(tmp_path: Path) -> None:
    """It is not the largest one."""
    stage = Stage(tmp_path / "log", Limits(floor=0))
    made = rows(1, 5)
    records = list(made.records())
    records[1] = records[1]._replace(sent=1 << 70)
    records[3] = records[3]._replace(payload=bytes(1000))
    stage.hand_over.put(made._replace(records=lambda: records))
    stage.thread.close()
    found = [one for _, one in Log(stage.thread.folder).records()]
    assert [(one.serial, one.flags) for one in found] == [(1, 0), (2, GAP), (3, 0), (4, 0), (5, 0)]
    assert "its sent" in msgpack.unpackb(found[1].payload)["why"]


def test_a_record_with_a_bad_name_is_left_out_and_told(tmp_path: Path) -> None:
    told: list[str] = []
    hand_over = HandOver()
    thread = LogThread(tmp_path / "log", hand_over, Limits(floor=0), lambda _: None, warn=told.append)
    thread.start()
    made = rows(1, 3)
    records = list(made.records())
    records[1] = records[1]._replace(object="\ud800")
    hand_over.put(made._replace(records=lambda: records))
    thread.close()
    assert [one.serial for _, one in Log(tmp_path / "log").records()] == [1, 3]
    assert "half a character" in told[0]


def test_a_log_has_one_writer(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "log", Limits(floor=0))
    with pytest.raises(LockedError):
        LogThread(tmp_path / "log", HandOver(), Limits(), lambda _: None)
    assert stage.serials() == []


def test_the_next_recorder_knows_the_last_number_of_each_channel(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    stage = Stage(folder, Limits(floor=0))
    stage.hand_over.put(rows(1, 3))
    stage.hand_over.put(rows(8, 9, "d"))
    stage.thread.close()
    assert read_positions(folder) == {Numbered("c"): Position(3, b"h"), Numbered("d"): Position(9, b"h")}
    (folder / NAME).unlink()
    assert read_positions(folder) == {Numbered("c"): Position(3, b""), Numbered("d"): Position(9, b"")}
    (folder / NAME).write_text('{"log": 7, "end": "much"}')
    assert read_positions(folder) == {Numbered("c"): Position(3, b""), Numbered("d"): Position(9, b"")}
