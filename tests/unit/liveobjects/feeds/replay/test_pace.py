from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.pace import MAX, SPEEDS, Pace, checked_speed, next_speed

CLOCKS = st.floats(0, 1e8)
SPEED = st.floats(0.1, 1000)
TIMES = st.integers(0, 2**52)
LATER = st.integers(0, 10**13)


@given(CLOCKS, TIMES, SPEED, LATER)
def test_moment_at_a_clock_is_the_last_one_that_is_due(
    clock: float, time: int, speed: float, later: int
) -> None:
    pace = Pace(clock, time, speed)
    now = pace.due(time + later)
    shown = pace.time_at(now)
    assert shown is not None
    assert pace.due(shown) <= now < pace.due(shown + 1)
    assert shown >= time + later


@given(CLOCKS, TIMES, SPEED, st.lists(LATER, min_size=1))
def test_deadlines_do_not_depend_on_each_other(
    clock: float, time: int, speed: float, steps: list[int]
) -> None:
    pace = Pace(clock, time, speed)
    for later in steps:
        assert pace.due(time + later) == pytest.approx(clock + later / 1e6 / speed, rel=1e-12, abs=1e-9)


def test_max_never_waits() -> None:
    pace = Pace(5.0, 100, MAX)
    assert pace.due(10**18) == float("-inf")
    assert pace.time_at(6.0) is None


@pytest.mark.parametrize("speed", [0.0, -1.0, 0.09, 1000.1, float("nan"), float("-inf")])
def test_impossible_speeds_are_refused(speed: float) -> None:
    with pytest.raises(ReplayError, match=r"choose 0\.1 to 1000, or max"):
        checked_speed(speed)


def test_keys_go_through_the_speeds_and_stop_at_both_ends() -> None:
    up, speed = [], 0.1
    while (faster := next_speed(speed, faster=True)) != speed:
        up.append(speed := faster)
    assert (0.1, *up) == SPEEDS
    assert next_speed(0.1, faster=False) == 0.1
    assert next_speed(3.0, faster=True) == 5.0
    assert next_speed(3.0, faster=False) == 2.0
    assert next_speed(MAX, faster=False) == 1000.0
