"""A whole story with a screen reader alone: every thing is found by its role and name on the accessibility
bus, and everything is done by its actions and by keys.

The test looks at nothing else: a thing that is not on the bus, or has no name, does not exist for people
who cannot see.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.accessibility_bus import (
    AccessibilityBus,
    Element,
    GoneError,
    screen_reader_environment,
    wait_for,
)
from tests.e2e.driven_program import PATIENCE

pytestmark = pytest.mark.slow

PACKAGES = {"Xvfb": "xvfb", "openbox": "openbox", "dbus-daemon": "dbus-daemon"}
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
MISSING = [package for name, package in PACKAGES.items() if shutil.which(name) is None]
if not any(Path(one).exists() for one in LAUNCHERS):
    MISSING.append("at-spi2-core")
if MISSING:
    pytest.skip(
        f"not on this machine: {' and '.join(MISSING)}; apt install {' '.join(MISSING)}",
        allow_module_level=True,
    )
NAMELESS = ("filler", "panel", "label", "scroll pane", "viewport", "separator", "application")
"""Roles of things that need no name: what is around others, and what is its own text."""


class Reader:
    """A person with a screen reader."""

    def __init__(self, bus: AccessibilityBus) -> None:
        self.bus = bus

    def find(self, role: str, name: str, window: str = "") -> Element:
        """Find a thing by its role and the beginning of its name, in the windows with these words in the
        title."""
        return wait_for(lambda: self._seen(role, name, window), lambda: f"no {role} {name!r}: {self.all()}")

    def has(self, role: str, name: str, window: str = "") -> bool:
        try:
            return self._seen(role, name, window) is not None
        except GoneError:
            return False

    def press(self, keys: str) -> None:
        self.bus.press(keys)

    def hear(self, words: str) -> str:
        """Wait for an announcement with these words, and return it."""
        heard: list[str] = []

        def told() -> str:
            heard.extend(self.bus.announced())
            return next((one for one in heard if words in one), "")

        return wait_for(told, lambda: f"{words!r} was not announced, but {heard}")

    def go_to(self, words: str) -> str:
        """Go from thing to thing with Tab until one of this name is announced, and return all of them."""
        said = ""
        for _ in range(20):
            self.bus.announced()
            self.press("Tab")
            said = self.hear("")
            if f": {words}" in said:
                return said
        raise AssertionError(f"{words!r} was not reached; the last thing is {said!r}")

    def focused(self, role: str, name: str = "") -> Element:
        """Wait until a thing of this role has the focus."""

        def held() -> Element | None:
            one = self._seen(role, name, "")
            return one if one is not None and "focused" in one.states else None

        return wait_for(held, lambda: f"{role} {name!r} has not the focus: {self.all()}")

    def windows(self) -> list[str]:
        return [one.name for program in self.bus.programs() for one in program.children]

    def all(self) -> list[str]:
        """Return everything that can be reached, for the message of a failure."""
        try:
            return [one.told() for program in self.bus.programs() for one in program.below()]
        except GoneError as gone:
            return [str(gone)]

    def unnamed(self) -> list[str]:
        """Return what can be reached, but has no name."""
        every = [one for program in self.bus.programs() for one in program.below()]
        return [one.told() for one in every if one.role not in NAMELESS and not one.name.strip()]

    def _seen(self, role: str, name: str, window: str) -> Element | None:
        for program in self.bus.programs():
            for top in program.children:
                if window in top.name:
                    for one in (top, *top.below()):
                        if one.role == role and one.name.startswith(name):
                            return one
        return None


@pytest.fixture
def reader(
    screen: Any, ends: Callable[[subprocess.Popen[Any]], None], tmp_path: Path
) -> Iterator[tuple[Reader, subprocess.Popen[Any]]]:
    """Start the program without a file, with a screen reader on its screen."""
    with tempfile.TemporaryDirectory(prefix="liven-bus-") as short:  # the path of a socket is short
        bus = AccessibilityBus(screen.display, Path(short))
        nothing = subprocess.DEVNULL
        environment = screen_reader_environment(bus, tmp_path / "home")
        manager = ["openbox", "--sm-disable"]
        ends(subprocess.Popen(manager, env={**os.environ, **bus.environment}, stdout=nothing, stderr=nothing))
        program = subprocess.Popen([sys.executable, "-m", "liven.app.main"], env=environment)
        ends(program)
        try:
            yield Reader(bus), program
        finally:
            bus.close()


def test_a_board_is_begun_written_voted_on_shared_and_closed_by_a_screen_reader(
    reader: tuple[Reader, subprocess.Popen[Any]],
) -> None:
    hands, program = reader
    begin_a_board(hands)
    write_a_note(hands)
    ask_and_answer(hands)
    count(hands)
    share(hands)
    hands.press("Control+w")
    wait_for(lambda: not any(one.startswith("Team board") for one in hands.windows()))
    hands.find("push button", "Team board", "Boards")
    hands.press("Control+q")
    assert program.wait(PATIENCE) == 0


def begin_a_board(hands: Reader) -> None:
    """Begin one with a pattern from the gallery, and read what is on it."""
    hands.find("push button", "New: Team board", "Boards").act("Press")
    hands.focused("filler", "Desktop")
    assert not hands.unnamed()
    assert "Programme. Programme 10:00 first thing" in hands.go_to("Programme")
    assert "Connected to Which one?" in hands.find("filler", "Desktop", "Team board").description


def write_a_note(hands: Reader) -> None:
    """Take the tool, put a note in the middle, write, and hear it."""
    hands.find("check box", "Note", "Team board").act("Toggle")
    hands.find("filler", "Desktop", "Team board").take_focus()
    hands.press("Return")
    page = hands.focused("text", "Note")
    hands.bus.type("Bring the lamp")
    wait_for(lambda: page.text == "Bring the lamp")
    hands.press("Escape")
    desktop = hands.focused("filler", "Desktop")
    wait_for(lambda: "Bring the lamp" in desktop.description, lambda: desktop.description)


def ask_and_answer(hands: Reader) -> None:
    """Ask in the vote, answer, and hear the count; then change one's mind."""
    assert "No question yet." in hands.go_to("Which one?")
    hands.press("Return")
    hands.focused("text", "The question")
    hands.bus.type("Which boat?")
    hands.press("Return")
    field = hands.focused("text", "Another answer")
    for answer in ("Sea star", "Two small ones"):
        hands.bus.type(answer)
        hands.press("Return")
        hands.find("check box", f"{answer}: 0")
        wait_for(lambda: not field.text)
    hands.press("Escape")
    hands.focused("filler", "Desktop")
    hands.find("radio button", "Two small ones: 0").act("Toggle")
    hands.hear("Two small ones: 1, your answer.")
    hands.find("radio button", "Sea star: 0").act("Toggle")
    hands.hear("Sea star: 1, your answer. Two small ones: 0.")
    chosen = hands.find("radio button", "Sea star: 1")
    wait_for(lambda: "checked" in chosen.states)


def count(hands: Reader) -> None:
    """Count from the desktop, and inside."""
    assert hands.go_to("Volunteers").endswith("Volunteers. 0.")
    hands.find("push button", "Add 1").act("Press")
    hands.hear("1")
    hands.press("Return")
    hands.focused("push button", "Add 1")
    hands.press(" ")
    hands.hear("2")
    hands.find("label", "2")
    hands.press("Escape")
    hands.focused("filler", "Desktop")


def share(hands: Reader) -> None:
    """Open what shares the board, read it, and copy the link."""
    hands.find("push button", "Share", "Team board").act("Press")
    link = hands.focused("push button", "Copy the link")
    assert "edits the same object with you at once" in link.description
    assert not hands.unnamed()
    hands.press("Return")
    hands.hear("Link copied.")
    wait_for(lambda: not hands.has("push button", "Copy the link"))
