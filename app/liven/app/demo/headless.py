"""The demo without a display: two programs on one desktop in a temporary home, driven like users, and a
picture of both."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from liven.app.demo.sample_picture import paint_lake
from liven.app.welcome_desktop.content import NOTES
from liven.app.welcome_desktop.location import home_desktop
from liven.runtime.files import document_mode
from liven.runtime.user_folders import UserFolders

_PATIENCE = 60.0
"""Time limit in seconds for one step."""
_LOOK_AGAIN = 0.1
_GAP = 8
ALONE = {"LIVEN_MOTION": "reduced"}
"""No caret blinks in the picture."""
LAKE = "lake"
WRITE = NOTES[0].title


class DemoError(RuntimeError):
    """Raised when a step of the demo fails."""


class UnsavedError(DemoError):
    """Raised when the picture cannot be saved."""


class DrivenProgram:
    """One of the two programs, with the pipes to and from it."""

    command: tuple[str, ...] = ("-m", "liven.app.demo.scripted_user")

    def __init__(self, name: str, file: Path, home: Path, environment: Mapping[str, str] = ALONE) -> None:
        self.name = name
        environment = {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **environment}
        self._process = subprocess.Popen(
            [sys.executable, "-P", *self.command, str(file)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._said: Queue[str] = Queue()
        self._ear = Thread(target=self._hear, name=f"the {name} program", daemon=True)
        self._ear.start()

    def tell(self, line: str) -> None:
        """Send a command."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise DemoError(f"the {self.name} program ended too early") from None

    def ask(self, line: str) -> str:
        """Send a command and return the answer."""
        self.tell(line)
        try:
            return self._said.get(timeout=_PATIENCE)
        except Empty:
            raise DemoError(
                f"the {self.name} program did not answer “{line}” within {_PATIENCE:.0f} s"
            ) from None

    def close(self) -> int:
        """Close the program's windows and return its exit code."""
        try:
            self.tell("close")
            return self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            raise DemoError(f"the {self.name} program did not end") from None

    def kill(self) -> None:
        """Kill the program."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._ear.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _hear(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.put(line.rstrip("\n"))


def run_headless(target: Path, prepare: Callable[[Path], object] = lambda _: None) -> Path:
    """Open both programs, write in one, read in the other, close both, open one again, and save a picture.

    `prepare` is called with their temporary home before they start.
    """
    check_writable(target)
    with tempfile.TemporaryDirectory(prefix="liven-demo-") as folder:
        home = Path(folder)
        prepare(home)
        paint_lake(home / f"{LAKE}.png")
        file = home_desktop(UserFolders.below(home))
        guests: list[DrivenProgram] = []

        def come(name: str) -> DrivenProgram:
            guests.append(DrivenProgram(name, file, home))
            return guests[-1]

        try:
            _write_in_both(come, home)
            _restart_one(come)
        finally:
            for guest in guests:
                guest.kill()
        _save_side_by_side(home / "left.png", home / "right.png", target)
    return target


def _write_in_both(come: Callable[[str], DrivenProgram], home: Path) -> None:
    left = come("left")
    left.ask(f"wait {WRITE}")
    right = come("right")
    right.ask(f"wait {WRITE}")
    left.tell(f"write {WRITE}: Hello from the left.")
    wait_for_text(right, "Hello from the left.")
    right.tell("lay Ours at 840 154")
    left.tell(f"drop 840 384 {home / LAKE}.png")
    for guest in (left, right):
        guest.ask("wait Ours")
        guest.ask(f"wait {LAKE}.png")
        guest.tell("press Zoom to fit")
    right.tell("write Ours: and from the right")
    wait_for_text(left, "and from the right", "Ours")
    for guest in (left, right):
        guest.tell("press Zoom to fit")
    right.tell("point Ours")
    left.tell(f"choose {WRITE}")
    for guest in (left, right):
        _wait_until_displayed(guest)
    for guest in (left, right):
        if guest.ask(f"picture {home / guest.name}.png") != "saved":
            raise DemoError(f"the {guest.name} program could not save its picture")
    if left.close() or right.close():
        raise DemoError("a program ended with an error")


def _restart_one(come: Callable[[str], DrivenProgram]) -> None:
    again = come("third")
    again.ask("wait Ours")
    wait_for_text(again, "Hello from the left.")
    again.close()


def wait_for_text(guest: DrivenProgram, words: str, title: str = WRITE) -> None:
    end = time.monotonic() + _PATIENCE
    while words not in (shown := guest.ask(f"tell {title}")):
        if time.monotonic() > end:
            raise DemoError(f"the {guest.name} program shows {shown!r} and not {words!r}")
        time.sleep(_LOOK_AGAIN)


def _wait_until_displayed(guest: DrivenProgram) -> None:
    """Wait until everything in the window is displayed completely."""
    end = time.monotonic() + _PATIENCE
    while lacking := guest.ask("lacks"):
        if time.monotonic() > end:
            raise DemoError(
                f"the {guest.name} program did not show {lacking} completely within {_PATIENCE:.0f} s"
            )
        time.sleep(_LOOK_AGAIN)


def _save_side_by_side(left: Path, right: Path, target: Path) -> None:
    """Save two pictures side by side, as images: this process has no Qt application."""
    one, two = QImage(str(left)), QImage(str(right))
    width, height = one.width() + two.width() + _GAP, max(one.height(), two.height())
    whole = QImage(width, height, QImage.Format.Format_RGB32)
    whole.fill(Qt.GlobalColor.darkGray)
    painter = QPainter(whole)
    painter.drawImage(0, 0, one)
    painter.drawImage(one.width() + _GAP, 0, two)
    painter.end()
    kept = whole.save(str(target), "PNG")  # type: ignore[call-overload]  # its stub wants bytes for the format
    if not kept:
        raise UnsavedError(f"the picture cannot be saved as {target}; choose a file that can be written")


def check_writable(target: Path) -> None:
    """Check that the picture can be saved, before anything starts."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch(document_mode())
        target.chmod(document_mode())  # Qt keeps the mode of a file that is there
    except OSError as error:
        raise UnsavedError(f"the picture cannot be saved as {target}: {error.strerror}") from error
