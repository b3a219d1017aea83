from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop import connector_routes as module
from liven.liveobjects.desktop.connector_routes import (
    ConnectorRoutes,
    distance_to_line,
    line_between,
    route_between,
)
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.runtime.fold import PersistentMap

A, B = Place(0, 0, 100, 100), Place(300, 0, 100, 100)
NUMBERS = st.integers(-1000, 1000)


def desktop(*links: Link, **places: Place) -> Desktop:
    items = {key: Item(key, key, place, "") for key, place in places.items()}
    return Desktop(PersistentMap(items), PersistentMap({link.key: link for link in links}))


def test_line_goes_from_edge_to_edge_between_the_centres() -> None:
    assert line_between(A, B) == (100, 50, 300, 50)
    assert line_between(B, A) == (300, 50, 100, 50)
    assert line_between(A, Place(0, 300, 100, 50)) == (50, 100, 50, 300)
    assert line_between(A, A) == (50, 50, 50, 50)


def test_line_ends_at_the_corner_of_a_rotated_item() -> None:
    x0, y0, x1, y1 = line_between(A, replace(B, degrees=45))
    assert (x0, y0) == (100, 50)
    assert y1 == pytest.approx(50)
    assert x1 == pytest.approx(350 - 50 * 2**0.5)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_line_ends_within_its_items_however_they_lie(x: int, y: int, w: int, h: int) -> None:
    other = Place(x, y, abs(w) + 1, abs(h) + 1)
    x0, y0, x1, y1 = line_between(A, other)
    assert -1e-6 <= x0 <= 100 + 1e-6 and -1e-6 <= y0 <= 100 + 1e-6
    assert x - 1e-6 <= x1 <= x + other.width + 1e-6 and y - 1e-6 <= y1 <= y + other.height + 1e-6


def test_visible_connectors_are_found_and_follow_a_moved_item() -> None:
    web = ConnectorRoutes(desktop(Link("l", "a", "b"), Link("m", "b", "c"), a=A, b=B, c=Place(900, 0, 9, 9)))
    assert [link.key for link, _ in web.within((150, 0, 250, 100), {})] == ["l"]
    assert [link.key for link, _ in web.within((0, 0, 2000, 100), {})] == ["l", "m"]
    assert web.within((150, 200, 250, 300), {}) == []
    moved = {"a": replace(A, y=500), "b": replace(B, y=500)}
    [(link, route)] = web.within((150, 540, 250, 560), moved)
    assert (link.key, route.line) == ("l", (100, 550, 300, 550))


def test_routes_are_recomputed_only_for_other_items_or_connectors() -> None:
    state = desktop(Link("l", "a", "b"), a=A, b=B)
    web = ConnectorRoutes(state)
    assert web.of(replace(state, background="#102030")) is web
    assert web.of(replace(state, links=PersistentMap())) is not web
    assert ConnectorRoutes(Desktop()).within((0, 0, 9, 9), {}) == []


def test_number_of_visible_connectors_is_limited() -> None:
    links = [Link(f"{number:05}", "a", "b") for number in range(module.MOST + 5)]
    found = ConnectorRoutes(desktop(*links, a=A, b=B)).within((0, 0, 500, 500), {})
    assert len(found) == module.MOST


def test_distance_of_a_point_from_a_line_and_from_its_ends() -> None:
    assert distance_to_line(5, 3, (0, 0, 10, 0)) == 3
    assert distance_to_line(-3, 4, (0, 0, 10, 0)) == 5
    assert distance_to_line(3, 4, (0, 0, 0, 0)) == 5


def test_curves_and_corners_join_the_sides_that_face_each_other() -> None:
    right, low = replace(B, y=200), Place(20, 400, 100, 100)
    assert route_between("corners", A, right).points == ((100, 50), (200, 50), (200, 250), (300, 250))
    assert route_between("corners", A, low).points == ((50, 100), (50, 250), (70, 250), (70, 400))
    assert route_between("corners", A, B).points == ((100, 50), (300, 50)), "no corner where none is needed"
    curve = route_between("curve", A, right)
    assert (curve.points[0], curve.points[-1]) == ((100, 50), (300, 250))
    assert curve.middle[0] == pytest.approx((200, 150))
    assert curve.bends[1] == (200, 50), "it leaves straight on"
    assert route_between("curve", A, replace(A, x=50)).shape == "straight", "they overlap"


@given(NUMBERS, NUMBERS, st.sampled_from(["straight", "curve", "corners"]))
def test_the_middle_of_a_route_lies_on_it(x: int, y: int, shape: str) -> None:
    route = route_between(shape, A, Place(x, y, 80, 40))
    (mx, my), _ = route.middle
    assert route.distance(mx, my) < 1e-6
    assert route.may_reach((mx - 1, my - 1, mx + 1, my + 1))
