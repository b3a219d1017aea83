"""Merging a branch in a program that has none of the channel's objects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.liveobjects.channel.branches.merge import BranchMerge
from liven.liveobjects.channel.objects.keeper_errand import PATIENCE
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)


def counter(process: Process) -> Object:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made


def branch_in(root: Path, processes: Processes, name: str = "bob") -> tuple[Process, str]:
    """Return a program without objects on the log of one that has a branch, and the branch's name."""
    process = processes.process(name)
    store = process.system.store
    assert store is not None
    return process, next(each for each in store.names() if "~" in each)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    for name, steps in (("ann", [1, 1, 40]), ("bob", [5, 2])):
        with Processes(tmp_path) as processes:
            made = counter(processes.process(name))
            processes.advance(3)
            for step in steps:
                made.instance.add(step)
            processes.advance(1)
            processes.processes[0].close()
            processes.advance(3)
    with Processes(tmp_path) as processes:
        for name in ("ann", "bob"):
            counter(processes.process(name))
        processes.advance(8)
        processes.expect("another history of this channel won")
        for process in processes.processes:
            process.close()
        processes.advance(3)
    yield tmp_path


def test_a_branch_is_merged_among_those_who_have_the_objects(root: Path) -> None:
    with Processes(root) as processes:
        ann = counter(processes.process("ann"))
        processes.advance(4)
        process, branch = branch_in(root, processes)
        outcomes: list[str] = []
        BranchMerge(process.system, NAME, branch, outcomes.append)
        processes.advance(8)
        processes.expect("another history of this channel won")
        assert outcomes == [""]
        assert ann.instance.value() == 49
        assert NAME not in process.system.opened


def test_operations_refused_by_a_full_channel_are_merged_later(root: Path) -> None:
    with Processes(root) as processes:
        ann = counter(processes.process("ann"))
        processes.advance(4)
        process, branch = branch_in(root, processes)
        outcomes: list[str] = []
        merging = BranchMerge(process.system, NAME, branch, outcomes.append)
        branches = merging._session.recovered
        submit, places = branches._submit, iter(range(100))

        def submits(payload: bytes) -> object:
            if next(places) == 2:
                raise ChannelBusyError("it is full")
            return submit(payload)

        branches._submit = submits
        processes.advance(8)
        processes.expect("another history of this channel won")
        processes.expect("a branch was merged only in part: it is full")
        assert outcomes == [""]
        assert ann.instance.value() == 49


def test_a_branch_merged_by_one_member_alone_is_found_by_newcomers(root: Path) -> None:
    with Processes(root) as processes:
        process, branch = branch_in(root, processes)
        outcomes: list[str] = []
        BranchMerge(process.system, NAME, branch, outcomes.append)
        processes.advance(8)
        processes.expect("another history of this channel won")
        assert outcomes == [""]
        processes.advance(3)
    with Processes(root) as processes:
        bob = counter(processes.process("bob"))
        processes.advance(8)
        assert bob.instance.value() == 49


def test_merging_a_missing_branch_fails(root: Path) -> None:
    with Processes(root) as processes:
        process, _ = branch_in(root, processes)
        outcomes: list[str] = []
        BranchMerge(process.system, NAME, "home/f/counter~00000000", outcomes.append)
        processes.advance(8)
        processes.expect("another history of this channel won")
        (why,) = outcomes
        assert "no branch home/f/counter~00000000" in why


def test_merging_without_data_or_members_fails_after_a_while(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        process = processes.process("eve")
        outcomes: list[str] = []
        BranchMerge(process.system, NAME, "home/f/counter~00000000", outcomes.append)
        processes.advance(PATIENCE + 3)
        (why,) = outcomes
        assert why
