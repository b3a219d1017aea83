"""The trust question in a program on a real screen: its position, and clicks that must not end the
program."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.driven_program import PATIENCE, DrivenProgram
from tests.gui.trust.sign_library import recipe

from liven.runtime.reference.xml import write

pytestmark = pytest.mark.slow

MISSING = [name for name in ("Xvfb", "xdotool", "openbox") if shutil.which(name) is None]
if MISSING:
    pytest.skip(
        f"{', '.join(MISSING)}: not on this machine; apt install xvfb xdotool openbox",
        allow_module_level=True,
    )

DRIVER = Path(__file__).with_name("window_driver.py")


class Program(DrivenProgram):
    """A program, under a window manager, whose first window needs new code."""

    def __init__(self, screen: Any, folder: Path) -> None:
        file = folder / "sign.liveobject"
        file.write_bytes(write(recipe(folder)))
        super().__init__([str(DRIVER), str(file)], screen.environment(folder / "home"))
        self.screen = screen

    def asked(self) -> list[int]:
        """Return the areas of the question and of its window."""
        return [int(edge) for edge in self.until("question", lambda answer: answer != "…").split()]

    def point(self, words: str) -> None:
        self.screen.hand("mousemove", *self.until(f"button {words}", lambda answer: answer != "…").split())


@pytest.fixture
def program(screen: Any, ends: Callable[[subprocess.Popen[Any]], None], tmp_path: Path) -> Program:
    manager = subprocess.Popen(
        ["openbox", "--sm-disable"],
        env={**os.environ, "DISPLAY": screen.display},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ends(manager)
    made = Program(screen, tmp_path)
    ends(made.process)
    return made


def test_the_question_opens_above_the_window_that_needs_the_code(program: Program) -> None:
    left, top, right, bottom, *window = program.asked()
    assert window[0] <= left < right <= window[2]
    assert window[1] <= top < bottom <= window[3]


def test_run_it_closes_the_question_and_shows_the_object(program: Program) -> None:
    """Closing the dialog, the last window above, must not end the program."""
    program.asked()
    program.point("Run it")
    program.screen.hand("click", "1")
    program.until("front", lambda answer: answer not in ("LoadingPage", "StoppedPage"))
    program.do("close")
    assert program.process.wait(PATIENCE) == 0


def test_the_second_click_of_a_double_click_does_not_reach_the_window_below(program: Program) -> None:
    """The Cancel button is below. Its click would close the window and end the program."""
    program.asked()
    x, y = map(int, program.ask("button Cancel").split())
    here_x, here_y = map(int, program.until("button Run it", lambda answer: answer != "…").split())
    program.do(f"move {x - here_x} {y - here_y}")
    program.until("button Run it", lambda answer: answer == f"{x} {y}")
    program.point("Run it")
    program.screen.hand("click", "--repeat", "2", "--delay", "120", "1")
    program.until("front", lambda answer: answer not in ("LoadingPage", "StoppedPage"))
    assert program.process.poll() is None


def test_do_not_run_leaves_the_window_open_with_the_reason(program: Program) -> None:
    program.asked()
    program.point("Do not run")
    program.screen.hand("click", "1")
    program.until("front", lambda answer: answer not in ("LoadingPage", "NoneType"))
    assert program.process.poll() is None
