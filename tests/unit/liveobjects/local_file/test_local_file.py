from __future__ import annotations

import os
from pathlib import Path

import pytest

from liven.liveobjects.local_file import object as module
from liven.liveobjects.local_file.object import LOOK_EVERY, FileError, LocalFile, read, write
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench


def test_a_local_file_reports_its_content_and_changes_by_others(tmp_path: Path) -> None:
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


def test_a_local_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with Bench() as bench:
        probe = bench.build(LocalFile, path=str(path)).probe("Endpoint")
        probe.send("set", b"new")
        bench.crank.wait(path.exists)
        bench.advance(LOOK_EVERY)
        bench.crank.wait(lambda: ("set", b"new") in probe.heard)
    assert list(tmp_path.iterdir()) == [path]


def test_reading_a_missing_file_fails_with_the_reason(tmp_path: Path) -> None:
    with Bench() as bench:
        probe = bench.build(LocalFile, path=str(tmp_path / "none")).probe("Endpoint")
        reply = probe.call("get")
        bench.crank.wait(lambda: reply.settled)
        with pytest.raises(CallFailedError, match="none cannot be read: No such file"):
            reply.value()


def test_a_full_disk_leaves_the_file_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_file_too_large_for_a_value_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 3)
    path = tmp_path / "a.txt"
    path.write_bytes(b"four")
    with Bench() as bench:
        probe = bench.build(LocalFile, path=str(path)).probe("Endpoint")
        bench.crank.wait(lambda: bool(bench.problems))
        assert "more than 3 bytes" in bench.problems.pop().what
        assert probe.heard == [("connect",)]


def test_reading_a_pipe_does_not_block(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(FileError, match="it is a pipe or a device"):
        read(path)
    with pytest.raises(FileError, match="the system makes it up"):
        read(Path("/dev/zero"))


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(FileError, match="it is a pipe or a device, not a file; it has not changed"):
        write(path, b"new")
    assert path.is_fifo()


def test_writing_keeps_symbolic_links_and_permissions(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
