"""One of four replicas stalls while the others send more than they keep for it. It is removed, learns what it
missed, and fetches the state of the others. Real processes, the real engine, the real channel."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.replica_processes import ReplicaProcesses

pytestmark = pytest.mark.slow

CAP = 2 * 1024 * 1024
SLACK = 64 * 1024
"""Of a packet that is being filled, and one that closes a view."""


@pytest.fixture
def four(tmp_path: Path) -> Iterator[ReplicaProcesses]:
    made = ReplicaProcesses(tmp_path, CAP)
    made.start("ann", "bob", "cid", "dan")
    yield made
    made.end()


def test_a_stalled_replica_learns_what_it_missed_and_fetches_the_state(four: ReplicaProcesses) -> None:
    for replica in four.running:
        replica.say("flow")
    four.until(lambda: all(set(one.tell()["counts"]) == {"ann", "bob", "cid", "dan"} for one in four.running))
    sleeper, others = four.running[3], four.running[:3]
    begun = len(sleeper.tell()["begun"])
    sleeper.process.send_signal(signal.SIGSTOP)
    four.until(lambda: four.members() == 3)
    before = [one.tell()["counts"][one.name] for one in others]
    four.until(lambda: all(one.tell()["counts"][one.name] > n for one, n in zip(others, before, strict=True)))
    sleeper.process.send_signal(signal.SIGCONT)
    four.until(lambda: len(sleeper.tell()["begun"]) > begun and four.members() == 4)
    for replica in four.running:
        replica.say("rest")

    four.until(four.are_settled)
    told = [one.tell() for one in four.running]
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
