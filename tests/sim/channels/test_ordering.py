"""Random schedules of joins, leaves, crashes, freezes, cuts and losses: one order, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from liven.liveobjects.channel.simulation.schedule import run

EACH = 10


FOUND = (73, 229, 290, 493, 538, 3001, 10023, 11531, 20300, 21394, 40457, 41605)
"""Seeds that once failed."""


def broken(seeds: Iterable[int], *, durable: bool = False) -> list[str]:
    verdicts = [run(seed, durable=durable) for seed in seeds]
    return [f"seed {each.seed}: {each.breaches[0]}" for each in verdicts if each.breaches]


@pytest.mark.parametrize("first", range(0, 60, EACH))
def test_no_check_fails(first: int) -> None:
    assert broken(range(first, first + EACH)) == []


@pytest.mark.parametrize("first", range(0, 30, EACH))
def test_no_check_fails_when_all_crash_and_some_return(first: int) -> None:
    assert broken(range(first, first + EACH), durable=True) == []


def test_seeds_that_once_failed_pass() -> None:
    assert broken(FOUND) == []


def test_one_seed_always_gives_the_same_run() -> None:
    assert run(7) == run(7)


@pytest.mark.slow
def test_no_check_fails_in_a_thousand_schedules() -> None:
    assert broken(range(1000, 2100)) == []


@pytest.mark.slow
def test_no_check_fails_in_five_hundred_schedules_with_returns() -> None:
    assert broken(range(10_000, 10_500), durable=True) == []
