"""Recorders of one busy channel in processes of their own: both logs are the confirmed order, and a recorder
that is killed loses nothing that was durable, records nothing twice, and says what it missed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from tests.e2e.replica_processes import PATIENCE, ReplicaProcesses

from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, GAP, Record
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.reader import Log

pytestmark = pytest.mark.slow

CHANNEL = "home/e2e/tally"
SECONDS = 60.0
BURST = 20
"""Operations of one burst, at least."""


class RecorderProcess:
    """A process of `liven feeds record`."""

    def __init__(self, home: Path, name: str) -> None:
        self.folder = home / "state" / "feeds" / "busy" / name
        command = ["-m", "liven.app.main", "feeds", "record", CHANNEL, "--feed", "busy", "--recorder", name]
        self.process = subprocess.Popen(
            [sys.executable, *command, "--wait", "--json"],
            env={**os.environ, "LIVEN_HOME": str(home), "LIVEN_SERVICE_IDLE": "2"},
            stdout=subprocess.DEVNULL,
        )

    def records(self) -> list[Record]:
        return [record for _, record in Log(self.folder).records()] if self.folder.is_dir() else []

    def last(self) -> int:
        """Return the last number that is durable."""
        return max((int(block.serial.max()) for block in self._blocks()), default=0)

    def operations(self) -> int:
        """Return how many operations are durable."""
        return sum(int((block.flags == 0).sum()) for block in self._blocks())

    def _blocks(self) -> Iterator[Block]:
        return Log(self.folder).blocks() if self.folder.is_dir() else iter(())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[ReplicaProcesses]:
    running = ReplicaProcesses(tmp_path)
    try:
        yield running
    finally:
        running.end()


def operations(records: list[Record]) -> dict[int, bytes]:
    """Return the operations by number; each number is there once."""
    found: dict[int, bytes] = {}
    for one in records:
        if not one.flags & (CHECKPOINT | GAP | CONTROL):
            assert one.serial not in found, f"{one.serial} is there twice"
            found[one.serial] = one.payload
    return found


def missing(records: list[Record]) -> set[int]:
    """Return the numbers that a log says it misses."""
    gaps = [msgpack.unpackb(one.payload) for one in records if one.flags & GAP]
    return {number for gap in gaps for number in range(gap["first"], gap["last"] + 1)}


def folded(records: list[Record]) -> tuple[dict[str, int], str]:
    """Return the state after a log, from its last checkpoint on."""
    begin = max(place for place, one in enumerate(records) if one.flags & CHECKPOINT)
    state = msgpack.unpackb(records[begin].payload)
    counts, chain = json.loads(state) if state else ({}, "")
    for one in records[begin + 1 :]:
        if not one.flags:
            message = msgpack.unpackb(one.payload)
            author, number, _ = message.split(" ")
            assert int(number) == counts.get(author, 0) + 1
            counts[author] = int(number)
            chain = hashlib.blake2b((chain + message).encode(), digest_size=16).hexdigest()
    return counts, chain


def sent(replicas: ReplicaProcesses) -> int:
    """Return how many operations the replicas have made, as the first one counts them."""
    return sum(replicas.running[0].tell()["counts"].values())


def has_sent(replicas: ReplicaProcesses, least: int) -> bool:
    """Return True once the replicas have made so many operations."""
    return sent(replicas) >= least


def let_flow(replicas: ReplicaProcesses, seconds: float) -> None:
    """Let both send in bursts, so that the logs stay of a size that a test reads twice."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        least = sent(replicas) + BURST
        for one in replicas.running:
            one.say("flow")
        replicas.until(partial(has_sent, replicas, least))
        for one in replicas.running:
            one.say("rest")
        replicas.until(replicas.are_settled)


def until_recorded(replicas: ReplicaProcesses, first: RecorderProcess, other: RecorderProcess) -> None:
    """Wait until the recorders have every operation of the replicas, of which the first missed none."""
    total = sent(replicas)
    replicas.until(lambda: first.operations() == total)
    replicas.until(lambda: other.last() >= first.last())


def until_there(replicas: ReplicaProcesses, *recorders: RecorderProcess) -> None:
    """Wait until the recorders are members and have a first record."""
    replicas.until(lambda: replicas.members() == 4 and all(one.records() for one in recorders))


def until_last(replicas: ReplicaProcesses, recorder: RecorderProcess, number: int) -> None:
    """Wait until a recorder has a number."""
    replicas.until(lambda: recorder.last() >= number)


def test_two_recorders_of_one_channel_have_the_confirmed_order(
    tmp_path: Path, replicas: ReplicaProcesses
) -> None:
    replicas.start("ann", "bob")
    replicas.until(lambda: replicas.members() == 2)
    recorders = [RecorderProcess(tmp_path, name) for name in ("one", "two")]
    until_there(replicas, *recorders)
    let_flow(replicas, SECONDS)
    until_recorded(replicas, *recorders)
    assert [one.end() for one in recorders] == [0, 0]
    first, second = (operations(one.records()) for one in recorders)
    begin = max(min(first), min(second))
    assert {key: first[key] for key in first if key >= begin} == {
        key: second[key] for key in second if key >= begin
    }
    told = replicas.running[0].tell()
    for one in recorders:
        counts, chain = folded(one.records())
        assert (counts, chain) == (told["counts"], told["chain"])
        numbers = {each.serial for each in one.records()} | missing(one.records())
        assert numbers >= set(range(1, max(numbers) + 1))


def test_a_recorder_that_is_killed_loses_and_doubles_nothing(
    tmp_path: Path, replicas: ReplicaProcesses
) -> None:
    replicas.start("ann", "bob")
    replicas.until(lambda: replicas.members() == 2)
    witness = RecorderProcess(tmp_path, "witness")
    killed = RecorderProcess(tmp_path, "killed")
    until_there(replicas, witness, killed)
    for _ in range(3):
        for one in replicas.running:
            one.say("flow")
        until_last(replicas, killed, killed.last() + 500)
        killed.kill()
        durable = killed.records()
        killed = RecorderProcess(tmp_path, "killed")
        until_last(replicas, killed, durable[-1].serial + 1)
        for one in replicas.running:
            one.say("rest")
        replicas.until(replicas.are_settled)
        assert killed.records()[: len(durable)] == durable
    until_recorded(replicas, witness, killed)
    assert [witness.end(), killed.end()] == [0, 0]
    whole, parts = operations(witness.records()), operations(killed.records())
    gaps = missing(killed.records())
    assert not gaps & parts.keys()
    assert all(whole.get(number, payload) == payload for number, payload in parts.items())
    assert {number for number in whole if number >= min(parts)} <= parts.keys() | gaps
