"""Processes with a replica each, on one home. A test commands and asks them; see `replica_driver.py`."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from liven.app.network.settings import engine_config, read_settings
from liven.multicast.service_process import service_status, stop_service
from liven.runtime.user_folders import UserFolders

PATIENCE = 120.0
DRIVER = Path(__file__).with_name("replica_driver.py")


class ReplicaProcess:
    """A process with one replica. `cap` bounds what its engine keeps for others."""

    def __init__(self, home: Path, name: str, cap: int) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, str(DRIVER), name, str(cap)],
            env={**os.environ, "LIVEN_HOME": str(home), "LIVEN_SERVICE_IDLE": "2"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def say(self, line: str) -> None:
        """Give a command."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def answers(self, seconds: float) -> bool:
        """Return True if an answer waits to be read, or comes in time."""
        assert self.process.stdout is not None
        return bool(select.select([self.process.stdout], [], [], seconds)[0])

    def answer(self) -> dict[str, Any]:
        """Return the answer to an earlier `tell`."""
        assert self.process.stdout is not None
        assert self.answers(PATIENCE), f"{self.name} says nothing"
        line = self.process.stdout.readline()
        assert line, f"{self.name} ended with {self.process.wait()}"
        facts: dict[str, Any] = json.loads(line)
        return facts

    def tell(self) -> dict[str, Any]:
        """Return what the replica has and saw."""
        self.say("tell")
        return self.answer()

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.communicate()


class ReplicaProcesses:
    """Processes that start one after the other, and their membership service."""

    def __init__(self, home: Path, cap: int = 4 * 1024 * 1024) -> None:
        self.home = home
        self.cap = cap
        folders = UserFolders.of_user({**os.environ, "LIVEN_HOME": str(home)})
        self.place = engine_config(folders, read_settings(folders, {"LIVEN_HOME": str(home)})).place
        self.running: list[ReplicaProcess] = []

    def start(self, *names: str) -> None:
        """Start processes."""
        self.running += [ReplicaProcess(self.home, name, self.cap) for name in names]

    def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true."""
        limit = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < limit, "it did not come about"
            time.sleep(0.05)

    def members(self) -> int:
        """Return how many members the service counts."""
        status = service_status(self.place)
        return 0 if status is None else status["members"]

    def send(self, replica: ReplicaProcess, others: Sequence[ReplicaProcess], operations: int = 1) -> None:
        """Let a replica send until those have so many new operations of it, and all of its own are
        confirmed."""
        name = replica.name
        until = replica.tell()["counts"].get(name, 0) + operations
        replica.say("flow")
        self.until(lambda: all(one.tell()["counts"].get(name, 0) >= until for one in others))
        replica.say("rest")
        self.until(lambda: replica.tell()["unconfirmed"] == 0)

    def are_settled(self) -> bool:
        """Return True if all have the same state, and everything is confirmed."""
        told = [one.tell() for one in self.running]
        return all(each["unconfirmed"] == 0 for each in told) and len({each["chain"] for each in told}) == 1

    def end(self) -> None:
        """Kill all processes, and stop the service."""
        for replica in self.running:
            replica.end()
        stop_service(self.place)
