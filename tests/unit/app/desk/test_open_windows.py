from __future__ import annotations

import os
from pathlib import Path

import pytest

from liven.app.desk.open_windows import OpenWindow, OpenWindows, left_behind

NOTE = OpenWindow("note", "<Root/>", (1, 2, 300, 400))


def crashed(folder: Path, *windows: OpenWindow) -> None:
    """What a program leaves that was killed: the file, and a lock that nobody has."""
    program = OpenWindows(folder)
    program.write(windows)
    assert program._lock is not None
    os.close(program._lock)


def test_what_a_crashed_program_had_open_is_told_once(tmp_path: Path) -> None:
    crashed(tmp_path, NOTE)
    assert left_behind(tmp_path) == [NOTE]
    assert left_behind(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_runs_has_left_nothing_behind(tmp_path: Path) -> None:
    program = OpenWindows(tmp_path)
    program.write([NOTE])
    assert left_behind(tmp_path) == []
    program.close()
    assert list(tmp_path.iterdir()) == []


def test_the_last_word_counts(tmp_path: Path) -> None:
    program = OpenWindows(tmp_path)
    program.write([NOTE])
    program.write([])
    assert program._lock is not None
    os.close(program._lock)
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    "text",
    ["", "[", "{}", '[{"name": "x"}]', '[{"name": 1, "recipe": 2, "area": "abcd"}]', "[1]", "\x00\xff"],
)
def test_a_file_that_is_none_is_dropped(tmp_path: Path, text: str) -> None:
    (tmp_path / "1.json").write_text(text, encoding="utf-8")
    crashed(tmp_path, NOTE)
    assert left_behind(tmp_path) == [NOTE]
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    program = OpenWindows(tmp_path / "file" / "windows")
    program.write([NOTE])
    program.close()
    assert left_behind(tmp_path / "file" / "windows") == []
