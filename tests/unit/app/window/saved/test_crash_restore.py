from __future__ import annotations

import os
from pathlib import Path

import pytest

from liven.app.window.saved.crash_restore import CrashedWindows, OpenWindow, OpenWindows

NOTE = OpenWindow("note", "<Root/>", (1, 2, 300, 400))


def crashed(folder: Path, *windows: OpenWindow) -> None:
    """Simulate a killed program: its file exists, and nobody holds its lock."""
    program = OpenWindows(folder)
    program.write(windows)
    assert program._lock is not None
    os.close(program._lock)


def left_behind(folder: Path) -> list[OpenWindow]:
    """Return the offered windows and drop them."""
    left = CrashedWindows(folder)
    left.drop()
    return left.windows


def test_windows_of_a_crashed_program_are_offered_until_decided(tmp_path: Path) -> None:
    crashed(tmp_path, NOTE)
    told = CrashedWindows(tmp_path)
    assert told.windows == [NOTE]
    assert CrashedWindows(tmp_path).windows == []  # another program, meanwhile
    told.close()  # as when this one crashes, too
    assert left_behind(tmp_path) == [NOTE]
    assert left_behind(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_impossible_positions_and_texts_are_corrected(tmp_path: Path) -> None:
    crashed(tmp_path, OpenWindow("x", "<a\udc80/>", (10**30, -(10**30), 5, 5)))
    [found] = left_behind(tmp_path)
    assert found.area == (100_000, -100_000, 5, 5)
    assert found.recipe.encode() == b"<a?/>"


def test_windows_of_a_running_program_are_not_offered(tmp_path: Path) -> None:
    program = OpenWindows(tmp_path)
    program.write([NOTE])
    assert left_behind(tmp_path) == []
    program.close()
    assert list(tmp_path.iterdir()) == []


def test_the_last_written_list_counts(tmp_path: Path) -> None:
    program = OpenWindows(tmp_path)
    program.write([NOTE])
    program.write([])
    assert program._lock is not None
    os.close(program._lock)
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        "[",
        "{}",
        '[{"name": "x"}]',
        '[{"name": 1, "recipe": 2, "area": "abcd"}]',
        "[1]",
        "\x00\xff",
    ],
)
def test_an_invalid_file_is_dropped(tmp_path: Path, text: str) -> None:
    (tmp_path / "1.json").write_text(text, encoding="utf-8")
    crashed(tmp_path, NOTE)
    assert left_behind(tmp_path) == [NOTE]
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_folder_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    program = OpenWindows(tmp_path / "file" / "windows")
    program.write([NOTE])
    program.close()
    assert left_behind(tmp_path / "file" / "windows") == []
