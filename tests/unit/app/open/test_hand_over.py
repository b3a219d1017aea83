"""Handing files over: the messages, and the modules that it loads."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.app.instance.client import NAME
from liven.app.open.hand_over import hand_over
from liven.runtime.user_folders import UserFolders

HEAVY = ("PySide6", "shiboken6", "lxml", "numpy", "pyqtgraph", "pyspark", "pycrdt", "asyncio", "argparse")


class Program:
    """A running program that records and answers each request."""

    def __init__(self, runtime: Path, answer: object) -> None:
        runtime.mkdir(parents=True)
        self.asked: list[Any] = []
        self._answer = json.dumps(answer).encode() + b"\n"
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(runtime / NAME))
        self._door.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._door.accept()
            except OSError:
                return
            with caller, caller.makefile("rb") as lines:
                self.asked.append(json.loads(lines.readline()))
                caller.sendall(self._answer)

    def close(self) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self._thread.join(60)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    made = Program(UserFolders.below(home).runtime, {"ok": True, "problems": ["b is broken"]})
    yield made
    made.close()


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.liveobject"
    path.write_text("<Root/>")
    return path


def test_files_are_handed_over_with_absolute_paths(
    program: Program, note: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(note.parent)
    assert hand_over(["note.liveobject", note.as_uri(), f"liven://{note}"]) == 1
    assert program.asked == [{"open": [str(note), str(note), f"liven://{note}"], "tell": True}]
    assert capsys.readouterr().err == "liven open: b is broken\n"


def test_unreadable_files_are_reported_and_the_others_handed_over(
    program: Program, note: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = note.with_name("missing")
    assert hand_over([str(missing), str(note)]) == 2
    assert program.asked == [{"open": [str(note)], "tell": True}]
    assert f"{missing}: No such file or directory" in capsys.readouterr().err


def test_for_an_icon_the_running_program_reports_errors(program: Program, note: Path) -> None:
    missing = note.with_name("missing")
    hand_over(["--from-icon", str(missing)])
    assert program.asked == [{"open": [str(missing)], "tell": False}]


def test_without_files_the_home_desktop_is_requested(program: Program) -> None:
    hand_over([])
    assert program.asked == [{"open": [], "tell": True}]


@pytest.mark.parametrize("words", [["--new-process", "x"], ["--help"], ["x", "--cluster", "2"], ["--"]])
def test_other_options_are_left_to_the_full_command(program: Program, words: list[str]) -> None:
    assert hand_over(words) is None
    assert program.asked == []


def test_without_a_running_program_nothing_is_printed(
    home: Path, note: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hand_over([str(note), str(home / "missing")]) is None
    assert hand_over([str(home / "missing")]) is None
    said = capsys.readouterr()
    assert said.out + said.err == ""


def test_a_program_that_does_not_answer_is_reported(
    home: Path, note: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("liven.app.open.hand_over.send_files.__defaults__", (0.05,))
    runtime = UserFolders.below(home).runtime
    runtime.mkdir()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(runtime / NAME))
        door.listen()
        assert hand_over([str(note)]) == 3
        assert "does not answer" in capsys.readouterr().err
        said: list[str] = []
        monkeypatch.setattr("liven.app.qt_application.report_start_failure", said.append)
        assert hand_over(["--from-icon", str(note)]) == 3
        assert "does not answer" in said[0]


def test_handing_over_loads_neither_qt_nor_xml_nor_the_argument_parser(
    program: Program, home: Path, note: Path
) -> None:
    """Run in a separate process, as from a terminal."""
    code = "import sys\nfrom liven.app.main import main\nmain(['open', sys.argv[1]])\nprint(*sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", code, str(note)],
        env={**os.environ, "LIVEN_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(program.asked) == 1
    loaded = answer.stdout.split()
    assert [name for name in loaded if name.partition(".")[0] in HEAVY] == []
    ours = sorted(name for name in loaded if name.startswith("liven.app."))
    assert ours == [
        "liven.app.backup",
        "liven.app.instance",
        "liven.app.instance.client",
        "liven.app.instance.peer_user",
        "liven.app.main",
        "liven.app.open",
        "liven.app.open.hand_over",
        "liven.app.opening",
        "liven.app.opening.link_url",
    ]
