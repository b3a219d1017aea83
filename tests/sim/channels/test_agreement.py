"""Random schedules with members that err: who differs is found out, and all have one state in the end."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from liven.liveobjects.channel.simulation.erring import ErringSchedule, run

EACH = 10
MANY = 100


def broken(seeds: Iterable[int]) -> list[str]:
    verdicts = [run(seed) for seed in seeds]
    return [f"seed {each.seed}: {each.breaches[0]}" for each in verdicts if each.breaches]


@pytest.mark.parametrize("first", range(0, 50, EACH))
def test_who_erred_takes_the_state_of_the_others(first: int) -> None:
    assert broken(range(first, first + EACH)) == []


def test_what_was_found_stays_mended() -> None:
    assert broken((1435,)) == []  # who had a state since the view began was not waited for


def test_members_did_err_and_were_mended() -> None:
    erred = mended = 0
    for seed in range(10):
        schedule = ErringSchedule(seed)
        schedule.run()
        erred += sum(member.erred for member in schedule.erring)
        mended += sum(member.mended for member in schedule.erring)
    assert erred > 20
    assert mended > 5


def test_without_comparing_the_same_schedules_end_in_different_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("liven.liveobjects.channel.simulation.erring.EVERY", 0)
    assert broken(range(10)) != []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, MANY))
def test_who_erred_takes_the_state_of_the_others_in_a_thousand_schedules(first: int) -> None:
    assert broken(range(first, first + MANY)) == []
