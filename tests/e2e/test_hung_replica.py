"""The main thread of one of three replicas hangs, while its engine keeps its place. The others notice, admit
a fourth and confirm operations; the one that hung comes back and nothing is lost. Real processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.replica_processes import ReplicaProcesses

pytestmark = pytest.mark.slow

HANGS = 60.0
"""Seconds of the hang: far longer than the others may take to notice it."""


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[ReplicaProcesses]:
    made = ReplicaProcesses(tmp_path)
    yield made
    made.end()


def test_others_admit_and_confirm_while_one_hangs_and_it_loses_nothing(replicas: ReplicaProcesses) -> None:
    replicas.start("ann", "bob", "cid")
    for replica in replicas.running:
        replicas.send(replica, replicas.running)
    hung, *others = replicas.running
    hung.say("flow")
    replicas.until(lambda: hung.tell()["under way"] > 0)
    hung.say(f"hang {HANGS}")
    hung.say("rest")
    hung.say("tell")
    replicas.start("dan")
    others.append(replicas.running[-1])
    for replica in others:
        replicas.send(replica, others)
    assert not hung.answers(0), "it was not the hang that was tested: it had ended before"
    hung.answer()

    replicas.until(replicas.are_settled)
    told = [one.tell() for one in replicas.running]
    assert [each["faults"] for each in told] == [[], [], [], []]  # nothing twice, nothing left out
    assert all(set(each["counts"]) == {"ann", "bob", "cid", "dan"} for each in told)
    assert any("did not respond in time" in text for text in told[0]["problems"])
