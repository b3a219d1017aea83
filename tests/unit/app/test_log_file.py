"""The log file of the desktop program."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.app import log_file
from liven.app.log_file import KEPT, log_path, start_log
from liven.runtime.problems import Kind, Problem, Problems
from liven.runtime.user_folders import UserFolders


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    return UserFolders.below(tmp_path)


@pytest.fixture
def written(folders: UserFolders) -> Iterator[Path]:
    log = start_log(folders, 1)
    assert log is not None
    yield log_path(folders)
    log.end()


def test_a_problem_is_one_line_with_its_time_and_logger(written: Path) -> None:
    Problems().report(Problem(Kind.RAISED, ("note",), "it\nfailed"))
    first, *rest = written.read_text(encoding="utf-8").splitlines()
    assert first[:2] == "20" and " WARNING liven.problems: " in first
    assert all(line.startswith("    ") for line in rest)


def test_network_events_are_in_the_file_and_not_in_the_terminal(
    written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("liven.multicast").warning("a member left")
    logging.getLogger("liven.qt").warning("no such font")
    logging.getLogger("liven.qt").info("a platform")
    said = written.read_text(encoding="utf-8")
    assert "a member left" in said and "no such font" in said and "a platform" in said
    assert capsys.readouterr().err == "no such font\n"


def test_the_file_is_rotated_and_old_ones_are_deleted(
    folders: UserFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_file, "LARGEST", 2000)
    log = start_log(folders, 2)
    assert log is not None
    for number in range(500):
        logging.getLogger("liven.qt").info("line %d", number)
    log.end()
    files = sorted(log_path(folders, 2).parent.iterdir())
    assert [file.name for file in files] == [
        "desktop-2.log",
        *(f"desktop-2.log.{n + 1}" for n in range(KEPT)),
    ]
    assert all(file.stat().st_size <= 2000 for file in files)
    assert "line 499" in files[0].read_text(encoding="utf-8")


def test_nothing_is_written_after_the_end(folders: UserFolders) -> None:
    log = start_log(folders, 1)
    assert log is not None
    log.end()
    logging.getLogger("liven.qt").error("too late")
    assert log_path(folders).read_text(encoding="utf-8") == ""
    assert log not in logging.getLogger("liven").handlers


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in the way")
    assert start_log(UserFolders.below(tmp_path), 1) is None


def test_a_disk_that_fills_up_stops_nothing(
    written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(log_file._LogFile, "shouldRollover", full)
    logging.getLogger("liven.qt").info("lost")
    assert "no space left" not in capsys.readouterr().err


def test_a_disk_that_stays_full_lets_the_program_end(folders: UserFolders) -> None:
    log = fill_disk(folders)
    logging.getLogger("liven.qt").info("lost")
    log.end()
    assert log not in logging.getLogger("liven").handlers


def test_the_log_goes_on_after_a_rotation_on_a_full_disk(
    folders: UserFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = fill_disk(folders)
    monkeypatch.setattr(log, "maxBytes", 100)
    logging.getLogger("liven.qt").info("lost")
    with monkeypatch.context() as patch:
        patch.setattr(log, "shouldRollover", lambda _: True)
        logging.getLogger("liven.qt").info("lost, too")
    logging.getLogger("liven.qt").info("there is space again")
    log.end()
    assert "there is space again" in log_path(folders).read_text(encoding="utf-8")


def fill_disk(folders: UserFolders) -> log_file._LogFile:
    """Start a log whose open file takes nothing more."""
    log = start_log(folders, 1)
    assert log is not None and log.stream is not None
    log.stream.close()
    log.stream = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 (the log closes it)
    return log
