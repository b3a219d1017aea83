"""Forks that the disk did not keep when it was asked to."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import msgpack  # type: ignore[import-untyped]
import pytest
from tests.unit.liveobjects.feeds.recorder.log.test_hand_over import rows
from tests.unit.liveobjects.feeds.recorder.log.test_log_thread import Stage

from liven.liveobjects.feeds.record import FORK, GAP, Record
from liven.liveobjects.feeds.recorder.log import log_thread
from liven.liveobjects.feeds.recorder.log.hand_over import Position, Rows
from liven.liveobjects.feeds.recorder.log.limits import Limits
from liven.liveobjects.feeds.recorder.log.log_thread import Condition
from liven.liveobjects.feeds.recorder.log.marks import fork_record
from liven.liveobjects.feeds.segment.reader import Log

_TICK = 0.01


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Yield a log with the records 1 to 3 on its disk."""
    monkeypatch.setattr(log_thread, "_LOOK_EVERY", 2 * _TICK)
    monkeypatch.setattr(log_thread, "_TICK", _TICK)
    made = Stage(tmp_path / "log", Limits(floor=0))
    made.hand_over.put(rows(1, 3))
    while made.thread.durable < 3:
        made.hand_over.wait_closed(_TICK)
    yield made
    made.thread.close()


@pytest.fixture
def broken(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a switch: while its list is not empty, the disk forgets what it is asked to keep."""
    switch, force = [True], os.fdatasync
    whole = max(stage.thread.folder.glob("*.seg")).stat().st_size

    def fail(fd: int) -> None:
        if switch:
            os.truncate(Path(f"/proc/self/fd/{fd}").readlink(), whole)
            raise OSError(errno.EIO, "Input/output error")
        force(fd)

    monkeypatch.setattr(os, "fdatasync", fail)
    return switch


@pytest.mark.parametrize(
    ("waiting", "after", "following"),
    [(9, 5, 0), (9, 5, 2), (3, 2, 0), (3, 2, 2)],
    ids=["above the disk", "and records", "below the disk", "and records below"],
)
def test_a_fork_that_was_lost_is_there_before_the_next_record(
    stage: Stage, broken: list[bool], waiting: int, after: int, following: int
) -> None:
    if waiting > 3:
        stage.hand_over.put(rows(4, waiting))
    last = after + following
    records = [fork_record("o", "c", after), *(rows(after + 1, last).records() if following else [])]
    stage.hand_over.put(Rows("o", "c", lambda: records, after + 1, Position(last, b"h"), len(records), 40))
    stage.until(Condition.PAUSED)
    broken.clear()
    stage.until(Condition.RECORDS)
    stage.hand_over.put(rows(last + 1, last + 1))
    stage.thread.close()
    assert follows([record for _, record in Log(stage.thread.folder).records()])


def follows(records: list[Record]) -> bool:
    """True if each record has the number after the one before, a fork, or a gap."""
    number = 0
    for one in records:
        if one.flags & FORK:
            good = one.serial <= number
        elif one.flags & GAP:
            good = msgpack.unpackb(one.payload)["first"] == number + 1
        else:
            good = one.serial == number + 1
        if not good:
            return False
        number = one.serial
    return True
