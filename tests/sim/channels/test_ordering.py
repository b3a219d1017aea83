"""Random schedules of joins, leaves, crashes, freezes, cuts and losses: one order, and nothing lost."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from liven.liveobjects.channel.simulation.schedule import run

EACH = 10


def broken(seeds: Iterable[int]) -> list[str]:
    verdicts = [run(seed) for seed in seeds]
    return [f"seed {each.seed}: {each.breaches[0]}" for each in verdicts if each.breaches]


@pytest.mark.parametrize("first", range(0, 60, EACH))
def test_no_oracle_is_broken(first: int) -> None:
    assert broken(range(first, first + EACH)) == []


def test_one_seed_is_one_run() -> None:
    assert run(7) == run(7)


@pytest.mark.slow
def test_no_oracle_is_broken_in_a_thousand_schedules() -> None:
    assert broken(range(1000, 2100)) == []
