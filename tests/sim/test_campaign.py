"""Random worlds with random faults: no oracle may ever be broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from liven.multicast.engine import CampaignRun, run_campaign

MIXED, CALM, LOSSY, CHURN, CRASH, FREEZE, CUT, SERVICE, STORM, HYBRID = KINDS = range(10)
EACH = 15
"""Seeds of each kind in a short run."""
RARE_AT_MOST = 100
"""One run in so many must meet each kind of event."""


def broken(runs: Iterable[CampaignRun]) -> list[str]:
    return [f"seed {run.seed}: {run.breaches[0]}" for run in runs if run.broken]


def coverage(runs: Iterable[CampaignRun]) -> Counter[str]:
    met: Counter[str] = Counter()
    for run in runs:
        met.update(run.coverage)
    return met


@pytest.mark.parametrize("kind", KINDS)
def test_no_oracle_is_broken(kind: int) -> None:
    assert broken(run_campaign(seed, kind) for seed in range(1, 1 + EACH)) == []


def test_one_seed_is_one_run() -> None:
    assert run_campaign(11, MIXED) == run_campaign(11, MIXED)
    assert run_campaign(11, MIXED).trace != run_campaign(12, MIXED).trace


@pytest.mark.slow
def test_no_oracle_is_broken_in_two_thousand_runs_and_each_kind_of_event_is_met() -> None:
    runs = [run_campaign(seed, MIXED) for seed in range(1000, 2600)]
    for kind in KINDS[1:]:
        runs += [run_campaign(seed, kind) for seed in range(1000, 1050)]
    assert broken(runs) == []
    met = coverage(runs)
    assert [name for name in runs[0].coverage if met[name] * RARE_AT_MOST < len(runs)] == []
