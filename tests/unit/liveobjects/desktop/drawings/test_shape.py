from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.drawings.shape import OUTLINES, Shape

SIDES = st.floats(1, 5000)


def test_a_filled_shape_is_touched_inside_and_not_at_its_empty_corners() -> None:
    for outline in OUTLINES:
        assert Shape(outline).touches(50, 30, 100, 60, 2)
        assert not Shape(outline).touches(50, 66, 100, 60, 2)
    assert Shape("box").touches(1, 1, 100, 60, 2)
    assert not Shape("ellipse").touches(3, 3, 100, 60, 2)
    assert not Shape("diamond").touches(10, 10, 100, 60, 2)


@pytest.mark.parametrize("outline", OUTLINES)
def test_an_unfilled_shape_is_touched_at_its_line_and_at_its_text(outline: str) -> None:
    ring = Shape(outline, fill="none")
    assert ring.touches(0, 100, 400, 200, 4)
    assert ring.touches(200, 100, 400, 200, 4, has_text=True)
    assert not ring.touches(200, 100, 400, 200, 4)
    assert not ring.touches(40, 100, 400, 200, 4, has_text=True), "what lies beneath is reached through it"


@given(st.sampled_from(OUTLINES), SIDES, SIDES)
def test_the_text_lies_inside(outline: str, width: float, height: float) -> None:
    left, top, wide, high = Shape(outline).text_area(width, height)
    assert wide > 0 and high > 0
    assert left >= 0 and top >= 0
    assert left + wide <= width + 1e-6 and top + high <= height + 1e-6


@given(st.sampled_from(OUTLINES), st.floats(1, 2000))
def test_a_shape_of_the_height_for_a_text_has_room_for_it(outline: str, text: float) -> None:
    shape = Shape(outline)
    high = shape.text_area(500, shape.height_for(text))[3]
    assert high >= text - 1e-6
