"""A mark counts as a crash only if its program ended without removing it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from liven.app.program.opening_marks import MOST, OpeningMarks

_CRASH = """
import os, sys
from pathlib import Path
from liven.app.program.opening_marks import OpeningMarks
OpeningMarks(Path(sys.argv[1])).begin("desk")
os._exit(9)
"""


def crash(folder: Path) -> None:
    assert subprocess.run([sys.executable, "-c", _CRASH, str(folder)], check=False).returncode == 9


def test_crashes_in_a_row_are_counted(tmp_path: Path) -> None:
    crash(tmp_path)
    crash(tmp_path)
    marks = OpeningMarks(tmp_path)
    assert marks.begin("desk") == 2
    assert marks.begin("other") == 0


def test_an_object_that_lived_has_no_crashes_any_more(tmp_path: Path) -> None:
    crash(tmp_path)
    marks = OpeningMarks(tmp_path)
    assert marks.begin("desk") == 1
    marks.lived("desk")
    assert OpeningMarks(tmp_path).begin("desk") == 0


def test_an_orderly_end_neither_adds_a_crash_nor_takes_one_away(tmp_path: Path) -> None:
    crash(tmp_path)
    marks = OpeningMarks(tmp_path)
    marks.begin("desk")
    marks.close()
    assert OpeningMarks(tmp_path).begin("desk") == 1


def test_a_program_that_still_opens_the_same_object_has_not_crashed(tmp_path: Path) -> None:
    first = OpeningMarks(tmp_path)
    first.begin("desk")
    assert OpeningMarks(tmp_path).begin("desk") == 0


def test_opening_normally_forgets_the_crashes(tmp_path: Path) -> None:
    crash(tmp_path)
    marks = OpeningMarks(tmp_path)
    marks.forget("desk")
    assert marks.begin("desk") == 0


def test_the_number_of_marks_is_bounded(tmp_path: Path) -> None:
    for number in range(MOST + 5):
        (tmp_path / f"{number}-left").touch()
    OpeningMarks(tmp_path).begin("desk")
    assert len(list(tmp_path.iterdir())) <= MOST


def test_a_folder_that_cannot_be_written_prevents_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert OpeningMarks(tmp_path / "file" / "marks").begin("desk") == 0


def test_a_pipe_among_the_marks_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "desk-x")
    OpeningMarks(tmp_path).begin("desk")
