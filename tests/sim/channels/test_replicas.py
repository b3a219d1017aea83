"""Random schedules of replicas with state transfer: equal states, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from liven.liveobjects.channel.history import retention
from liven.liveobjects.channel.replica import Persistence
from liven.liveobjects.channel.replica.disk.journal import Journal
from liven.liveobjects.channel.simulation import replica_schedule
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.member import Verifier
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.replica_schedule import run

EACH = 10


FOUND = (1644, 2384, 2915, 5001, 5055, 5193, 5245, 5978, 22369, 22464)
"""Seeds that once failed."""


FOUND_TOGETHER = (20398,)
"""Seeds that once failed with everything in memory."""


def broken(seeds: Iterable[int], *, durable: bool = False) -> list[str]:
    verdicts = [run(seed, durable=durable) for seed in seeds]
    return [f"seed {each.seed}: {each.breaches[0]}" for each in verdicts if each.breaches]


@pytest.mark.parametrize("first", range(0, 50, EACH))
def test_all_replicas_come_to_one_state(first: int) -> None:
    assert broken(range(first, first + EACH)) == []


@pytest.mark.parametrize("first", range(0, 30, EACH))
def test_nothing_is_lost_when_processes_end_and_return_to_their_disks(first: int) -> None:
    assert broken(range(first, first + EACH), durable=True) == []


def test_seeds_that_once_failed_pass() -> None:
    assert broken(FOUND, durable=True) == []
    assert broken(FOUND_TOGETHER) == []


@pytest.mark.parametrize("durable", [False, True])
def test_one_seed_always_gives_the_same_run(durable: bool) -> None:
    assert run(7, durable=durable) == run(7, durable=durable)


@pytest.mark.parametrize("kept", [True, False])
def test_the_check_detects_an_operation_that_is_stored_nowhere(
    kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica_schedule, "POWER_CUTS", 0.0)
    if not kept:
        monkeypatch.setattr(Journal, "enter", lambda *_: None)
    world, verifier = World(1), Verifier()
    member = replica_schedule.ReplicaMember.on(world, verifier, "ann", SimulatedStorage(world))
    member.submit(b"alone")
    world.run(0.2)
    member.settle()
    member.again("ann again")
    assert [each for each in verifier.breaches if "on no disk" in each] == verifier.breaches
    assert bool(verifier.breaches) is not kept


def test_the_check_detects_an_operation_that_a_power_cut_could_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    def told_at_once(persistence: Persistence, _: object, last: int, logged: Callable[[int], object]) -> None:
        logged(last)

    monkeypatch.setattr(Persistence, "_when_logged", told_at_once)
    assert any("not safe" in each for each in broken(range(3), durable=True))


@pytest.mark.slow
def test_all_replicas_come_to_one_state_in_a_thousand_schedules() -> None:
    assert broken(range(1000, 2000)) == []


@pytest.mark.slow
def test_nothing_is_lost_in_a_thousand_schedules_with_restarts() -> None:
    assert broken(range(5000, 6000), durable=True) == []


@pytest.mark.parametrize("first", range(0, 20, EACH))
def test_replicas_with_a_short_memory_agree_as_well(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "MARKS_MOST", 12)  # more than there may be at one time
    monkeypatch.setattr(retention, "EPOCHS_MOST", 3)
    assert broken(range(first, first + EACH)) == []
