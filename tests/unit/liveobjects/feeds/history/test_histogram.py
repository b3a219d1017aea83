"""Events over time are counted without reading them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.history.histogram import NOTHING, Stretch, histogram, histogram_of_times

MONDAY = 1_763_971_200_000_000
STRETCHES = st.lists(
    st.builds(
        lambda begin, length, records: Stretch(MONDAY + begin, MONDAY + begin + length, records),
        st.integers(0, 10**9),
        st.integers(0, 10**8),
        st.integers(1, 8192),
    ),
    min_size=1,
    max_size=20,
)


@given(STRETCHES, st.integers(1, 300))
def test_every_record_is_counted_once(stretches: list[Stretch], buckets: int) -> None:
    begin, end = min(one.earliest for one in stretches), max(one.latest for one in stretches)
    made = histogram(stretches, begin, end, buckets)
    assert len(made.counts) == buckets
    assert made.records == pytest.approx(sum(one.records for one in stretches), rel=1e-6)


def test_records_are_where_they_were() -> None:
    made = histogram([Stretch(0, 9, 10), Stretch(30, 39, 40)], 0, 39, 4)
    assert made.counts == pytest.approx((10, 0, 0, 40))


def test_only_the_part_inside_the_span_counts() -> None:
    assert histogram([Stretch(0, 99, 100)], 50, 99, 5).counts == pytest.approx((10,) * 5)
    assert histogram([Stretch(0, 9, 100)], 50, 99, 5).counts == (0.0,) * 5


def test_many_events_at_one_moment_are_one_peak() -> None:
    assert histogram([Stretch(5, 5, 1000)], 0, 9, 10).counts == pytest.approx((0,) * 5 + (1000,) + (0,) * 4)


def test_an_empty_feed_has_no_bars() -> None:
    assert NOTHING.highest == 0
    assert histogram([], 0, 10, 4).counts == (0.0,) * 4


def test_times_are_counted_exactly() -> None:
    made = histogram_of_times([np.array([MONDAY, MONDAY + 99]), np.array([MONDAY + 50, MONDAY + 51])], 10)
    assert made.counts == (1, 0, 0, 0, 0, 2, 0, 0, 0, 1)
    assert (made.begin, made.end) == (MONDAY, MONDAY + 99)
    assert histogram_of_times([]) == NOTHING
