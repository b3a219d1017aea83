"""Random schedules of hung programs and of full disks. Their checks find the faults that they are for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

import pytest

from liven.liveobjects.channel.ordering.open_view import OpenView
from liven.liveobjects.channel.ordering.opening import view_members
from liven.liveobjects.channel.replica import Persistence
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.schedule import Verdict
from liven.liveobjects.channel.simulation.schedules import full_disks, hung_programs

EACH = 10
SCHEDULES = 120
Plant = Callable[[pytest.MonkeyPatch], None]
Run = Callable[[int], Verdict]

FOUND = (73, 102, 116, 152, 170, 240, 319, 868, 934, 1173, 1_009_332)
"""Seeds that once failed with full disks."""
FOUND_HUNG = (81, 1_001_845, 1_012_725)
"""Seeds that once failed with hung programs: two of three members hang, and the third one votes alone; or the
only other one votes, and ends."""


def broken(run: Run, seeds: Iterable[int]) -> Iterable[str]:
    for seed in seeds:
        try:
            found = run(seed).breaches
        except (AssertionError, IndexError, KeyError, ValueError) as error:
            found = (repr(error),)
        if found:
            yield f"seed {seed}: {found[0]}"


@pytest.mark.parametrize("first", range(0, 30, EACH))
def test_others_go_on_while_programs_hang(first: int) -> None:
    assert list(broken(hung_programs.run, range(first, first + EACH))) == []


@pytest.mark.parametrize("first", range(0, 30, EACH))
def test_others_confirm_while_disks_are_full_and_nothing_is_lost(first: int) -> None:
    assert list(broken(full_disks.run, range(first, first + EACH))) == []


def test_seeds_that_once_failed_pass() -> None:
    assert list(broken(full_disks.run, FOUND)) == []
    assert list(broken(hung_programs.run, FOUND_HUNG)) == []


def test_a_member_that_was_voted_out_is_told_that_it_may_have_been_silent() -> None:
    (text,) = hung_programs.run(1_012_725).troubles
    assert text.endswith("the others went on without this computer: they got no answer, or cannot follow it")


@pytest.mark.parametrize("hangs", [True, False])
def test_only_a_member_that_hangs_may_be_called_silent(hangs: bool) -> None:
    schedule = hung_programs.HungSchedule(1, durable=True)
    for _ in range(2):
        schedule._join()
    schedule.world.run(0.5)
    one, other = schedule.living[:2]
    if hangs:
        schedule.world.freeze(other.host, 30.0, evict=False)
    schedule.world.run(20.0)
    one.trouble(f"member {other.host.name} did not answer for 12 seconds", rejoin=True)
    assert bool(schedule.verifier.breaches) is not hangs


def wait_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view_members, "ANSWER_WITHIN", 1e9)
    patch.setattr(view_members, "ANSWER_AGAIN_WITHIN", 1e9)
    patch.setattr(hung_programs, "ENGINE_WAITS", 1e9)


def ask_full_disks_for_their_votes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Persistence, "stores", property(lambda _: True))


def confirm_without_full_disks_that_vote(patch: pytest.MonkeyPatch) -> None:
    real = OpenView.count_on
    patch.setattr(OpenView, "count_on", lambda self, _: real(self, frozenset()))


def write_nothing_ahead(patch: pytest.MonkeyPatch) -> None:
    def queued(self: SimulatedStorage, record: object, done: Callable[[], object]) -> None:
        self.write(record)  # type: ignore[arg-type]  # a record of the simulated disk
        self.when_durable(done)

    patch.setattr(SimulatedStorage, "write_at_once", queued)


PLANTS: list[tuple[Run, Plant]] = [
    (hung_programs.run, wait_for_ever),
    (full_disks.run, ask_full_disks_for_their_votes),
    (full_disks.run, confirm_without_full_disks_that_vote),
    (full_disks.run, write_nothing_ahead),
]


@pytest.mark.slow
@pytest.mark.parametrize(("run", "plant"), PLANTS, ids=lambda one: one.__name__)
def test_a_planted_fault_is_found(run: Run, plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert list(islice(broken(run, range(SCHEDULES)), 1)) != []
