from __future__ import annotations

import os
from pathlib import Path

import pytest

from liven.liveobjects.local_file import object as module
from liven.liveobjects.local_file.object import LOOK_EVERY, FileError, LocalFile, read, write
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench


def test_it_tells_what_the_file_holds_and_what_others_write(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one")
    with Bench() as bench:
        probe = bench.build(LocalFile, path=str(path)).probe("Endpoint")
        bench.crank.wait(lambda: ("set", b"one") in probe.heard)
        path.write_bytes(b"three")
        bench.advance(LOOK_EVERY)
        bench.crank.wait(lambda: ("set", b"three") in probe.heard)
        reply = probe.call("get")
        bench.crank.wait(lambda: reply.settled)
        assert reply.value() == b"three"


def test_it_writes_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with Bench() as bench:
        probe = bench.build(LocalFile, path=str(path)).probe("Endpoint")
        probe.send("set", b"new")
        bench.crank.wait(path.exists)
        bench.advance(LOOK_EVERY)
        bench.crank.wait(lambda: ("set", b"new") in probe.heard)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_not_there_fails_the_call_with_the_reason(tmp_path: Path) -> None:
    with Bench() as bench:
        probe = bench.build(LocalFile, path=str(tmp_path / "none")).probe("Endpoint")
        reply = probe.call("get")
        bench.crank.wait(lambda: reply.settled)
        with pytest.raises(CallFailedError, match="none cannot be read: No such file"):
            reply.value()


def test_a_disk_without_room_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left on device; it has not changed"):
        write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    with Bench() as bench:
        probe = bench.build(LocalFile, path=str(path)).probe("Endpoint")
        probe.send("set", b"new")
        bench.crank.wait(lambda: bool(bench.problems))
        assert "cannot be written" in bench.problems.pop().what


def test_what_is_too_large_to_be_a_value_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGEST", 3)
    path = tmp_path / "a.txt"
    path.write_bytes(b"four")
    with Bench() as bench:
        probe = bench.build(LocalFile, path=str(path)).probe("Endpoint")
        bench.crank.wait(lambda: bool(bench.problems))
        assert "more than 3 bytes" in bench.problems.pop().what
        assert probe.heard == [("connect",)]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(FileError, match="it is a pipe or a device"):
        read(path)
    with pytest.raises(FileError, match="it is a pipe or a device"):
        read(Path("/dev/zero"))


def test_a_link_stays_a_link_and_the_file_keeps_who_may_read_it(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
