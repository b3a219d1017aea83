from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import (
    KINDS,
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
    Retitle,
)
from liven.runtime.fold import Editor, Step, UndoList, decode_steps, encode_steps

HERE = Place(1.5, 2, 30, 40, 5)
ITEM = Item("a", "α", HERE, "<Root/>", 3, "g", True)
CHANGES: tuple[Change, ...] = (
    Add(ITEM),
    Remove("a"),
    Move("a", HERE),
    Rename("a", "b"),
    Restack("a", 2),
    Regroup("a", ""),
    Lock("a", False),
    Join(Link("l", "a", "b", "x")),
    Part("l"),
    Paint("#ffffff"),
    Retitle("Day"),
    Redraw("a", "<Root/>"),
)


Steps = tuple[Step[Change], ...]


def kept(undo: Steps, redo: Steps) -> bytes:
    return encode_steps((undo, redo))


def read(data: bytes) -> tuple[Steps, Steps]:
    return decode_steps(data, (*KINDS, Item, Link, Place))


@given(st.lists(st.tuples(st.text(max_size=5), st.lists(st.sampled_from(CHANGES), max_size=4)), max_size=5))
def test_stored_steps_are_read_again(lists: list[tuple[str, list[Change]]]) -> None:
    steps = tuple(Step(0, name, tuple(changes)) for name, changes in lists)
    assert read(kept(steps, ())) == (steps, ())
    assert read(kept((), steps)) == ((), steps)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[",
        b"[]",
        b"[[],[],[]]",
        b'[[["x", [["Nothing", {}]]]], []]',
        b'[[["x", [["Remove", {"key": 5}]]]], []]',
        b'[[["x", [["Remove", {"nokey": "5"}]]]], []]',
        b'[[["x", [["Move", {"key": "a", "place": {"x": "far"}}]]]], []]',
        b"\xff\xfe",
    ],
)
def test_bytes_that_are_no_list_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        read(data)


def test_step_of_an_earlier_run_is_undone_in_a_later_one() -> None:
    first: Editor[Desktop, Change] = Editor(DesktopModel(), "ann", lambda _: None)
    first.start(None)
    first.edit("Add", Add(ITEM))
    first.edit("Unlock", Lock("a", False))
    again: Editor[Desktop, Change] = Editor(DesktopModel(), "ann", lambda _: None, origin=uuid.uuid4())
    again.undo_list = UndoList(*read(kept(*first.undo_list.steps)))
    again.start(first.state)
    assert again.undo() == "Unlock"
    assert again.state.items["a"].locked
    assert again.redo() == "Unlock"
    assert again.undo() == "Unlock"
    again.edit("Unlock again", Lock("a", False))
    assert again.undo_list.undo_names == ("Unlock again", "Add")
