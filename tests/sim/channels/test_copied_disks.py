"""Random schedules in which disks are copied, restored and doubled: nothing acknowledged is lost, repeated or
reordered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from liven.liveobjects.channel.history import retention
from liven.liveobjects.channel.history.quorum import Session, Standing, Voter, has_majority
from liven.liveobjects.channel.ordering.opening import decision
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.simulation.schedules.copied_disks import run

FOUND = (40, 70, 204, 309, 7_000_258, 20_113_333)
"""Seeds that once failed."""


def broken(seeds: Iterable[int]) -> list[str]:
    verdicts = (run(seed) for seed in seeds)
    return [f"seed {each.seed}: {each.breaches[0]}" for each in verdicts if each.breaches]


@pytest.mark.parametrize("first", range(0, 30, 10))
def test_nothing_is_lost_when_disks_are_copied_and_restored(first: int) -> None:
    assert broken(range(first, first + 10)) == []


def test_seeds_that_once_failed_pass() -> None:
    assert broken(FOUND) == []


@pytest.mark.slow
def test_nothing_is_lost_in_five_hundred_schedules() -> None:
    assert broken(range(1000, 1500)) == []


def continue_the_former_life(patch: pytest.MonkeyPatch) -> None:
    begin = Persistence._begin

    def beginning(self: Persistence, store: object) -> None:
        if self.found is not None:
            self.author = self.lives[-1]
        begin(self, store)  # type: ignore[arg-type]  # it is what was given

    patch.setattr(Persistence, "_begin", beginning)


def take_what_comes_again(patch: pytest.MonkeyPatch) -> None:
    take = retention.take
    patch.setattr(retention, "take", lambda *given: take(*given)[:0])


def vote_for_the_original(patch: pytest.MonkeyPatch) -> None:
    def standing(stable: Session, attempts: Iterable[Session], voters: Iterable[Voter]) -> Standing:
        here = {each for voter in voters for each in (*voter.identities, *voter.formerly)}
        agreed = all(has_majority(each, here) for each in (stable, *attempts))
        return Standing.CONTINUES if agreed else Standing.TENTATIVE

    patch.setattr(decision, "standing", standing)


FAULTS: tuple[Callable[[pytest.MonkeyPatch], None], ...] = (
    continue_the_former_life,
    take_what_comes_again,
    vote_for_the_original,
)


@pytest.mark.slow
@pytest.mark.parametrize("plant", FAULTS)
def test_the_schedules_find_a_planted_fault(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    verdicts = (run(seed) for seed in range(400))
    assert any(each.breaches for each in verdicts)
