"""A program is killed during typing: everything typed up to 0.1 seconds before survives.

The program itself records when it has handled each key, so a slow machine does not fail the test.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

NOTE = Path(__file__).parents[2] / "samples" / "desk" / "note.liveobject"
LOST = 0.1
"""Seconds of work that a crash may cost."""


def typed(path: Path) -> str:
    """Return the text typed until a given time before the last record."""
    lines = [line.split() for line in path.read_text().splitlines()]
    last = float(lines[-1][1])
    return "".join(letter for letter, at in lines if float(at) <= last - LOST)


def kill_while_typing(program: Any, path: Path, least: int) -> str:
    """Kill a program while it types; return the text that must survive."""
    program.do(f"stream {path}")
    until = time.monotonic() + program.patience
    while not path.exists() or len(path.read_text().splitlines()) < least:
        assert time.monotonic() < until, "it does not type"
        time.sleep(0.003)
    os.kill(program.process.pid, signal.SIGKILL)
    program.process.wait()
    expected = typed(path)
    assert expected
    return expected


def is_there(program: Any, expected: str) -> None:
    program.until("tell", lambda text: text.startswith(expected))


@pytest.mark.parametrize("least", [14, 30, 101, 160])
def test_text_typed_alone_survives_a_kill(open_window: Any, tmp_path: Path, least: int) -> None:
    expected = kill_while_typing(open_window(NOTE), tmp_path / "typed", least)
    again = open_window(NOTE)
    is_there(again, expected)
    assert again.close() == 0


def test_text_typed_together_survives_a_kill_and_reaches_the_other(open_window: Any, tmp_path: Path) -> None:
    ann, bob = open_window(NOTE), open_window(NOTE)
    expected = kill_while_typing(ann, tmp_path / "typed", 60)
    again = open_window(NOTE)
    is_there(again, expected)
    is_there(bob, expected)
    assert (again.close(), bob.close()) == (0, 0)


@pytest.mark.parametrize("first", [0, 1], ids=["who-came-first", "who-came-last"])
def test_text_that_could_not_be_sent_survives_a_kill(open_window: Any, tmp_path: Path, first: int) -> None:
    """The other program is stopped, so nothing that is typed gets confirmed."""
    windows = [open_window(NOTE, LIVEN_SUSPICION="600") for _ in range(2)]
    bob, ann = windows[first], windows[1 - first]
    bob.do("type 1")
    ann.until("tell", "1")
    bob.process.send_signal(signal.SIGSTOP)
    expected = kill_while_typing(ann, tmp_path / "typed", 60)
    bob.process.send_signal(signal.SIGCONT)
    again = open_window(NOTE, LIVEN_SUSPICION="600")
    for program in (again, bob):
        program.until("tell", lambda text: expected in text)
    assert (again.close(), bob.close()) == (0, 0)
