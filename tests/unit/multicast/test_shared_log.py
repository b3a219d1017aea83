"""A log that several processes write: every line is whole, none is lost, and no file is too long."""

from __future__ import annotations

import json
import logging
import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from liven.multicast.errors import MulticastError
from liven.multicast.shared_log import JsonLines, SharedLog, write_log

_PIECE = 20_000


def log(path: Path, size_most: int = _PIECE) -> SharedLog:
    handler = SharedLog(path, size_most)
    handler.setFormatter(JsonLines())
    return handler


def write(handler: SharedLog, words: str) -> None:
    handler.handle(logging.LogRecord("liven.multicast", logging.INFO, "", 0, words, None, None))


def pieces(path: Path) -> list[Path]:
    """Return the contents of the log files, the oldest first."""
    return sorted(path.parent.glob(f"{path.name}*"), key=lambda piece: piece.name, reverse=True)


def words_in(path: Path) -> list[str]:
    return [json.loads(line)["words"] for piece in pieces(path) for line in piece.read_text().splitlines()]


def test_a_long_log_is_rotated_and_the_oldest_file_removed(tmp_path: Path) -> None:
    path = tmp_path / "log"
    handler = log(path, 1000)
    for number in range(60):
        write(handler, f"{number:03}")
    handler.close()
    assert [piece.name for piece in pieces(path)] == ["log.3", "log.2", "log.1", "log"]
    assert all(piece.stat().st_size <= 1000 for piece in pieces(path))
    kept = words_in(path)
    assert kept == [f"{number:03}" for number in range(60 - len(kept), 60)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_writer_follows_a_rotation_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "log"
    one, other = log(path, 1000), log(path, 1000)
    for number in range(9):
        write(one, f"one {number}")
    assert (tmp_path / "log.1").exists()
    write(other, "other")
    assert words_in(path)[-1] == "other"
    assert json.loads(path.read_text().splitlines()[-1])["words"] == "other"
    one.close()
    other.close()


def test_a_removed_log_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    handler = log(path)
    write(handler, "before")
    path.unlink()
    write(handler, "after")
    handler.close()
    assert words_in(path) == ["after"]


def test_lines_of_several_processes_are_whole_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "log"
    children = []
    for mark in range(4):
        child = os.fork()
        if child == 0:
            handler = log(path)
            for number in range(100):
                write(handler, f"{mark} {number:03} " + "x" * (number % 50))
            handler.close()
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    seen = [line.split()[:2] for line in words_in(path)]
    for mark in range(4):
        mine = [int(number) for name, number in seen if name == str(mark)]
        assert mine == list(range(100 - len(mine), 100))
    assert len(seen) == 400
    assert all(piece.stat().st_size <= _PIECE for piece in pieces(path))


def test_a_full_disk_is_reported_once_and_stops_no_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    handler = log(path)
    with monkeypatch.context() as patched:
        patched.setattr("liven.multicast.shared_log.os.write", full)
        write(handler, "one")
        write(handler, "two")
    assert capsys.readouterr().err == (
        f"liven: the log {path} cannot be written: No space left on device; nothing is logged\n"
    )
    write(handler, "three")
    assert words_in(path) == ["three"]
    handler.close()


def test_a_full_disk_with_a_closed_terminal_stops_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> int:
        raise OSError(5, "Input/output error")

    handler = log(tmp_path / "log")
    with monkeypatch.context() as patched:
        patched.setattr("liven.multicast.shared_log.os.write", refused)
        patched.setattr("liven.multicast.shared_log.sys.stderr", SimpleNamespace(write=refused))
        write(handler, "one")
    handler.close()


def test_a_log_that_cannot_be_written_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(MulticastError, match=r"the log .* cannot be written: Is a directory"):
        write_log(tmp_path)
