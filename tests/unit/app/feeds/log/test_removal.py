"""`liven feeds remove`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.segment.writer import LogWriter

Run = Callable[..., int]
Out = pytest.CaptureFixture[str]


def test_a_removed_feed_is_no_longer_listed_and_comes_back(run: Run, log: Path, capsys: Out) -> None:
    before = {one.name: one.read_bytes() for one in log.iterdir() if one.name != "lock"}
    assert run("remove", "airspace", "--yes") == 0
    out = capsys.readouterr().out
    assert out.startswith("airspace: 100 records, ") and "--undo airspace" in out
    assert run("ls") == 0
    assert "no feeds" in capsys.readouterr().out
    assert run("info", "airspace") == 2
    capsys.readouterr()
    assert run("remove", "--undo", "airspace") == 0
    assert {one.name: one.read_bytes() for one in log.iterdir() if one.name != "lock"} == before
    assert run("verify", "airspace") == 0


def test_without_a_terminal_nothing_is_removed_unasked(run: Run, log: Path, capsys: Out) -> None:
    assert run("remove", "airspace") == 1
    said = capsys.readouterr().err
    assert (
        "airspace: 100 records, " in said
        and "Move it to the trash? Nobody can be asked here; add --yes" in said
    )
    assert log.is_dir()


def test_a_feed_that_is_being_recorded_is_refused(run: Run, log: Path, capsys: Out) -> None:
    with LogWriter(log):
        assert run("remove", "airspace", "--yes") == 3
    assert "airspace is being recorded; stop that first" in capsys.readouterr().err
    assert log.is_dir()


def test_the_trash_is_emptied_for_good(run: Run, feeds: Path, log: Path, capsys: Out) -> None:
    assert run("remove", "airspace", "--yes") == 0
    capsys.readouterr()
    assert run("remove", "--empty") == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("airspace, removed ") and "Delete it for good?" in shown.err
    assert run("remove", "--empty", "--yes") == 0
    assert not list((feeds / ".trash").iterdir())
    capsys.readouterr()
    assert run("remove", "--empty") == 0
    assert capsys.readouterr().out == "the trash is empty\n"
    assert run("remove", "--undo", "airspace") == 2


def test_a_feed_does_not_come_back_over_another_one(run: Run, log: Path, capsys: Out) -> None:
    assert run("remove", "airspace", "--yes") == 0
    log.mkdir(parents=True)
    assert run("remove", "--undo", "airspace") == 2
    assert "there is a feed of this name again" in capsys.readouterr().err


def test_the_feed_that_was_removed_last_comes_back_first(run: Run, log: Path) -> None:
    for text in ("first", "second"):
        log.mkdir(parents=True, exist_ok=True)
        (log.parent / "note.txt").write_text(text)
        (log.parent / "feed.json").write_text("{}")
        assert run("remove", "airspace", "--yes") == 0
    assert run("remove", "--undo", "airspace") == 0
    assert (log.parent / "note.txt").read_text() == "second"


def test_wrong_names_are_told(run: Run, log: Path, capsys: Out) -> None:
    assert run("remove") == 2
    assert run("remove", "airspce", "--yes") == 2
    assert "did you mean 'airspace'?" in capsys.readouterr().err
    assert run("remove", "airspace/ann", "--yes") == 2
    assert run("remove", "--empty", "airspace") == 2
    assert log.is_dir()
