from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.drawings.ink import (
    MOST_POINTS,
    PLAIN,
    Ink,
    Point,
    decoded,
    encoded,
    smoothed,
    thinned,
)

SHARE = st.floats(0, 1)
POINTS = st.lists(st.builds(Point, SHARE, SHARE, SHARE), max_size=60)
DRAWN = st.lists(st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4), SHARE), min_size=1, max_size=80)


@given(POINTS)
def test_points_come_back_from_a_recipe(points: list[Point]) -> None:
    again = decoded(encoded(points))
    assert len(again) == len(points)
    for one, other in zip(points, again, strict=True):
        assert math.dist(one, other) < 0.01
    assert decoded(encoded(again)) == again


@pytest.mark.parametrize(
    "text",
    ["1", "1,2,3,4", "a,b", "1,-2", "10001,0", "٣,٣", "1 ,2", "0,0 " * (MOST_POINTS + 1), "9" * 9999 + ",1"],
)
def test_damaged_points_are_none(text: str) -> None:
    assert decoded(text) == ()


@given(DRAWN, st.floats(0.1, 20))
def test_a_thinned_line_is_near_all_its_points(drawn: list[tuple[float, float, float]], off: float) -> None:
    kept = thinned(drawn, off)
    assert {kept[0], kept[-1]} <= {drawn[0], drawn[-1]}
    ink = [one[:2] for one in kept]
    for x, y, _ in drawn:
        near = min((_distance((x, y), *ends) for ends in pairwise(ink)), default=math.dist((x, y), ink[0]))
        assert near <= off + 1e-6


def test_a_long_line_is_thinned_to_the_points_of_one_stroke() -> None:
    zigzag = [(float(at), 40.0 * (at % 2), PLAIN) for at in range(3 * MOST_POINTS)]
    assert 2 <= len(thinned(zigzag, 0.5)) <= MOST_POINTS


@given(DRAWN)
def test_smoothing_keeps_the_ends_and_the_number(drawn: list[tuple[float, float, float]]) -> None:
    made = smoothed(drawn)
    assert (len(made), made[0], made[-1]) == (len(drawn), drawn[0], drawn[-1])
    assert max(x for x, _, _ in made) <= max(x for x, _, _ in drawn) + 1e-6


@given(POINTS.filter(bool), st.floats(1, 900), st.floats(1, 900))
def test_the_line_lies_inside_its_area_and_is_touched_there(
    points: list[Point], width: float, height: float
) -> None:
    ink = Ink(tuple(points))
    for x, y, _ in ink.placed(width, height):
        assert -1e-6 <= x <= width + 1e-6 and -1e-6 <= y <= height + 1e-6
        assert ink.touches(x, y, width, height, 0.1)
    assert not ink.touches(-50, -50, width, height, 4)


def test_an_empty_stroke_is_never_touched() -> None:
    assert not Ink(()).touches(0, 0, 10, 10, 100)
    assert Ink(()).placed(10, 10) == []


def test_a_pen_that_presses_harder_draws_a_broader_line() -> None:
    light, hard = (Ink((Point(0, 0, pressure), Point(1, 1, pressure))) for pressure in (0.1, 0.9))
    assert light.placed(100, 100)[0][2] < Ink((Point(0, 0),)).thickness < hard.placed(100, 100)[0][2]
    assert light.is_even
    assert not Ink((Point(0, 0, 0.1), Point(1, 1, 0.9))).is_even


def _distance(at: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    part = 0.0 if not length else ((at[0] - start[0]) * dx + (at[1] - start[1]) * dy) / length
    part = min(max(part, 0.0), 1.0)
    return math.dist(at, (start[0] + part * dx, start[1] + part * dy))
