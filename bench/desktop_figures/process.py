"""A program under measurement, from the side of the measuring process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = Path(__file__).with_name("program.py")


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
        tasks = Path(f"/proc/{self._process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9

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
    """Return the environment of a program: a home of its own, and no screen."""
    return {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}


def command(home: Path, *words: str) -> tuple[float, float]:
    """Run a `liven` command; return its start time and its processor seconds."""
    begun = time.monotonic()
    child = subprocess.Popen([str(Path(sys.executable).with_name("liven")), *words], env=surroundings(home))
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"`liven {' '.join(words)}` ended with {child.returncode}")
    return begun, used.ru_utime + used.ru_stime
