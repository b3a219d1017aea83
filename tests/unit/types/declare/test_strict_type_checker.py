"""Authors' modules pass the strict type checker, and their mistakes do not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

AUTHORS = Path(__file__).resolve().parent.parent / "authors"
pytestmark = pytest.mark.slow


def checked(file: Path, cache: Path, root: Path) -> str:
    """Return the output of mypy --strict for the file, run without any configuration."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            f"--cache-dir={cache}",
            "--no-error-summary",
            "--no-site-packages",
            str(file),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={"MYPYPATH": f"{root / 'types'}", "PATH": ""},
        cwd=file.parent,
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["wall", "stranger"])
def test_an_authors_module_is_clean_as_it_stands(name: str, tmp_path: Path, root: Path) -> None:
    assert checked(AUTHORS / f"{name}.py", tmp_path / "cache", root) == ""


WRONG = """
from __future__ import annotations
from typing import Protocol
from liven.types.declare import Dual, Exports, Imports, interface, object_type, proxy, value

@value
class Note:
    text: str
    x: float = 0.0

@interface
class Sender(Protocol):
    def send(self, note: Note) -> None: ...

@object_type
class Room:
    door: Dual[Sender, Sender]

note = Note(3)                       # wrong type
note.text = "x"                      # frozen
Note("a", 1.0, 2.0)                  # too many
Room().door.peer.send("text")        # not a note
Room().door.peer.receive(note)       # no such event
"""


def test_a_checker_sees_the_mistakes_in_using_what_was_declared(tmp_path: Path, root: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG, encoding="utf-8")
    said = checked(file, tmp_path / "cache", root)
    for line, error in (
        (19, "arg-type"),
        (20, "misc"),
        (21, "call-arg"),
        (22, "arg-type"),
        (23, "attr-defined"),
    ):
        assert any(
            one.startswith(f"wrong.py:{line}:") and one.endswith(f"[{error}]") for one in said.splitlines()
        ), said
