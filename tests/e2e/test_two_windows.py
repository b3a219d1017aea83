"""Two programs with a window each on one object, over the real engine; then both go, and one comes back."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PATIENCE = 40.0


class Window:
    """One program."""

    def __init__(self, home: Path, file: Path) -> None:
        environment = {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, str(Path(__file__).with_name("window_driver.py")), str(file)]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def shown(self) -> str:
        assert self.process.stdout is not None
        self.tell("tell")
        return self.process.stdout.readline().rstrip("\n")

    def wait_for(self, text: str) -> None:
        """Asks until the window shows `text`; a window that never does says what it shows instead."""
        until = time.monotonic() + PATIENCE
        while (now := self.shown()) != text:
            assert time.monotonic() < until, f"it shows {now!r} and not {text!r}"
            time.sleep(0.1)

    def close(self) -> int:
        self.tell("close")
        return self.process.wait(PATIENCE)


@pytest.fixture
def open_window(tmp_path: Path) -> Iterator[Callable[[Path], Window]]:
    opened: list[Window] = []

    def make(file: Path) -> Window:
        opened.append(Window(tmp_path, file))
        return opened[-1]

    yield make
    for window in opened:
        if window.process.poll() is None:
            window.process.kill()
        window.process.wait(PATIENCE)
        for pipe in (window.process.stdin, window.process.stdout):
            assert pipe is not None
            pipe.close()


def test_two_write_in_one_note_one_is_killed_and_it_is_there_again_later(
    open_window: Callable[[Path], Window],
) -> None:
    note = ROOT / "samples" / "desk" / "note.liveobject"
    ann, bob = open_window(note), open_window(note)
    ann.wait_for("")
    bob.wait_for("")
    ann.tell("type milk")
    bob.wait_for("milk")
    ann.process.kill()
    bob.tell("type more ")
    bob.wait_for("more milk")
    assert bob.close() == 0
    again = open_window(note)
    again.wait_for("more milk")
    assert again.close() == 0


def test_what_one_lays_on_a_desktop_lies_on_the_others(open_window: Callable[[Path], Window]) -> None:
    desktop = ROOT / "samples" / "desk" / "desktop.liveobject"
    ann, bob = open_window(desktop), open_window(desktop)
    ann.wait_for("")
    bob.wait_for("")
    ann.tell("lay list")
    bob.wait_for("list")
    bob.tell("lay plan")
    ann.wait_for("list,plan")
    assert (ann.close(), bob.close()) == (0, 0)
