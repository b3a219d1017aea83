"""`liven open`, as it is typed: what is said in the terminal where no window opens."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_SEEN = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def typed(home: Path, *words: str, **environment: str) -> tuple[int, str]:
    """The exit code and the complaint of `liven open`, by itself; it must not print anything else."""
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


def test_without_a_display_one_line_says_what_is_missing(tmp_path: Path) -> None:
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
def test_where_qt_cannot_start_one_line_says_why_and_nothing_aborts(
    tmp_path: Path, environment: dict[str, str], why: str
) -> None:
    code, said = typed(tmp_path, **environment)
    assert code == 3
    assert said.startswith("liven: no window can open here: ")
    assert why in said
    assert said.count("\n") == 1
