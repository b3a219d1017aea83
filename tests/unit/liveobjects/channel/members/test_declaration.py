"""A program that only joins to say that a member will not come back, and the list of members in the logs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from liven.liveobjects.channel.members.declaration import Declaration
from liven.liveobjects.channel.members.listing import listed_members
from liven.liveobjects.channel.objects.keeper import KeeperSession
from liven.liveobjects.channel.objects.keeper_errand import PATIENCE
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.session.unconfirmed import TOLD_AFTER
from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)
PEOPLE = {1: "Ann", 2: "Bob"}


def counter(process: Process) -> Object:
    process.system.name_of = lambda node: PEOPLE.get(node, "")
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made


def session(process: Process) -> ChannelSession:
    return process.system.shared(ChannelSession, NAME, lambda: pytest.fail("it is open"))


def bob_without_ann(processes: Processes) -> tuple[Process, Object]:
    """Return the program of Bob, who waits for Ann."""
    ann, bob = processes.process("1"), processes.process("2")
    counters = []
    for process in (ann, bob):
        counters.append(counter(process))
        processes.advance(3)
    counters[1].instance.add(1)
    processes.advance(2)
    driver = session(ann)._driver
    assert driver is not None
    driver.close()
    processes.advance(1)
    return bob, counters[1]


def test_the_logs_of_a_computer_name_the_members_of_its_channels(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        bob_without_ann(processes)
    assert [(each.own, each.channel) for each in listed_members(tmp_path)] == [(True, NAME)] * 2
    shutil.rmtree(tmp_path / "1")
    ann, bob = sorted(listed_members(tmp_path), key=lambda each: each.own)
    assert (ann.name, ann.own, bob.own) == ("Ann", False, True)
    assert ann.last_here > 1_600_000_000
    assert len(bytes.fromhex(ann.identity)) == 16


def test_others_confirm_again_after_a_program_said_who_is_gone(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        bob, changed = bob_without_ann(processes)
        changed.instance.add(1)
        processes.advance(2)
        gone = session(bob).absent
        assert gone is not None
        assert len(gone) == 1
        assert session(bob).unacknowledged == 1
        outcomes: list[str] = []
        operator = processes.process("3")
        Declaration(operator.system, NAME, gone, outcomes.append)
        processes.advance(15)
        assert outcomes == [""]
        assert session(bob).unacknowledged == 0
        changed.instance.add(1)
        processes.advance(5)
        assert session(bob).unacknowledged == 0, "the operator's program is not waited for either"
        assert NAME not in operator.system.opened
        for each in processes.processes:
            each.problems.clear()


def test_a_keeper_says_whom_the_changes_of_others_wait_for(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        bob, changed = bob_without_ann(processes)
        keeper = processes.process("3")
        KeeperSession(keeper.system, NAME)
        processes.advance(3)
        changed.instance.add(1)
        processes.advance(TOLD_AFTER + 3)
        (told,) = [each for each in keeper.problems if "not confirmed yet" in each.what]
        assert "not confirmed yet: waiting for the computer " in told.what
        told.remedies[0].do()
        processes.advance(10)
        assert session(bob).unacknowledged == 0
        assert keeper.problems[-1].is_over
        for each in processes.processes:
            each.problems.clear()


def test_a_member_that_is_here_is_not_declared_gone(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        first = processes.process("1")
        counter(first)
        processes.advance(3)
        replica = session(first)._replica
        assert replica is not None
        outcomes: list[str] = []
        operator = processes.process("3")
        Declaration(operator.system, NAME, [replica.channel.voter.identity], outcomes.append)
        processes.advance(10)
        assert outcomes == ["no change waits for that member now: it is here, or enough others are"]


def test_a_declaration_that_nobody_hears_ends(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        outcomes: list[str] = []
        Declaration(processes.process("3").system, NAME, [bytes(16)], outcomes.append)
        processes.advance(PATIENCE + 3)
        (why,) = outcomes
        assert why
