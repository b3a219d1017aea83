"""Two of three computers are lost. The third says whom its changes wait for, and `liven
members` goes on without them. Real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.replica_processes import ReplicaProcesses

pytestmark = pytest.mark.slow

CHANNEL = "home/e2e/tally"


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[ReplicaProcesses]:
    made = ReplicaProcesses(tmp_path)
    yield made
    made.end()


def command(home: Path, *words: str) -> str:
    """Run `liven members` and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "liven.app.main", "members", CHANNEL, *words],
        env={**os.environ, "LIVEN_HOME": str(home), "LIVEN_SERVICE_IDLE": "2"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_survivor_of_three_confirms_again_after_the_others_were_forgotten(
    replicas: ReplicaProcesses,
) -> None:
    replicas.start("ann", "bob", "cid")
    for replica in replicas.running:
        replicas.send(replica, replicas.running)
    ann, bob, cid = replicas.running
    for killed in (ann, bob):
        killed.end()
    (replicas.home / "data").symlink_to(replicas.home / "cid")  # the command runs on this computer
    replicas.running = [cid]
    replicas.until(lambda: replicas.members() == 1)
    cid.say("flow")
    replicas.until(lambda: cid.tell()["unconfirmed"] > 0)
    cid.say("rest")
    replicas.until(lambda: any("not confirmed yet: waiting for" in each for each in cid.tell()["problems"]))
    listed = json.loads(command(replicas.home, "--json"))
    gone = [each["identity"] for each in listed if not each["own"]]
    assert len(gone) == 2
    told = command(replicas.home, *(word for each in gone for word in ("--forget", each)))
    assert told.startswith(f"{CHANNEL} goes on without ")
    replicas.until(replicas.are_settled)
    replicas.send(cid, [cid])
    assert cid.tell()["faults"] == []
