"""The machines and programs of one schedule."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.chaos.cleanup import VARIABLE
from tests.chaos.power_cut import FaultySystem
from tests.chaos.side_log import Reader, Row

ROOT: Final = Path(__file__).resolve().parents[2]
_END_WITHIN: Final = 10.0


@dataclass(frozen=True)
class Machine:
    """A folder with user folders, a disk and a clock; a host, if programs are on several."""

    system: FaultySystem
    home: Path
    """LIVEN_HOME of its programs."""
    data: Path
    """Their data folder."""
    token: str
    prefix: Sequence[str]
    """Words before a command that run it on this host."""
    settings: Mapping[str, str]

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its programs."""
        given = {**os.environ, **self.system.environment, **self.settings}
        return {**given, "LIVEN_HOME": str(self.home), VARIABLE: self.token, "PYTHONDONTWRITEBYTECODE": "1"}

    def copy_data(self, to: Path) -> None:
        """Copy the data folder, while no program uses it."""
        if self.data.exists():
            shutil.copytree(self.data, to)

    def put_data(self, copy: Path) -> None:
        """Put a copy back in place of the data folder."""
        shutil.rmtree(self.data, ignore_errors=True)
        if copy.exists():
            shutil.copytree(copy, self.data)
        self.system.replace()


class Member:
    """One program, over all its incarnations."""

    def __init__(self, name: str, machine: Machine, folder: Path, seed: int) -> None:
        self.name = name
        self.machine = machine
        self._folder = folder
        self._seed = seed
        self._incarnation = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: Reader | None = None
        self.last: Row = {}
        """The last report of its state."""
        self.finished: str = ""
        """The name of its last operation, once it was told to finish."""
        self.confirmed: set[str] = set()
        """The names of the acknowledged operations of this incarnation."""
        self.told = False
        self.works = False
        self.declarations = 0
        """Declarations of this program that others are gone for good."""
        self.held = False
        """True while a fault needs it as it is."""
        self.is_over = False
        """True if it was there for a while only and is not started again."""
        self.is_taken_over = False
        """True if another program takes over its log."""

    @property
    def is_up(self) -> bool:
        """True if its process runs or is stopped."""
        return self._process is not None and self._process.poll() is None

    @property
    def is_gone(self) -> bool:
        """True if neither it nor another program comes back with its log."""
        return self.is_over and not self.is_taken_over

    @property
    def pid(self) -> int:
        """Its process; an error if there is none."""
        assert self._process is not None
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code of its last process, once it has ended."""
        return None if self._process is None else self._process.poll()

    @property
    def side_log(self) -> Path:
        """The side log of this incarnation."""
        return self._folder / "side" / f"{self.name}.{self._incarnation}.jsonl"

    def start(self) -> None:
        """Start the next incarnation."""
        self._incarnation += 1
        self.last, self.finished, self.told, self.works = {}, "", False, False
        self.confirmed = set()
        words = [self.name, str(self._incarnation), str(self.side_log)]
        words += [str(self._seed + self._incarnation), str(self.machine.data)]
        self._reader = Reader(self.side_log)
        with (self._folder / "out" / f"{self.name}.{self._incarnation}.txt").open("wb") as out:
            self._process = subprocess.Popen(
                [*self.machine.prefix, sys.executable, "-m", "tests.chaos.worker", *words],
                cwd=ROOT,
                env=self.machine.environment,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def say(self, line: str) -> None:
        """Tell the process something."""
        if self._process is None or self._process.stdin is None or self._process.stdin.closed:
            return
        with suppress(BrokenPipeError):
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def look(self) -> None:
        """Read what is new in the side log."""
        for row in self._reader.fresh() if self._reader is not None else ():
            match row["kind"]:
                case "tick":
                    self.last = row
                case "finish":
                    self.finished = row["op"]
                case "ack":
                    self.confirmed.add(row["op"])
                case "state":
                    self.told = True
                case "declared":
                    self.declarations += 1

    def signal(self, number: int) -> None:
        """Send a signal, if the process runs."""
        if self.is_up:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process, and wait until it has ended."""
        self.signal(signal.SIGKILL)
        self._close()

    def leave(self) -> None:
        """Let the process leave in good order; kill it if that takes too long."""
        self.say("end")
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_WITHIN)
        self.kill()

    def _close(self) -> None:
        if self._process is not None:
            self._process.wait()
            if self._process.stdin is not None:
                with suppress(BrokenPipeError):
                    self._process.stdin.close()

    def describe(self) -> str:
        """Return its state for a person."""
        if not self.is_up:
            return f"{self.name}: ended with {self.exit_code}"
        age = time.monotonic() - self.last["t"] if self.last else 0.0
        shown = {key: self.last.get(key) for key in ("stage", "count", "waiting", "begun", "sent")}
        return f"{self.name}: {shown}, reported {age:.1f} s ago"
