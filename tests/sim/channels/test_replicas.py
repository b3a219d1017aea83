"""Random schedules of replicas whose states travel in the channel: equal states, and nothing lost."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from liven.liveobjects.channel.simulation.replicas import run

EACH = 10


def broken(seeds: Iterable[int]) -> list[str]:
    verdicts = [run(seed) for seed in seeds]
    return [f"seed {each.seed}: {each.breaches[0]}" for each in verdicts if each.breaches]


@pytest.mark.parametrize("first", range(0, 50, EACH))
def test_all_replicas_come_to_one_state(first: int) -> None:
    assert broken(range(first, first + EACH)) == []


def test_one_seed_is_one_run() -> None:
    assert run(7) == run(7)


@pytest.mark.slow
def test_all_replicas_come_to_one_state_in_a_thousand_schedules() -> None:
    assert broken(range(1000, 2000)) == []
