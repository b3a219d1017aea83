"""Random worlds with random faults: whatever happens, no oracle may be broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from liven.multicast.engine import CampaignRun, run_campaign

MIXED, CALM, LOSSY, CHURN = range(4)
RARE_AT_MOST = 100
"""One run in so many must meet each kind of event."""


def broken(runs: Iterable[CampaignRun]) -> list[str]:
    return [f"seed {run.seed}: {run.breaches[0]}" for run in runs if run.broken]


def coverage(runs: Iterable[CampaignRun]) -> Counter[str]:
    met: Counter[str] = Counter()
    for run in runs:
        met.update(run.coverage)
    return met


@pytest.mark.parametrize(
    ("kind", "first", "count"), [(MIXED, 1, 60), (CALM, 1, 20), (LOSSY, 1, 20), (CHURN, 1, 20)]
)
def test_no_oracle_is_broken(kind: int, first: int, count: int) -> None:
    assert broken(run_campaign(seed, kind) for seed in range(first, first + count)) == []


def test_one_seed_is_one_run() -> None:
    assert run_campaign(11, MIXED) == run_campaign(11, MIXED)
    assert run_campaign(11, MIXED).trace != run_campaign(12, MIXED).trace


@pytest.mark.slow
def test_no_oracle_is_broken_in_two_thousand_runs_and_each_kind_of_event_is_met() -> None:
    runs = [run_campaign(seed, MIXED) for seed in range(1000, 2600)]
    for kind in (CALM, LOSSY, CHURN):
        runs += [run_campaign(seed, kind) for seed in range(1000, 1150)]
    assert broken(runs) == []
    met = coverage(runs)
    assert [name for name in runs[0].coverage if met[name] * RARE_AT_MOST < len(runs)] == []
