"""The laws of a desktop's history: differences are told, and a restoration leads back to a state."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.drawings.recipes import recipe_of
from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import (
    Add,
    Desktop,
    Item,
    Join,
    Link,
    Lock,
    Move,
    Paint,
    Part,
    Place,
    Redraw,
    Regroup,
    Remove,
    Rename,
    Restack,
    Retitle,
)
from liven.liveobjects.desktop.wire import packed
from liven.liveobjects.feeds.history.desktop_history import (
    BACKGROUND,
    ITEM,
    LINK,
    TITLE,
    differences,
    restoration,
    touched,
)
from liven.liveobjects.feeds.history.difference import Act
from liven.runtime.fold import applied

KEYS = st.sampled_from("abcd")
PLACES = st.sampled_from([Place(0, 0, 10, 10), Place(5, 5, 20, 20, 30), Place(-1, 2, 30, 40)])
Z = st.integers(-2, 2)
DRAWN = st.sampled_from([recipe_of(Shape()), recipe_of(Shape("diamond", "blue"))])
RECIPES = st.one_of(KEYS, DRAWN)
ITEMS = st.builds(Item, KEYS, st.sampled_from(["", "Plan"]), PLACES, RECIPES, Z, KEYS, st.booleans())
CHANGES = st.one_of(
    st.builds(Add, ITEMS),
    st.builds(Remove, KEYS),
    st.builds(Move, KEYS, PLACES),
    st.builds(Rename, KEYS, KEYS),
    st.builds(Restack, KEYS, Z),
    st.builds(Regroup, KEYS, KEYS),
    st.builds(Lock, KEYS, st.booleans()),
    st.builds(Join, st.builds(Link, KEYS, KEYS, KEYS, KEYS)),
    st.builds(Part, KEYS),
    st.builds(Redraw, KEYS, DRAWN),
    st.builds(Paint, st.sampled_from(["", "#102030"])),
    st.builds(Retitle, st.sampled_from(["", "Day"])),
)
MODEL = DesktopModel()
A, B = Item("a", "Plan", Place(0, 0, 10, 10), "x"), Item("b", "", Place(40, 0, 10, 10), "y")


def after(state: Desktop, *changes: Any) -> Desktop:
    made, _, refused = applied(MODEL, state, changes)
    assert not refused
    return made


def some(*changes: Any) -> Desktop:
    return after(Desktop(), *changes)


@given(st.lists(CHANGES, max_size=25), st.lists(CHANGES, max_size=25))
def test_restoration_of_everything_gives_the_earlier_state_and_nothing_is_refused(
    first: list[Any], second: list[Any]
) -> None:
    then = applied(MODEL, MODEL.empty(), tuple(first))[0]
    now = applied(MODEL, then, tuple(second))[0]
    made, _, refused = applied(MODEL, now, restoration(now, then))
    assert not refused
    assert packed(made) == packed(then)
    assert not differences(then, made)


@given(st.lists(CHANGES, max_size=25), st.lists(CHANGES, max_size=25), st.integers(0, 100))
def test_restoration_of_one_thing_makes_that_difference_disappear(
    first: list[Any], second: list[Any], at: int
) -> None:
    then = applied(MODEL, MODEL.empty(), tuple(first))[0]
    now = applied(MODEL, then, tuple(second))[0]
    there = differences(then, now)
    items = [one.key for one in there if not one.key.startswith(LINK)]
    if not items:
        return
    key = items[at % len(items)]
    made, _, refused = applied(MODEL, now, restoration(now, then, [key]))
    assert not refused
    assert key not in {one.key for one in differences(then, made)}
    assert {one.key for one in differences(then, made) if one.key.startswith(ITEM)} <= {
        one.key for one in there
    }


@given(st.lists(CHANGES, max_size=25), CHANGES)
def test_every_difference_of_one_change_is_touched_by_it(first: list[Any], change: Any) -> None:
    before = applied(MODEL, MODEL.empty(), tuple(first))[0]
    now = applied(MODEL, before, (change,))[0]
    if now is not before:
        assert {one.key for one in differences(before, now)} <= set(touched(change, before))


@given(st.lists(CHANGES, max_size=25), st.lists(CHANGES, max_size=25))
def test_undo_of_a_restoration_gives_the_present_again(first: list[Any], second: list[Any]) -> None:
    then = applied(MODEL, MODEL.empty(), tuple(first))[0]
    now = applied(MODEL, then, tuple(second))[0]
    made, inverse, _ = applied(MODEL, now, restoration(now, then))
    assert packed(applied(MODEL, made, inverse)[0]) == packed(now)


def test_differences_say_what_happened_to_an_item() -> None:
    then = some(Add(A), Add(B))
    now = after(then, Move("a", Place(30, -5, 20, 10)), Rename("a", "Big plan"), Remove("b"))
    moved, gone = differences(then, now)
    assert (moved.key, moved.act, moved.name) == (ITEM + "a", Act.MOVED, "“Big plan”")
    assert moved.detail == "30 to the right, 5 up, now 20 × 10; renamed from “Plan”"
    assert (gone.key, gone.act) == (ITEM + "b", Act.REMOVED)


def test_a_connector_and_the_background_are_told_by_name() -> None:
    then = some(Add(A), Add(Item("b", "Crew", B.place, "y")))
    now = after(then, Join(Link("l", "a", "b")), Paint("#102030"), Retitle("Open day"))
    link, background, title = differences(then, now)
    assert (title.key, title.detail) == (TITLE, "now “Open day”")
    assert packed(after(now, *restoration(now, then, [TITLE]))).title is None
    assert (link.act, link.name) == (Act.ADDED, "Connector from “Plan” to “Crew”")
    assert (background.key, background.detail) == (BACKGROUND, "now #102030")


def test_a_removed_item_comes_back_with_its_connectors() -> None:
    then = some(Add(A), Add(B), Join(Link("l", "a", "b")))
    now = after(then, Remove("a"))
    made = after(now, *restoration(now, then, [ITEM + "a"]))
    assert packed(made) == packed(then)


def test_a_locked_item_is_unlocked_moved_back_and_locked_again() -> None:
    then = some(Add(A), Lock("a", True))
    now = after(then, Lock("a", False), Move("a", B.place), Lock("a", True))
    assert restoration(now, then) == (Lock("a", False), Move("a", A.place), Lock("a", True))


def test_an_object_that_replaced_another_under_its_key_keeps_foreign_connectors() -> None:
    then = some(Add(A), Add(B), Join(Link("l", "a", "b")))
    now = after(then, Remove("a"), Add(Item("a", "Other", A.place, "z")), Join(Link("m", "b", "a")))
    made = after(now, *restoration(now, then, [ITEM + "a"]))
    assert made.items["a"] == A
    assert set(made.links) == {"l", "m"}


@pytest.mark.parametrize("keys", [[], ["item:none"]])
def test_nothing_chosen_restores_nothing(keys: list[str]) -> None:
    assert restoration(some(Add(A)), Desktop(), keys) == ()
