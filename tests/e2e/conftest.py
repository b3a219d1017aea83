"""Whole sessions, each with a home of its own, under hand-cranked dispatchers; and whole programs, each a
process with a window."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.driven_program import PATIENCE, DrivenProgram

from liven.runtime.capability import Consent
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.problems import Problems
from liven.runtime.process.local_module import load_module
from liven.runtime.process.session import Session
from liven.runtime.reference.model import Document, Object
from liven.runtime.reference.xml import read, write
from liven.runtime.user_folders import UserFolders


@dataclass
class Machine:
    """The machine of one user."""

    home: Path
    crank: HandCranked
    problems: Problems
    session: Session

    def learn(self, name: str, source: str) -> None:
        """Load the classes of an author's module."""
        path = self.home / f"{name}.py"
        path.write_text(source)
        load_module(path, self.session.known)

    def save(self, thing: Object, name: str) -> Path:
        """Write a file."""
        path = self.home / f"{name}.liveobject"
        path.write_bytes(write(Document(thing)))
        return path

    def open(self, thing: Path | Object) -> ProxyHandle:
        """Open a file or a reference, and wait until it runs."""
        reply = self._asked(thing)
        return reply.value()  # type: ignore[no-any-return]

    def refused(self, thing: Path | Object) -> DereferenceError:
        """Return the error with which opening fails."""
        error = self._asked(thing).error
        assert isinstance(error, DereferenceError), error
        return error

    def instance(self, handle: ProxyHandle) -> Any:
        """Return the author's object behind a proxy."""
        return handle.proxy().instance

    def _asked(self, thing: Path | Object) -> Any:
        found = read(thing.read_bytes()).object if isinstance(thing, Path) else thing
        assert found is not None
        reply = self.session.loader.dereference(found)
        self.crank.wait(lambda: reply.settled)
        return reply


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Callable[[str], Machine]]:
    """Return a function that creates machines by name."""
    made: list[Machine] = []

    def make(name: str) -> Machine:
        home = tmp_path / name
        home.mkdir()
        problems = Problems()
        crank = HandCranked(problems.report)
        session = Session.start(crank, problems, UserFolders.below(home), consent=Consent((home,)))
        made.append(Machine(home, crank, problems, session))
        return made[-1]

    yield make
    for one in made:
        one.session.close()
        one.crank.settle()


class Window(DrivenProgram):
    """One program with one file; see `window_driver.py`."""

    def __init__(self, home: Path, file: Path, *, faulty: bool, **settings: str) -> None:
        environment = {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **settings}
        if faulty:
            environment["PLANTED_FAULT"] = "1"
        super().__init__([str(Path(__file__).with_name("window_driver.py")), str(file)], environment)

    def opened(self, patience: float) -> None:
        """Wait until the object is shown; later calls have a shorter time limit."""
        self.until("tell", lambda shown: shown != "…")
        self.patience = patience

    def kill(self) -> None:
        """Kill the program."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def close(self) -> int:
        self.do("close")
        return self.process.wait(PATIENCE)


@pytest.fixture
def ends() -> Iterator[Callable[[subprocess.Popen[Any]], None]]:
    """Kill the programs that were added to this list after the test."""
    started: list[subprocess.Popen[Any]] = []
    yield started.append
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def open_window(tmp_path: Path, ends: Callable[[subprocess.Popen[Any]], None]) -> Callable[..., Window]:
    def make(file: Path, *, faulty: bool = False, patience: float = PATIENCE, **settings: str) -> Window:
        made = Window(tmp_path, file, faulty=faulty, **settings)
        ends(made.process)
        made.opened(patience)
        return made

    return make


class Screen:
    """A display of its own, with a simulated mouse and keyboard."""

    def __init__(self) -> None:
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x900x24", "-nolisten", "tcp"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.server.stdout is not None
        self.display = f":{self.server.stdout.readline().strip()}"

    def environment(self, home: Path) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
        return {**kept, "LIVEN_HOME": str(home), "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}

    def hand(self, *words: str) -> None:
        """Run `xdotool`."""
        environment = {**os.environ, "DISPLAY": self.display}
        subprocess.run(["xdotool", *words], env=environment, check=True, timeout=PATIENCE)

    def drag(self, start: str, end: str) -> None:
        """Press the mouse at one place, move it to another in steps, and release it."""
        (x0, y0), (x1, y1) = map(int, start.split()), map(int, end.split())
        self.hand("mousemove", str(x0), str(y0))
        self.hand("mousedown", "1")
        try:
            for part in (*(step / 20 for step in range(1, 21)), 1.0):
                x, y = round(x0 + (x1 - x0) * part), round(y0 + (y1 - y0) * part)
                self.hand("mousemove", str(x), str(y))
                time.sleep(0.05)  # a hand is not quicker, and each window that is crossed must answer
            self.hand("mousemove_relative", "2", "2")
            time.sleep(0.5)
        finally:
            self.hand("mouseup", "1")

    def press(self, window: str, key: str) -> None:
        """Focus a window, as a window manager does, and press a key."""
        self.hand("windowfocus", "--sync", window)
        self.hand("key", key)

    def close(self) -> None:
        self.server.terminate()
        self.server.wait(PATIENCE)
        assert self.server.stdout is not None
        self.server.stdout.close()


@pytest.fixture
def screen() -> Iterator[Screen]:
    made = Screen()
    yield made
    made.close()
