from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.snap import GRID, Box, Snap, snap, snap_side
from liven.liveobjects.desktop.state import Item, Place

NEAR = Item("n", "n", Place(200, 200, 100, 50), "")


def test_nearby_edge_attracts() -> None:
    found = snap(Box(197, 500, 297, 550), [NEAR], 8, grid=False)
    assert found == Snap(3, 0, 200, None)


def test_nearest_edge_or_centre_wins() -> None:
    found = snap(Box(0, 223, 100, 229), [NEAR], 8, grid=False)
    assert (found.dy, found.level) == (-1, 225)


def test_edges_take_precedence_over_the_grid() -> None:
    other = Item("o", "o", Place(205, 0, 10, 10), "")
    found = snap(Box(201, 500, 240, 540), [other], 8, grid=True)
    assert (found.dx, found.upright) == (4, 205)


def test_grid_attracts_without_an_edge_and_has_no_line() -> None:
    assert snap(Box(38, 61, 100, 100), [], 8, grid=True) == Snap(2, -1, None, None)
    assert snap(Box(38, 61, 100, 100), [], 8, grid=False) == Snap(0, 0, None, None)
    assert snap(Box(50, 50, 100, 100), [], 8, grid=True) == Snap(0, 0, None, None)


@given(st.floats(-1e5, 1e5), st.floats(-1e5, 1e5), st.floats(0.1, GRID / 2), st.booleans())
def test_box_is_never_moved_further_than_the_reach(x: float, y: float, reach: float, grid: bool) -> None:
    found = snap(Box(x, y, x + 30, y + 30), [NEAR], reach, grid=grid)
    assert abs(found.dx) <= reach
    assert abs(found.dy) <= reach


def test_only_the_resized_sides_snap() -> None:
    box = Box(197, 41, 243, 247)
    assert snap_side(box, (-1, 0), [NEAR], 8, grid=True) == Snap(3, 0, 200, None)
    assert snap_side(box, (0, 1), [NEAR], 8, grid=True) == Snap(0, 3, None, 250)
    assert snap_side(box, (1, -1), [NEAR], 8, grid=True) == Snap(7, -1, 250, None)
    assert snap_side(box, (1, -1), [NEAR], 2, grid=False) == Snap(0, 0, None, None)
