from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.model import HIGHEST, LONGEST_TITLE, DesktopModel
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place, Retitle
from liven.runtime.fold import PersistentMap, applied

MODEL = DesktopModel()
COORDINATE = st.integers(-500, 500)


def item(key: str, x: float = 0, y: float = 0, z: int = 0, **more: object) -> Item:
    return replace(Item(key, key, Place(x, y, 100, 50), "<Root/>", z), **more)  # type: ignore[arg-type]


def desktop(*items: Item, links: tuple[Link, ...] = ()) -> Desktop:
    return Desktop(
        PersistentMap({one.key: one for one in items}), PersistentMap({one.key: one for one in links})
    )


def after(state: Desktop, command: Command) -> Desktop:
    """Return the state after a command; none of its changes may be refused."""
    done, _, refused = applied(MODEL, state, command.changes)
    assert refused == ()
    return done


def order(state: Desktop) -> str:
    return "".join(one.key for one in state.stacked())


PILE = desktop(item("a", z=0), item("b", z=1), item("c", z=2), item("d", z=3))


@pytest.mark.parametrize(
    ("command", "keys", "result"),
    [
        (commands.to_front, "a", "bcda"),
        (commands.to_front, "ba", "cdab"),
        (commands.to_back, "d", "dabc"),
        (commands.to_back, "dc", "cdab"),
        (commands.forward, "a", "bacd"),
        (commands.forward, "d", "abcd"),
        (commands.backward, "d", "abdc"),
        (commands.backward, "a", "abcd"),
        (commands.forward, "ab", "cabd"),
    ],
)
def test_stacking(command: object, keys: str, result: str) -> None:
    assert order(after(PILE, command(PILE, keys))) == result  # type: ignore[operator]


def test_added_item_is_on_top() -> None:
    key, command = commands.add(PILE, "<Root/>", "new", Place(0, 0, 1, 1))
    done = after(PILE, command)
    assert done.stacked()[-1].key == key
    assert command.name == "Add new"
    assert commands.add(PILE, "", "", Place(0, 0, 1, 1))[1].name == "Add"


def test_locked_items_are_skipped() -> None:
    state = desktop(item("a"), item("b", locked=True))
    done = after(state, commands.move(state, "ab", 5, 6))
    assert (done.items["a"].place.x, done.items["b"].place.x) == (5, 0)
    assert "b" in after(state, commands.remove(state, "ab")).items
    assert commands.place(state, {"b": Place(9, 9, 9, 9)}, "Resize").changes == ()


def test_move_by_nothing_and_rename_to_the_same_change_nothing() -> None:
    assert commands.move(PILE, "a", 0, 0).changes == ()
    assert commands.rename(PILE, "a", "a").changes == ()
    assert commands.place(PILE, {"a": PILE.items["a"].place}, "Resize").changes == ()
    assert after(PILE, commands.rename(PILE, "a", "x")).items["a"].label == "x"


def test_groups_are_made_selected_and_dissolved_as_a_whole() -> None:
    done = after(PILE, commands.group(PILE, "ab"))
    assert commands.with_groups(done, "a") == {"a", "b"}
    assert commands.with_groups(done, "c") == {"c"}
    assert commands.with_groups(done, ["gone"]) == frozenset()
    ended = after(done, commands.ungroup(done, "a"))
    assert commands.with_groups(ended, "a") == {"a"}
    assert commands.group(PILE, "a").changes == ()


def test_lock_locks_all_unless_all_are_locked() -> None:
    state = desktop(item("a", locked=True), item("b"))
    locked = after(state, commands.lock(state, "ab"))
    assert all(one.locked for one in locked.items.values())
    assert commands.lock(locked, "ab").name == "Unlock"
    assert not any(one.locked for one in after(locked, commands.lock(locked, "ab")).items.values())


def test_copy_has_its_own_keys_groups_and_connectors_and_is_unlocked() -> None:
    state = desktop(
        item("a", group="g", locked=True), item("b", group="g", z=1), item("c", z=2),
        links=(Link("l", "a", "b", "to"), Link("m", "b", "c")),
    )  # fmt: skip
    keys, command = commands.duplicate(state, "ab", {}, 10, 20)
    done = after(state, command)
    copies = [done.items[key] for key in keys]
    assert [one.place.x for one in copies] == [10, 10]
    assert len({one.group for one in copies}) == 1
    assert copies[0].group not in ("", "g")
    assert not any(one.locked for one in copies)
    assert len(done.links) == 3
    assert order(done)[:3] == "abc"


def test_connector_is_drawn_once_between_two_existing_items() -> None:
    done = after(PILE, commands.connect(PILE, "a", "b"))
    assert [(one.source, one.target) for one in done.links.values()] == [("a", "b")]
    assert commands.connect(done, "a", "b").changes == ()
    assert commands.connect(done, "b", "a").changes
    assert commands.connect(done, "a", "a").changes == ()
    assert commands.connect(done, "a", "gone").changes == ()


def test_connector_is_named_and_removed_by_its_key_while_it_exists() -> None:
    state = desktop(item("a"), item("b"), links=(Link("l", "a", "b"),))
    named = after(state, commands.rename_link(state, "l", "to"))
    assert named.links["l"] == Link("l", "a", "b", "to")
    assert commands.rename_link(named, "l", "to").changes == ()
    gone = after(named, commands.disconnect(named, "l"))
    assert not gone.links
    assert commands.disconnect(gone, "l").changes == commands.rename_link(gone, "l", "x").changes == ()


def test_items_are_connected_in_reading_order() -> None:
    state = desktop(item("c", 0, 90), item("b", 300, 0), item("a", 0, 0))
    done = after(state, commands.connect_all(state, "abc"))
    assert sorted((one.source, one.target) for one in done.links.values()) == [("a", "b"), ("b", "c")]
    assert not after(done, commands.connect_all(done, "abc")).links
    assert commands.connect_all(state, "a").changes == ()


def test_resizing_by_keys_stops_at_the_smallest_size_without_a_jump() -> None:
    state = desktop(item("a"), replace(item("tiny"), place=Place(0, 0, 10, 10)), item("b", locked=True))
    low = after(state, commands.grow(state, ["a", "tiny", "b"], 0, -100))
    assert [(low.items[key].place.width, low.items[key].place.height) for key in ("a", "tiny", "b")] == [
        (100, commands.SHORTEST),
        (10, 10),
        (100, 50),
    ]
    turned = after(state, commands.turn(state, "a", -15))
    assert turned.items["a"].place.degrees == 345


SPREAD = desktop(item("a", 0, 0), item("b", 310, 30), item("c", 160, 500))


@pytest.mark.parametrize(
    ("side", "places"),
    [
        ("left", [(0, 0), (0, 30), (0, 500)]),
        ("right", [(310, 0), (310, 30), (310, 500)]),
        ("top", [(0, 0), (310, 0), (160, 0)]),
        ("bottom", [(0, 500), (310, 500), (160, 500)]),
        ("centre", [(155, 0), (155, 30), (155, 500)]),
        ("middle", [(0, 250), (310, 250), (160, 250)]),
    ],
)
def test_align(side: str, places: list[tuple[float, float]]) -> None:
    done = after(SPREAD, commands.align(SPREAD, "abc", side))
    assert [(done.items[key].place.x, done.items[key].place.y) for key in "abc"] == places
    assert commands.align(SPREAD, "a", side).changes == ()


def test_distribute_makes_gaps_equal_and_keeps_the_outermost_two() -> None:
    across = after(SPREAD, commands.distribute(SPREAD, "abc", across=True))
    assert [across.items[key].place.x for key in "acb"] == [0, 155, 310]
    down = after(SPREAD, commands.distribute(SPREAD, "abc", across=False))
    assert [down.items[key].place.y for key in "abc"] == [0, 250, 500]
    assert commands.distribute(SPREAD, "ab", across=True).changes == ()


def test_bounds_of_nothing_are_zeros() -> None:
    assert commands.bounds([]) == (0, 0, 0, 0)
    assert commands.bounds(SPREAD.items.values()) == (0, 0, 410, 550)


@given(
    st.lists(
        st.tuples(st.integers(-500, 500), st.integers(-500, 500), st.booleans()), min_size=1, max_size=6
    ),
    st.sampled_from(["remove", "group", "lock", "to_front", "to_back", "forward", "backward"]),
    st.sets(st.integers(0, 7)),
)
def test_no_command_is_refused_and_each_can_be_undone(
    places: list[tuple[int, int, bool]], name: str, selected: set[int]
) -> None:
    state = desktop(*(item(str(n), x, y, n, locked=locked) for n, (x, y, locked) in enumerate(places)))
    command: Command = getattr(commands, name)(state, [str(n) for n in selected])
    done, back, refused = applied(MODEL, state, command.changes)
    assert refused == ()
    again, _, refused = applied(MODEL, done, back)
    assert refused == ()
    assert MODEL.digest(again) == MODEL.digest(state)


@pytest.mark.parametrize("far", [HIGHEST, -HIGHEST])
def test_item_at_the_highest_z_does_not_prevent_stacking(far: int) -> None:
    state = desktop(item("a", 0, 0, 0), item("b", 0, 0, far), item("c", 0, 0, 1))
    front = after(state, commands.to_front(state, ["a"]))
    assert front.stacked()[-1].key == "a"
    back = after(state, commands.to_back(state, ["c"]))
    assert back.stacked()[0].key == "c"
    key, command = commands.add(state, "<x/>", "new", Place(0, 0, 10, 10))
    assert key in after(state, command).items


def linked(pairs: str) -> Desktop:
    """Return items named by letters; each pair of letters is a connector."""
    names = sorted(set(pairs) - {" "})
    links = (Link(pair, pair[0], pair[1]) for pair in pairs.split())
    return desktop(*(item(name, x=at) for at, name in enumerate(names)), links=tuple(links))


def connectors(state: Desktop) -> str:
    return " ".join(sorted(link.source + link.target for link in state.links.values()))


@pytest.mark.parametrize(
    ("pairs", "gone", "left"),
    [
        ("ab bc", "b", "ac"),
        ("ab bc cd", "bc", "ad"),
        ("ab bc ac", "b", "ac"),
        ("ax bx xc xd", "x", "ac ad bc bd"),
        ("ab ba", "b", ""),
        ("ab bc cb bd", "bc", "ad"),
        ("ab bc", "a", "bc"),
        ("ab bc", "c", "ab"),
        ("ab cd", "abcd", ""),
    ],
)
def test_removing_an_item_with_reconnect_connects_its_neighbours(pairs: str, gone: str, left: str) -> None:
    state = linked(pairs)
    done = after(state, commands.remove_through(state, gone))
    assert connectors(done) == left
    assert not set(gone) & done.items.keys()


def test_locked_item_stays_with_its_connectors() -> None:
    state = linked("ab bc")
    state = after(state, commands.lock(state, "b"))
    assert commands.remove_through(state, "b").changes == ()


def test_connect_all_connects_in_order_and_disconnects_when_connected() -> None:
    state = linked("ad bd cd")
    done = after(state, commands.connect_all(state, "abc"))
    assert connectors(done) == "ab ad bc bd cd"
    assert connectors(after(done, commands.connect_all(done, "abc"))) == "ad bd cd"
    assert commands.connect_all(done, "a").changes == ()


def test_desktop_gets_a_name_in_one_line_that_is_short_enough() -> None:
    command = commands.retitle(Desktop(), f"  Open\n day {'x' * 200}")
    [change] = command.changes
    assert isinstance(change, Retitle)
    assert change.title.startswith("Open day x")
    assert len(change.title) == LONGEST_TITLE
    assert commands.retitle(Desktop(title="Day"), " Day ").changes == ()
