"""Intervals of whole numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.count.interval import ANYTHING, Interval, meet_all

INTERVALS = st.builds(Interval, st.integers(0, 8), st.none() | st.integers(0, 8))


def numbers(interval: Interval) -> set[int]:
    return {n for n in range(12) if interval.low <= n and (interval.high is None or n <= interval.high)}


@given(INTERVALS, INTERVALS)
def test_meeting_leaves_the_numbers_in_both(one: Interval, two: Interval) -> None:
    assert numbers(one.meet(two)) == numbers(one) & numbers(two)


@given(INTERVALS, INTERVALS)
def test_within_is_inclusion(one: Interval, two: Interval) -> None:
    assert one.within(two) == (numbers(one) <= numbers(two))


@given(INTERVALS)
def test_empty_is_without_numbers(one: Interval) -> None:
    assert one.empty == (not numbers(one))


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(2), "at least 2"),
        (Interval(0, 3), "at most 3"),
        (Interval(2, 3), "at least 2 and at most 3"),
        (Interval(2, 2), "exactly 2"),
        (Interval(0, 0), "exactly 0"),
        (Interval(3, 1), "at least 3 and at most 1"),
        (ANYTHING, "at least 0"),
    ],
)
def test_an_interval_prints_in_words(interval: Interval, text: str) -> None:
    assert str(interval) == text


def test_each_endpoint_has_one_interval_and_none_that_says_nothing() -> None:
    met = meet_all([("b", Interval(1)), ("a", ANYTHING), ("b", Interval(0, 4)), ("", Interval(2))])
    assert met == (("", Interval(2)), ("b", Interval(1, 4)))


@given(st.lists(st.tuples(st.sampled_from("ab"), INTERVALS), max_size=5))
def test_the_order_of_parts_does_not_matter(parts: list[tuple[str, Interval]]) -> None:
    assert meet_all(parts) == meet_all(reversed(parts))
    assert meet_all(meet_all(parts)) == meet_all(parts)
