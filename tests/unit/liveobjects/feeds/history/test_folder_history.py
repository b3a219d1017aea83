"""The laws of a folder's history."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.history.difference import Act
from liven.liveobjects.feeds.history.folder_history import ENTRY, differences, restoration, touched
from liven.liveobjects.folder.model import FolderModel
from liven.liveobjects.folder.state import Content, Put, Rename, Take
from liven.liveobjects.folder.wire import packed
from liven.runtime.fold import PersistentMap, applied

NAMES = st.sampled_from(["a", "b", "c", "a (2)"])
CHANGES = st.one_of(st.builds(Put, NAMES, NAMES), st.builds(Take, NAMES), st.builds(Rename, NAMES, NAMES))
MODEL = FolderModel()


def after(state: Content, changes: list[Any]) -> Content:
    return applied(MODEL, state, tuple(changes))[0]


@given(st.lists(CHANGES, max_size=15), st.lists(CHANGES, max_size=15))
def test_restoration_gives_the_earlier_content_and_nothing_is_refused(
    first: list[Any], second: list[Any]
) -> None:
    then = after(Content(), first)
    now = after(then, second)
    made, _, refused = applied(MODEL, now, restoration(now, then))
    assert not refused
    assert packed(made) == packed(then)


@given(st.lists(CHANGES, max_size=15), CHANGES)
def test_every_difference_of_one_change_is_touched_by_it(first: list[Any], change: Any) -> None:
    before = after(Content(), first)
    now = after(before, [change])
    if now is not before:
        assert {one.key for one in differences(before, now)} <= set(touched(change, before))


def test_entries_are_told_by_name() -> None:
    then = Content(PersistentMap({"plan": "x", "rota": "y"}))
    now = Content(PersistentMap({"plan": "z", "menu": "y"}))
    added, changed, removed = differences(then, now)
    assert (added.act, added.name) == (Act.ADDED, "“menu”")
    assert (changed.act, changed.key) == (Act.CHANGED, ENTRY + "plan")
    assert (removed.act, removed.name) == (Act.REMOVED, "“rota”")


def test_one_entry_is_restored_alone() -> None:
    then = Content(PersistentMap({"plan": "x", "rota": "y"}))
    assert restoration(Content(), then, [ENTRY + "rota"]) == (Put("rota", "y"),)
