"""The index of items by position: their order, and which are visible where."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.spatial_index import SpatialIndex, extent, reach
from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.runtime.fold import PersistentMap

NUMBERS = st.floats(-1e5, 1e5)
SIZES = st.floats(1, 1e4)
PLACES = st.builds(
    Place, x=NUMBERS, y=NUMBERS, width=SIZES, height=SIZES, degrees=st.sampled_from([0.0, 30.0])
)
AREAS = st.tuples(NUMBERS, NUMBERS, SIZES, SIZES).map(lambda a: (a[0], a[1], a[0] + a[2], a[1] + a[3]))


def desktop(*places: Place) -> Desktop:
    items = {f"{at:02}": Item(f"{at:02}", "", place, "", -at) for at, place in enumerate(places)}
    return Desktop(PersistentMap(items))


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@given(st.lists(PLACES, max_size=12), AREAS)
def test_items_that_reach_into_an_area_are_found_in_stacking_order(
    places: list[Place], area: tuple[float, float, float, float]
) -> None:
    state = desktop(*places)
    found = SpatialIndex(state).within(area)
    assert found == [item for item in state.stacked() if overlap(reach(item.place), area)]


def test_rotated_item_reaches_as_far_as_its_corners() -> None:
    half = 140 / 2 * math.sqrt(0.5)
    assert reach(Place(0, 0, 60, 80, 45)) == pytest.approx((30 - half, 40 - half, 30 + half, 40 + half))
    assert reach(Place(0, 0, 60, 80, -90)) == pytest.approx((-10, 10, 70, 70))
    assert reach(Place(0, 0, 60, 80, 180)) == pytest.approx((0, 0, 60, 80))


def test_extent_of_items_goes_from_corner_to_corner() -> None:
    state = desktop(Place(0, 0, 60, 80, 90), Place(100, 0, 10, 10))
    assert extent(state.items.values()) == pytest.approx((-10, 0, 110, 70))
    assert SpatialIndex(state).bounds == extent(state.items.values())
    assert extent(()) == (0, 0, 0, 0)


def test_moved_items_are_always_included_in_stacking_order() -> None:
    state = desktop(Place(0, 0, 10, 10), Place(500, 0, 10, 10), Place(5, 5, 10, 10))
    found = SpatialIndex(state).within((0, 0, 20, 20), {"01"})
    assert [item.key for item in found] == ["02", "01", "00"]


def test_index_is_recomputed_only_for_other_items() -> None:
    state = desktop(Place(0, 0, 10, 10))
    spread = SpatialIndex(state)
    assert spread.of(Desktop(state.items, background="#ffffff")) is spread
    assert spread.of(desktop(Place(1, 2, 3, 4))).bounds == (1, 2, 4, 6)
