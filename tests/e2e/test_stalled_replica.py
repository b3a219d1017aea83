"""One of four replicas stalls while the others send more than they keep for it. It is removed, learns what it
missed, and fetches the state of the others. Real processes, the real engine, the real channel."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.app.network.settings import engine_config, read_settings
from liven.multicast.service_process import service_status, stop_service
from liven.runtime.user_folders import UserFolders

pytestmark = pytest.mark.slow

PATIENCE = 90.0
CAP = 2 * 1024 * 1024
SLACK = 64 * 1024
"""Of a packet that is being filled, and one that closes a view."""
DRIVER = Path(__file__).with_name("replica_driver.py")


class Replica:
    """A process with one replica."""

    def __init__(self, home: Path, name: str) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, str(DRIVER), name, str(CAP)],
            env={**os.environ, "LIVEN_HOME": str(home), "LIVEN_SERVICE_IDLE": "2"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def tell(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        self.say("tell")
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        assert ready, f"{self.name} says nothing"
        line = self.process.stdout.readline()
        assert line, f"{self.name} ended with {self.process.wait()}"
        facts: dict[str, Any] = json.loads(line)
        return facts


class Four:
    """Four processes and their membership service."""

    def __init__(self, home: Path) -> None:
        folders = UserFolders.of_user({**os.environ, "LIVEN_HOME": str(home)})
        self.place = engine_config(folders, read_settings(folders, {"LIVEN_HOME": str(home)})).place
        self.replicas = [Replica(home, name) for name in ("ann", "bob", "cid", "dan")]

    def until(self, true: Callable[[], bool]) -> None:
        limit = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < limit, "it did not come about"
            time.sleep(0.05)

    def members(self) -> int:
        status = service_status(self.place)
        return 0 if status is None else status["members"]

    def end(self) -> None:
        for replica in self.replicas:
            replica.process.kill()
            replica.process.communicate()
        stop_service(self.place)


@pytest.fixture
def four(tmp_path: Path) -> Iterator[Four]:
    made = Four(tmp_path)
    yield made
    made.end()


def test_a_stalled_replica_learns_what_it_missed_and_fetches_the_state(four: Four) -> None:
    for replica in four.replicas:
        replica.say("flow")
    four.until(
        lambda: all(set(one.tell()["counts"]) == {"ann", "bob", "cid", "dan"} for one in four.replicas)
    )
    sleeper, others = four.replicas[3], four.replicas[:3]
    begun = len(sleeper.tell()["begun"])
    sleeper.process.send_signal(signal.SIGSTOP)
    four.until(lambda: four.members() == 3)
    before = [one.tell()["counts"][one.name] for one in others]
    four.until(lambda: all(one.tell()["counts"][one.name] > n for one, n in zip(others, before, strict=True)))
    sleeper.process.send_signal(signal.SIGCONT)
    four.until(lambda: len(sleeper.tell()["begun"]) > begun and four.members() == 4)
    for replica in four.replicas:
        replica.say("rest")

    def settled() -> bool:
        told = [one.tell() for one in four.replicas]
        return all(not each["under way"] for each in told) and len({each["chain"] for each in told}) == 1

    four.until(settled)
    told = [one.tell() for one in four.replicas]
    assert all(each["counts"] == told[0]["counts"] for each in told)
    assert [each["faults"] for each in told] == [[], [], [], []]  # nothing twice, nothing left out
    assert told[3]["begun"][-1] is True  # with the state of the others
    *missed, out = told[3]["told"]
    assert out["event"] == "evicted"
    assert [each["event"] for each in missed] == ["missed"] * len(missed) and missed
    assert all(first > 1 for each in missed for first in each["first"])
    assert [each["told"] for each in told[:3]] == [[], [], []]
    for each in told:
        assert each["most"]["pending_bytes"] <= CAP + SLACK
