"""Dates for people."""

from __future__ import annotations

from datetime import datetime

import pytest

from liven.app.start.dates import day_of


def local(*parts: int) -> datetime:
    return datetime(*parts).astimezone()  # type: ignore[arg-type]


NOW = local(2026, 5, 20, 15, 30)  # a Wednesday


@pytest.mark.parametrize(
    ("then", "said"),
    [
        (local(2026, 5, 20, 9, 5), "today, 09:05"),
        (local(2026, 5, 19, 23, 59), "yesterday"),
        (local(2026, 5, 17, 12, 0), "Sunday"),
        (local(2026, 5, 9, 12, 0), "9 May"),
        (local(2025, 12, 31, 12, 0), "31 Dec 2025"),
        (local(2026, 5, 22, 12, 0), "22 May"),
    ],
)
def test_the_nearer_a_day_the_shorter_its_name(then: datetime, said: str) -> None:
    assert day_of(then.timestamp(), NOW.timestamp()) == said


@pytest.mark.parametrize("seconds", [1e300, -1e300, float("inf"), float("nan")])
def test_a_time_that_is_none_has_no_day(seconds: float) -> None:
    assert day_of(seconds, NOW.timestamp()) == "on an unknown day"
