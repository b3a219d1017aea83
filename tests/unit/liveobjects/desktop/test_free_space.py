from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.free_space import CASCADE, GAP, STEP, find_free_space
from liven.liveobjects.desktop.state import Item, Place


def item(key: str, x: float, y: float, width: float = 100, height: float = 100) -> Item:
    return Item(key, key, Place(x, y, width, height), "")


def test_empty_position_is_used_unchanged() -> None:
    assert find_free_space([], 100, 100, 7, 9) == (7, 9)
    assert find_free_space([item("far", 1000, 0)], 100, 100, 7, 9) == (7, 9)


def test_occupied_position_gives_the_nearest_free_one() -> None:
    x, y = find_free_space([item("a", 0, 0)], 100, 100, 0, 0)
    assert (x, y) != (0, 0)
    assert max(abs(x), abs(y)) <= 100 + GAP + 40


def test_full_desktop_puts_the_item_on_top() -> None:
    assert find_free_space([item("all", -9000, -9000, 18000, 18000)], 100, 100, 3, 4) == (3, 4)


@given(st.lists(st.tuples(st.integers(-300, 300), st.integers(-300, 300)), max_size=6))
def test_added_items_cover_nothing(places: list[tuple[int, int]]) -> None:
    items = [item(str(at), *place) for at, place in enumerate(places)]
    x, y = find_free_space(items, 120, 80, 0, 0)
    for one in items:
        place = one.place
        apart = x >= place.x + 100 or place.x >= x + 120 or y >= place.y + 100 or place.y >= y + 80
        assert apart


def test_added_items_cascade_within_bounds_on_a_full_desktop() -> None:
    items = [item("all", -9000, -9000, 18000, 18000)]
    for number in range(4):
        spot = find_free_space(items, 100, 100, 0, 0, (-200, -200, 180, 180))
        assert spot == ((number * CASCADE, number * CASCADE) if number < 4 else (0, 0))
        items.append(item(str(number), *spot))
    items.append(item("4", 4 * CASCADE, 4 * CASCADE))
    assert find_free_space(items, 100, 100, 0, 0, (-200, -200, 180, 180)) == (0, 0)


@given(
    st.lists(st.tuples(st.integers(-300, 300), st.integers(-300, 300)), max_size=8),
    st.integers(130, 400),
    st.integers(90, 400),
)
def test_item_added_in_view_stays_in_view_and_covers_nothing_if_possible(
    places: list[tuple[int, int]], across: int, down: int
) -> None:
    items = [item(str(at), *place) for at, place in enumerate(places)]
    view = (-across, -down, across, down)
    x, y = find_free_space(items, 120, 80, 0, 0, view)
    assert view[0] <= x <= view[2] - 120
    assert view[1] <= y <= view[3] - 80
    spots = [
        (a, b)
        for a in range(-400, 401, round(STEP))
        for b in range(-400, 401, round(STEP))
        if view[0] <= a <= view[2] - 120 and view[1] <= b <= view[3] - 80 and not _touches(items, a, b)
    ]
    if spots:
        assert (x, y) in spots
        assert max(abs(x), abs(y)) == min(max(abs(a), abs(b)) for a, b in spots), "the nearest"
    else:
        assert x == y, "it lies on the way down to the right"


def _touches(items: list[Item], x: float, y: float) -> bool:
    """True if an item of 120 × 80 there covers one of these, or the gap around it."""
    return any(
        one.place.x - GAP < x + 120
        and x < one.place.x + 100 + GAP
        and one.place.y - GAP < y + 80
        and y < one.place.y + 100 + GAP
        for one in items
    )
