from __future__ import annotations

import hashlib
import math
from dataclasses import replace

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.drawings.ink import Ink, Point
from liven.liveobjects.desktop.drawings.recipes import recipe_of
from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.model import DesktopModel, links_of
from liven.liveobjects.desktop.state import (
    HEADS,
    HUES,
    SHAPES,
    Add,
    Change,
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
    Restyle,
    Retitle,
    SetTimer,
    Style,
    Timer,
)
from liven.liveobjects.desktop.wire import DesktopState, packed, unpacked
from liven.runtime.fold import MapDigest, RefusedError, applied
from liven.runtime.testing import Bench
from liven.types.codec import Codec
from liven.types.declare import TermBuilder

MODEL = DesktopModel()
HERE = Place(0, 0, 10, 10)
KEYS = st.sampled_from("abcd")
PLACES = st.builds(Place, *[st.sampled_from([0.0, 5.0, math.nan, 2.0]) for _ in range(5)])
STYLES = st.builds(
    Style,
    st.sampled_from([*SHAPES, "wild"]),
    st.sampled_from(HEADS),
    st.sampled_from([*HEADS, "tail"]),
    st.booleans(),
    st.sampled_from(["", *HUES, "puce"]),
)
STROKE = Ink((Point(0, 0), Point(1, 1)))
BOX, DIAMOND = recipe_of(Shape()), recipe_of(Shape("diamond", "blue"))
DRAWN = st.sampled_from(["<Root/>", BOX, DIAMOND, recipe_of(STROKE)])
CHANGES = st.one_of(
    st.builds(Add, st.builds(Item, KEYS, KEYS, PLACES, DRAWN, st.integers(-2, 2), KEYS, st.booleans())),
    st.builds(Remove, KEYS),
    st.builds(Move, KEYS, PLACES),
    st.builds(Rename, KEYS, KEYS),
    st.builds(Restack, KEYS, st.integers(-2, 2)),
    st.builds(Regroup, KEYS, KEYS),
    st.builds(Lock, KEYS, st.booleans()),
    st.builds(Join, st.builds(Link, KEYS, KEYS, KEYS)),
    st.builds(Restyle, KEYS, STYLES),
    st.builds(Part, KEYS),
    st.builds(Redraw, KEYS, DRAWN),
    st.builds(Paint, st.sampled_from(["", "#102030", "red"])),
    st.builds(Retitle, st.sampled_from(["", "Day", "x" * 200])),
    st.builds(SetTimer, st.sampled_from([None, Timer(1e9, 60.0), Timer(1e9, 1e9)])),
)


def desktop(*changes: Change) -> Desktop:
    state, _, refused = applied(MODEL, Desktop(), changes)
    assert refused == ()
    return state


def item(key: str, **other: object) -> Item:
    return replace(Item(key, key, HERE, "<Root/>"), **other)  # type: ignore[arg-type]


@given(st.lists(CHANGES, max_size=25), CHANGES)
def test_change_and_its_inverse_restore_the_state(before: list[Change], change: Change) -> None:
    state, _, _ = applied(MODEL, Desktop(), tuple(before))
    if any(one.locked for one in state.items.values()):
        return  # an item that was locked meanwhile is not restored; see below
    after, back, _ = applied(MODEL, state, (change,))
    again, _, refused = applied(MODEL, after, back)
    if not any(one.locked for one in after.items.values()):
        assert refused == ()
        assert MODEL.digest(again) == MODEL.digest(state)


@given(st.lists(CHANGES, max_size=40))
def test_any_changes_leave_a_valid_desktop(changes: list[Change]) -> None:
    state, _, _ = applied(MODEL, Desktop(), tuple(changes))
    for key, one in state.items.items():
        assert one.key == key
        assert all(map(math.isfinite, (one.place.x, one.place.y, one.place.degrees)))
        assert min(one.place.width, one.place.height) >= 1
    for link in state.links.values():
        assert {link.source, link.target} <= state.items.keys()


def test_removed_item_takes_its_connectors_and_both_come_back() -> None:
    state = desktop(Add(item("a")), Add(item("b")), Join(Link("l", "a", "b", "to")))
    after, back, _ = applied(MODEL, state, (Remove("a"),))
    assert links_of(after, "b") == ()
    again, _, _ = applied(MODEL, after, back)
    assert links_of(again, "a") == (Link("l", "a", "b", "to"),)


def test_locked_item_is_neither_moved_nor_removed() -> None:
    state = desktop(Add(item("a")), Lock("a", locked=True))
    for change in (Move("a", Place(1, 1, 2, 2)), Remove("a")):
        with pytest.raises(RefusedError, match="“a” is locked"):
            MODEL.apply(state, change)
    assert MODEL.apply(state, Rename("a", "b")).items["a"].label == "b"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Add(item("a")), "already"),
        (Move("z", HERE), "no longer on the desktop"),
        (Add(item("b", place=Place(math.inf, 0, 1, 1))), "outside the desktop"),
        (Move("a", Place(0, 0, 0.2, 5)), "too small"),
        (Rename("a", "x" * 1001), "1,001 characters; the limit is 1,000"),
        (Restack("a", 2**40), "cannot go further"),
        (Join(Link("l", "a", "a")), "two different items"),
        (Join(Link("l", "a", "z")), "no longer on the desktop"),
        (Part("l"), "already gone"),
        (Restyle("l", Style()), "already gone"),
        (Paint("red"), "use #rrggbb"),
        (Retitle("x" * 121), "121 characters; the limit is 120"),
        (SetTimer(Timer(1e9, 0.0)), "a timer of 0 seconds"),
        (SetTimer(Timer(math.nan, 60.0)), "a timer of 60 seconds"),
        (SetTimer(Timer(1e9, math.inf)), "a timer of inf seconds"),
    ],
)
def test_impossible_change_is_refused_with_the_reason(change: Change, why: str) -> None:
    state = desktop(Add(item("a")))
    with pytest.raises(RefusedError, match=why):
        MODEL.apply(state, change)


@given(st.lists(CHANGES, max_size=25), KEYS, KEYS)
def test_rename_restores_and_removes_nothing(before: list[Change], key: str, name: str) -> None:
    state, _, _ = applied(MODEL, Desktop(), tuple(before))
    after, back, refused = applied(MODEL, state, (Rename(key, name),))
    assert after.items.keys() == state.items.keys()
    assert after.links.keys() == state.links.keys()
    assert bool(refused) == (key not in {*state.items, *state.links})
    again, _, _ = applied(MODEL, after, back)
    assert again == state


def test_renaming_a_connector_changes_nothing_else() -> None:
    state = desktop(Add(item("a")), Add(item("b")), Join(Link("l", "a", "b")), Rename("l", "to"))
    assert state.links["l"] == Link("l", "a", "b", "to")


def test_items_are_stacked_by_z_and_then_by_key() -> None:
    state = desktop(Add(item("b")), Add(item("a")), Add(item("c", z=-1)), Add(item("d", z=4)))
    assert [one.key for one in state.stacked()] == ["c", "a", "b", "d"]
    assert (state.top, state.bottom) == (4, -1)
    assert (Desktop().top, Desktop().bottom) == (-1, 1)


def test_equal_desktops_have_equal_digests() -> None:
    one = desktop(Add(item("a")), Add(item("b")), Rename("a", "x"))
    other = desktop(Add(item("b")), Add(item("a", label="x")))
    assert MODEL.digest(one) == MODEL.digest(other)
    assert MODEL.digest(one) != MODEL.digest(desktop(Add(item("b"))))


def test_desktop_without_a_name_of_its_own_has_the_digest_of_older_programs() -> None:
    named = desktop(Add(item("a")), Retitle("Day"))
    assert MODEL.digest(named) != MODEL.digest(desktop(Add(item("a"))))
    assert MODEL.digest(desktop(Add(item("a")), Retitle("Day"), Retitle(""))) == MODEL.digest(
        desktop(Add(item("a")))
    )


@pytest.mark.parametrize(
    ("items", "links", "background", "why"),
    [
        ([item("a", place=replace(HERE, x=math.nan))], [], "", "outside the desktop"),
        ([item("a", place=replace(HERE, width=-1.0))], [], "", "too small"),
        ([item("a", label="x" * 10_000)], [], "", "the limit is"),
        ([item("a", z=2**40)], [], "", "cannot go further up"),
        ([item("a")], [Link("l", "a", "gone")], "", "no longer on the desktop"),
        ([item("a")], [Link("l", "a", "a")], "", "two different items"),
        ([], [], "red; x", "not a colour"),
    ],
)
def test_state_that_no_changes_lead_to_is_refused(
    items: list[Item], links: list[Link], background: str, why: str
) -> None:
    """Otherwise every frame would have to check it."""
    with pytest.raises(RefusedError, match=why):
        unpacked(DesktopState(background, items, links))


@given(st.lists(CHANGES, max_size=25))
def test_state_that_changes_lead_to_is_accepted(changes: list[Change]) -> None:
    state, _, _ = applied(MODEL, Desktop(), tuple(changes))
    again = unpacked(packed(state))
    assert MODEL.digest(again) == MODEL.digest(state)
    assert again == state


def test_a_look_of_a_connector_is_checked_and_restored() -> None:
    state = desktop(Add(item("a")), Add(item("b")), Join(Link("l", "a", "b")))
    wanted = Style("curve", "dot", "none", dashed=True, hue="green")
    after, back, _ = applied(MODEL, state, (Restyle("l", wanted),))
    assert after.style_of(after.links["l"]) == wanted
    assert not applied(MODEL, after, back)[0].styles
    for gone in (Part("l"), Remove("a")):
        without, back, _ = applied(MODEL, after, (gone,))
        assert not without.styles
        assert MODEL.digest(applied(MODEL, without, back)[0]) == MODEL.digest(after)
    assert unpacked(packed(after)) == after
    for wrong in (Style("wild"), Style(end="tail"), Style(start=""), Style(hue="#102030")):
        with pytest.raises(RefusedError, match="not a look of a connector"):
            MODEL.apply(state, Restyle("l", wrong))


def test_desktops_without_looks_keep_their_digest() -> None:
    """Programs that know no looks of connectors hash the same text."""
    state = desktop(Add(item("a")), Add(item("b")), Join(Link("l", "a", "b", "to")))
    items: MapDigest[str, Item] = MapDigest()
    links: MapDigest[str, Link] = MapDigest()
    seen = ascii(("", items.of(state.items), links.of(state.links))).encode()
    assert MODEL.digest(state) == hashlib.blake2b(seen, digest_size=16).digest()


def test_checkpoints_of_older_programs_open() -> None:
    """They are arrays of the fields in alphabetical order, without looks of connectors, name and timer."""
    with Bench() as bench:
        kind = TermBuilder(bench.known.formalisms).value_of(DesktopState)
    here = {"x": 0.0, "y": 0.0, "width": 10.0, "height": 10.0, "degrees": 0.0}
    note = {"group": "", "key": "a", "label": "a", "locked": False, "place": here, "reference": "r", "z": 0}
    older = msgpack.packb(
        ["#102030", [[*(note | {"place": [here[at] for at in sorted(here)]}).values()]], []]
    )
    state = Codec(kind).decode_compact(older)
    new = {"styles": None, "title": None, "upcoming": None}
    assert state == {"background": "#102030", "items": [note], "links": [], **new}


def test_only_a_drawing_gets_another_look_and_of_its_own_kind() -> None:
    box, stroke = recipe_of(Shape()), recipe_of(STROKE)
    state = desktop(Add(item("a", reference=box)), Add(item("b")))
    red = recipe_of(Shape(hue="pink"))
    after, back, _ = applied(MODEL, state, (Redraw("a", red),))
    assert after.items["a"].reference == red
    assert applied(MODEL, after, back)[0] == state
    for key, wrong in (("a", stroke), ("a", "<Root/>"), ("b", box), ("b", "<Root/>")):
        with pytest.raises(RefusedError, match="only a drawing gets another look"):
            MODEL.apply(state, Redraw(key, wrong))
    with pytest.raises(RefusedError, match="the limit is 1,000,000"):
        MODEL.apply(state, Redraw("a", box + " " * 1_000_000))
    with pytest.raises(RefusedError, match="no longer on the desktop"):
        MODEL.apply(state, Redraw("gone", box))


@given(st.lists(CHANGES, max_size=40))
def test_looks_belong_to_connectors_that_are_there(changes: list[Change]) -> None:
    state, _, _ = applied(MODEL, Desktop(), tuple(changes))
    assert state.styles.keys() <= state.links.keys()
    assert Style() not in state.styles.values()
    assert unpacked(packed(state)) == state
