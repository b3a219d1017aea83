"""Moments are told as people say them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from liven.liveobjects.feeds.history.moment_text import (
    age_text,
    clock_text,
    length_text,
    moment_text,
    sentence_start,
)

MONDAY = 1_763_993_100_250_000
"""24 November 2025, 14:05:00.25 UTC."""
DAY, HOUR, SECOND = 86_400_000_000, 3_600_000_000, 1_000_000


@pytest.fixture(autouse=True)
def greenwich() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (HOUR, "today 14:05"),
        (DAY, "yesterday 14:05"),
        (2 * DAY, "Monday 14:05"),
        (6 * DAY, "Monday 14:05"),
        (7 * DAY, "24 November 14:05"),
        (60 * DAY, "24 November 2025 14:05"),
        (-DAY, "24 November 14:05"),
    ],
)
def test_a_moment_is_named_by_its_distance(later: int, words: str) -> None:
    assert moment_text(MONDAY, MONDAY + later) == words


def test_clocks_are_exact_on_demand() -> None:
    assert clock_text(MONDAY, exact=True) == "14:05:00.250"
    assert moment_text(MONDAY, MONDAY, seconds=True) == "today 14:05:00"


@pytest.mark.parametrize(
    ("length", "words"),
    [(0, "0:00"), (65 * SECOND, "1:05"), (2 * HOUR + 31 * SECOND, "2:00:31"), (-5 * SECOND, "-0:05")],
)
def test_lengths_are_shown_as_by_a_clock(length: int, words: str) -> None:
    assert length_text(length) == words
    assert length_text(3 * DAY + SECOND) == "3 d 00:00:01"
    assert length_text(1_500_000, exact=True) == "0:01.500"


def test_an_absurd_time_is_shown_as_the_beginning_of_time() -> None:
    assert moment_text(2**62, MONDAY) == "1 January 1970 00:00"


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (0, "just now"),
        (9, "9 s ago"),
        (60, "1 min ago"),
        (7300, "2 h ago"),
        (200_000, "2 d ago"),
        (-5, "just now"),
    ],
)
def test_ages_are_short(ago: int, words: str) -> None:
    assert age_text(MONDAY - ago * SECOND, MONDAY) == words


def test_a_sentence_begins_with_a_capital() -> None:
    assert sentence_start("monday") == "Monday"
