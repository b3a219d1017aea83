from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.drawings.ink import MOST_POINTS, WIDTHS, Ink, Point, decoded, encoded
from liven.liveobjects.desktop.drawings.recipes import drawing_of, ink_of, recipe_of, shape_of
from liven.liveobjects.desktop.drawings.shape import FILLS, LINES, OUTLINES, Shape
from liven.liveobjects.desktop.frames import frame_recipe
from liven.liveobjects.desktop.state import HUES

SHAPES = st.builds(
    Shape,
    st.sampled_from(OUTLINES),
    st.sampled_from(["", *HUES]),
    st.sampled_from(FILLS),
    st.sampled_from(LINES),
)
POINTS = st.lists(st.builds(Point, st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)), max_size=20)


@given(SHAPES)
def test_a_shape_comes_back_from_its_recipe(shape: Shape) -> None:
    assert drawing_of(recipe_of(shape)) == shape == shape_of(recipe_of(shape))
    assert ink_of(recipe_of(shape)) is None


@given(POINTS, st.sampled_from(["", *HUES]), st.sampled_from(list(WIDTHS)))
def test_a_stroke_comes_back_from_its_recipe(points: list[Point], hue: str, width: str) -> None:
    ink = Ink(decoded(encoded(points)), hue, width)
    assert drawing_of(recipe_of(ink)) == ink == ink_of(recipe_of(ink))
    assert shape_of(recipe_of(ink)) is None


def test_other_recipes_hold_no_drawing() -> None:
    shape = recipe_of(Shape())
    for other in ("", "<Root/>", "liven:shape", frame_recipe(), shape[:-9], shape.replace("shape", "shapes")):
        assert drawing_of(other) is None


def test_a_stroke_of_most_points_fits_into_an_item() -> None:
    full = Ink(tuple(Point(at / MOST_POINTS, at / MOST_POINTS, 0.9) for at in range(MOST_POINTS)))
    assert len(recipe_of(full)) < 20_000
