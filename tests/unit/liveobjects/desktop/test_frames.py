from __future__ import annotations

from liven.liveobjects.desktop.frames import (
    AROUND,
    add_frame,
    frame_recipe,
    is_frame,
    place_around,
    with_contents,
)
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Add, Desktop, Item, Place
from liven.runtime.fold import applied


def desktop(**places: Place) -> Desktop:
    items = [Add(Item(key, key, place, "<Root/>")) for key, place in places.items()]
    return applied(DesktopModel(), Desktop(), tuple(items))[0]


def test_a_frame_is_told_by_its_recipe() -> None:
    assert is_frame(frame_recipe())
    assert not is_frame("<Root/>")
    assert not is_frame("liven:frame, and not a recipe")
    assert not is_frame(frame_recipe().replace("liven:frame", "liven:frames"))


def test_a_new_frame_lies_beneath_all_items_and_holds_what_it_surrounds() -> None:
    state = desktop(a=Place(0, 0, 100, 100), b=Place(300, 50, 100, 100), out=Place(380, 0, 100, 30))
    place = place_around([state.items["a"], state.items["b"]])
    assert place == Place(-AROUND, -AROUND, 400 + 2 * AROUND, 150 + 2 * AROUND)
    key, command = add_frame(state, place)
    state = applied(DesktopModel(), state, command.changes)[0]
    assert state.stacked()[0].key == key
    assert with_contents(state, {key}) == {key, "a", "b"}, "what juts out stays"
    assert with_contents(state, {"a"}) == {"a"}
    assert with_contents(state, {"gone"}) == set()


def test_a_frame_in_a_frame_is_held_with_its_contents() -> None:
    state = desktop(a=Place(50, 50, 10, 10))
    inner, command = add_frame(state, Place(40, 40, 100, 100))
    state = applied(DesktopModel(), state, command.changes)[0]
    outer, command = add_frame(state, Place(0, 0, 300, 300))
    state = applied(DesktopModel(), state, command.changes)[0]
    assert with_contents(state, {outer}) == {outer, inner, "a"}
    assert with_contents(state, {inner}) == {inner, "a"}
