from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.replay.lateness import Lateness


@given(
    st.lists(st.floats(1e-6, 60.0), min_size=1, max_size=300), st.sampled_from([0.01, 0.5, 0.9, 0.99, 1.0])
)
def test_quantiles_are_exact_to_a_few_percent(values: list[float], part: float) -> None:
    lateness = Lateness()
    for value in values:
        lateness.add(value)
    exact = sorted(values)[max(0, -(-round(part * len(values) * 1000) // 1000) - 1)]
    assert lateness.quantile(part) >= min(exact, lateness.worst) * (1 - 1e-9)
    assert lateness.quantile(part) <= exact * 1.07 + 2e-6


def test_early_and_punctual_events_count_as_such() -> None:
    lateness = Lateness()
    for value in (-1.0, 0.0, 5e-7):
        lateness.add(value)
    assert lateness.as_record() == {"events": 3, "median_us": 0.5, "p99_us": 0.5, "worst_us": 0.5}


def test_huge_lateness_has_a_place() -> None:
    lateness = Lateness()
    lateness.add(1e9)
    assert lateness.worst == 1e9
    assert lateness.quantile(0.5) > 1000


def test_nothing_was_late_of_nothing() -> None:
    assert Lateness().quantile(0.5) == Lateness().mean == 0.0


def test_mean_is_that_of_all() -> None:
    lateness = Lateness()
    for value in (0.0, 0.002, 0.004):
        lateness.add(value)
    assert lateness.mean == pytest.approx(0.002)
