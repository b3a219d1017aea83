"""Random schedules in which every member archives: each archive is the confirmed order, number by number, and
says what it lacks, however often its process was killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import pytest

from liven.liveobjects.channel.history import Epoch, Position
from liven.liveobjects.channel.ordering.confirmed_order import ConfirmedOrder
from liven.liveobjects.channel.simulation.schedules.archives import ArchiveSchedule, ArchivingMember, run

FOUND = (126,)
"""Seeds that once failed."""


def broken(seeds: Iterable[int], *, durable: bool) -> list[str]:
    verdicts = (run(seed, durable=durable) for seed in seeds)
    return [f"seed {each.seed}: {each.breaches[0]}" for each in verdicts if each.breaches]


@pytest.mark.parametrize("durable", [False, True])
def test_archives_are_the_confirmed_order(durable: bool) -> None:
    assert broken(range(10), durable=durable) == []


def test_seeds_that_once_failed_pass() -> None:
    assert broken(FOUND, durable=True) == []


@pytest.mark.slow
@pytest.mark.parametrize("durable", [False, True])
def test_archives_are_the_confirmed_order_in_two_hundred_schedules(durable: bool) -> None:
    assert broken(range(1000, 1200), durable=durable) == []


def test_the_schedules_have_gaps_and_forks() -> None:
    rows = Counter[str]()
    for seed in (5, 23):
        schedule = ArchiveSchedule(seed, durable=True)
        schedule.run()
        archives = [each.archive for each in schedule.members if isinstance(each, ArchivingMember)]
        rows.update(type(row).__name__ for archive in archives if archive is not None for row in archive.log)
    assert min(rows[name] for name in ("Confirmed", "Missing", "StateAt", "Forked")) > 0


def pass_on_too_early(patch: pytest.MonkeyPatch) -> None:
    stable = ConfirmedOrder.stable
    patch.setattr(ConfirmedOrder, "stable", lambda self, number: stable(self, number + 3))


def never_fork(patch: pytest.MonkeyPatch) -> None:
    def common(self: ConfirmedOrder, position: Position, epochs: Sequence[Epoch]) -> int:
        return self.number

    patch.setattr(ConfirmedOrder, "_contradicts", lambda *_: False)
    patch.setattr(ConfirmedOrder, "_common", common)


def begin_at_the_first_number_again(patch: pytest.MonkeyPatch) -> None:
    begin = ConfirmedOrder.__init__
    patch.setattr(ConfirmedOrder, "__init__", lambda self, *_: begin(self))


def keep_silent_about_gaps(patch: pytest.MonkeyPatch) -> None:
    def drop(self: ConfirmedOrder, row: object) -> bool:
        self._rows.popleft()
        return True

    patch.setattr(ConfirmedOrder, "_pass_missing", drop)


@pytest.mark.parametrize(
    "plant", [pass_on_too_early, never_fork, begin_at_the_first_number_again, keep_silent_about_gaps]
)
def test_the_check_detects_a_planted_fault(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert broken((5, 23, 15, 18), durable=True) or broken((15, 18), durable=False)
