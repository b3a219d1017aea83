from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.room import GAP, room_for
from liven.liveobjects.desktop.state import Item, Place


def item(key: str, x: float, y: float, width: float = 100, height: float = 100) -> Item:
    return Item(key, key, Place(x, y, width, height), "")


def test_where_nothing_lies_it_is_laid_just_there() -> None:
    assert room_for([], 100, 100, 7, 9) == (7, 9)
    assert room_for([item("far", 1000, 0)], 100, 100, 7, 9) == (7, 9)


def test_what_is_taken_is_passed_over_for_the_nearest_room() -> None:
    x, y = room_for([item("a", 0, 0)], 100, 100, 0, 0)
    assert (x, y) != (0, 0)
    assert max(abs(x), abs(y)) <= 100 + GAP + 40


def test_where_all_is_full_it_lies_on_top() -> None:
    assert room_for([item("all", -9000, -9000, 18000, 18000)], 100, 100, 3, 4) == (3, 4)


@given(st.lists(st.tuples(st.integers(-300, 300), st.integers(-300, 300)), max_size=6))
def test_what_is_laid_down_covers_nothing(places: list[tuple[int, int]]) -> None:
    items = [item(str(at), *place) for at, place in enumerate(places)]
    x, y = room_for(items, 120, 80, 0, 0)
    for one in items:
        place = one.place
        apart = x >= place.x + 100 or place.x >= x + 120 or y >= place.y + 100 or place.y >= y + 80
        assert apart
