"""One program writes a log, and those that look at it neither change it nor stop that one."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import LockedError
from liven.liveobjects.feeds.segment.log_lock import NAME, LogLock, is_locked


def test_a_look_sees_the_writer_and_changes_nothing(tmp_path: Path) -> None:
    assert not is_locked(tmp_path)
    assert not list(tmp_path.iterdir())
    with LogLock(tmp_path):
        assert is_locked(tmp_path)
    (tmp_path / NAME).write_text("1234567")
    assert not is_locked(tmp_path)
    assert (tmp_path / NAME).read_text() == "1234567"


def test_a_writer_waits_for_those_that_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / NAME).touch()
    looking = os.open(tmp_path / NAME, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            os.close(looking)

    monkeypatch.setattr(time, "sleep", wait)
    with LogLock(tmp_path) as lock:
        assert lock.is_held
    assert len(waited) == 3


def test_a_second_writer_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits for a writer"))
    with LogLock(tmp_path), pytest.raises(LockedError, match=f"process {os.getpid()} is writing"):
        LogLock(tmp_path)


def test_looking_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    (tmp_path / NAME).touch()
    looking = os.open(tmp_path / NAME, os.O_RDONLY)
    try:
        fcntl.flock(looking, fcntl.LOCK_SH)
        with pytest.raises(LockedError, match="another program is writing"):
            LogLock(tmp_path)
    finally:
        os.close(looking)
