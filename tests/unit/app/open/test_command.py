"""The output of `liven open` in a terminal when no window opens."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from liven.app.instance.client import NAME
from liven.runtime.user_folders import UserFolders

_SEEN = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def typed(home: Path, *words: str, **environment: str) -> tuple[int, str]:
    """Return the exit code and the error output of `liven open`; it must not print anything else."""
    bare = {name: value for name, value in os.environ.items() if name not in _SEEN}
    answer = subprocess.run(
        [sys.executable, "-m", "liven.app.main", "open", *words],
        env={**bare, "LIVEN_HOME": str(home), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert answer.stdout == ""
    return answer.returncode, answer.stderr


def test_without_a_display_one_line_says_so(tmp_path: Path) -> None:
    why = "liven open: no display here → log in to a desktop, or set DISPLAY\n"
    assert typed(tmp_path) == (3, why)


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"DISPLAY": ":9876"}, "→"),
        ({"QT_QPA_PLATFORM": "nonsense"}, "unset QT_QPA_PLATFORM, or set it to xcb, wayland or offscreen"),
    ],
    ids=["a display that nobody serves", "a platform that there is not"],
)
def test_if_qt_cannot_start_one_line_says_why_without_an_abort(
    tmp_path: Path, environment: dict[str, str], why: str
) -> None:
    code, said = typed(tmp_path, **environment)
    assert code == 3
    assert said.startswith("liven: no window can open here: ")
    assert why in said
    assert said.count("\n") == 1


def test_a_missing_file_is_bad_use_and_reported_first(tmp_path: Path) -> None:
    missing = tmp_path / "missing.liveobject"
    assert typed(tmp_path, str(missing)) == (2, f"liven open: {missing}: No such file or directory\n")
    assert typed(tmp_path, str(tmp_path)) == (2, f"liven open: {tmp_path}: Is a directory\n")
    assert typed(tmp_path, f"liven://{missing}") == (2, f"liven open: {missing}: No such file or directory\n")
    code, said = typed(tmp_path, "liven:nonsense")
    assert (code, said.partition(":")[0]) == (2, "liven open")
    assert "liven:nonsense is not a link to an object" in said


def test_a_file_without_an_object_is_exit_code_one(tmp_path: Path) -> None:
    broken = tmp_path / "broken.liveobject"
    broken.write_text("<broken\n")
    code, said = typed(tmp_path, str(broken))
    assert code == 1
    assert said.startswith(f"liven open: {broken}: this file holds no object: line 2, column 1: ")
    assert said.count("\n") == 1


def test_each_bad_file_is_reported_and_the_worst_exit_code_counts(tmp_path: Path) -> None:
    empty = tmp_path / "empty.liveobject"
    empty.write_text("<Root/>")
    code, said = typed(tmp_path, str(tmp_path / "missing"), str(empty))
    assert code == 2
    assert said.splitlines() == [
        f"liven open: {tmp_path / 'missing'}: No such file or directory",
        f"liven open: {empty}: this file holds no object: its recipe is empty",
    ]


@pytest.mark.slow
def test_errors_are_printed_in_the_terminal_of_the_second_start(tmp_path: Path) -> None:
    """The program runs without a display, since it might open a window."""
    broken = tmp_path / "broken.liveobject"
    broken.write_text("<broken\n")
    bare = {name: value for name, value in os.environ.items() if name not in _SEEN}
    running = subprocess.Popen(
        [sys.executable, "-m", "liven.app.main", "open"],
        env={**bare, "LIVEN_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
    )
    try:
        door = UserFolders.below(tmp_path).runtime / NAME
        end = time.monotonic() + 60
        while not door.exists():
            assert running.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        assert typed(tmp_path) == (0, "")
        assert typed(tmp_path, str(tmp_path / "no"))[0] == 2
        code, said = typed(tmp_path, str(broken))
        assert code == 1
        assert said.startswith(f"liven open: {broken}: this file holds no object: line 2")
        assert typed(tmp_path, "--from-icon", str(broken)) == (0, "")
    finally:
        running.terminate()
        running.wait(60)


def test_files_to_be_dropped_instead_of_opened_are_reported_as_such(tmp_path: Path) -> None:
    letter, picture = tmp_path / "letter.log", tmp_path / "picture.data"
    letter.write_text("Dear Ann")
    picture.write_bytes(bytes.fromhex("ffd8ffe0") + bytes(40))
    photograph = tmp_path / "photograph.data"
    photograph.write_bytes(picture.read_bytes() + bytes(5 * 1024 * 1024))
    for path, what in ((photograph, "a picture"), (letter, "a text"), (picture, "a picture")):
        code, said = typed(tmp_path, str(path))
        assert code == 1
        assert said.rstrip().endswith(f"it is {what}, which you can drop on a desktop")
