"""Random schedules with faulty members: they are detected, and all members have one state in the end."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from liven.liveobjects.channel.ordering import OrderedChannel
from liven.liveobjects.channel.simulation.member import Verifier
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.schedules import faulty_replicas
from liven.liveobjects.channel.simulation.schedules.faulty_replicas import FaultyMember, FaultySchedule, run

EACH = 10
MANY = 100


def broken(seeds: Iterable[int]) -> list[str]:
    verdicts = [run(seed) for seed in seeds]
    return [f"seed {each.seed}: {each.breaches[0]}" for each in verdicts if each.breaches]


@pytest.mark.parametrize("first", range(0, 50, EACH))
def test_a_faulty_member_takes_the_state_of_the_others(first: int) -> None:
    assert broken(range(first, first + EACH)) == []


def test_seeds_that_once_failed_pass() -> None:
    assert broken((1435,)) == []  # a member that had the state from the view's beginning was not waited for


def test_a_member_that_got_its_state_late_takes_part_in_the_comparison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(faulty_replicas, "FAULT_PROBABILITY", 1.0)
    world, verifier = World(1), Verifier()
    members = []
    for name in ("ann", "bob"):
        channel = OrderedChannel(name.encode().ljust(16, b"."), stateful=True)
        members.append(FaultyMember(world, verifier, name, channel, faulty=False))
        world.join(members[-1].host)
        world.run(0.5)
    ann, bob = members
    ann.faulty = True
    ann.submit(b"1")
    world.run(0.5)
    ann.faulty = False
    assert ann.done != bob.done == [b"1"]
    world.run(60.0)
    assert ann.done == bob.done == [b"1"]


def test_the_schedules_contain_faults_and_repairs() -> None:
    faults = repairs = 0
    for seed in range(10):
        schedule = FaultySchedule(seed)
        schedule.run()
        faults += sum(member.faults for member in schedule.faulty_members)
        repairs += sum(member.repairs for member in schedule.faulty_members)
    assert faults > 20
    assert repairs > 5


def test_without_comparing_the_same_schedules_end_in_different_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("liven.liveobjects.channel.simulation.schedules.faulty_replicas.EVERY", 0)
    assert broken(range(10)) != []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, MANY))
def test_a_faulty_member_takes_the_state_of_the_others_in_a_thousand_schedules(first: int) -> None:
    assert broken(range(first, first + MANY)) == []
