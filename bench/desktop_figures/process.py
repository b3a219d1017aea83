"""A program under measurement, from the side of the measuring process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = Path(__file__).with_name("program.py")
SCREEN = {"name": "memory", "x": 0, "y": 0, "width": 1920, "height": 1200, "logicalDpi": 96, "dpr": 1}
"""A window of 1600 by 1000 pixels fits; Qt's own screen in memory has 800 by 800."""


class Program:
    """One program, with its events and its commands."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.begun = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM), *arguments],
            env=surroundings(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, line: str) -> None:
        """Send a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait(self, event: str) -> float:
        """Return the number in the next event of this name."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            name, _, number = line.partition(" ")
            if name == event:
                return float(number)
        raise RuntimeError(f"the program ended before it reported {event!r}")

    def spent(self) -> float:
        """Return the processor seconds of all its threads so far."""
        return sum(spent for _, spent in self.threads().values())

    def threads(self) -> dict[int, tuple[str, float]]:
        """Return the names and processor seconds of its threads so far, by their numbers."""
        found = {}
        for task in Path(f"/proc/{self._process.pid}/task").iterdir():
            spent = int((task / "schedstat").read_text().split()[0]) / 1e9
            found[int(task.name)] = (task / "comm").read_text().strip(), spent
        return found

    def close(self) -> None:
        """Close its windows, and wait until it has ended."""
        if self._process.poll() is None:
            self.tell("close")
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def running(home: Path, *arguments: str) -> Iterator[Program]:
    """Run a program until the end of the block."""
    made = Program(home, *arguments)
    try:
        yield made
    finally:
        made.close()


def surroundings(home: Path) -> dict[str, str]:
    """Return the environment of a program: a home of its own, and no screen but one in memory."""
    screen = home / "screen.json"
    screen.write_text(json.dumps({"screens": [SCREEN]}))
    return {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": f"offscreen:configfile={screen}"}


def command(home: Path, *words: str) -> tuple[float, float]:
    """Run a `liven` command; return its start time and its processor seconds."""
    begun = time.monotonic()
    child = subprocess.Popen([str(Path(sys.executable).with_name("liven")), *words], env=surroundings(home))
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"`liven {' '.join(words)}` ended with {child.returncode}")
    return begun, used.ru_utime + used.ru_stime
