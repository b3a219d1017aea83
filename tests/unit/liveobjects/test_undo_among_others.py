"""Undo takes back your own changes and keeps later ones by others."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.commands import rename_link
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import (
    Add,
    Change,
    Item,
    Join,
    Link,
    Lock,
    Move,
    Paint,
    Part,
    Place,
    Regroup,
    Remove,
    Rename,
    Restack,
)
from liven.liveobjects.folder.model import FolderModel
from liven.liveobjects.folder.state import Put, Take
from liven.liveobjects.image.model import ImageModel
from liven.liveobjects.image.state import Begin, Show, Slice
from liven.liveobjects.vote.model import Ask, Cast, Offer, VoteModel, Withdraw
from liven.runtime.fold import Editor, Gesture, Model


class Pair:
    """Two people on a channel that orders messages at once."""

    def __init__(self, model: type[Model[Any, Any]]) -> None:
        self.people = [Editor(model(), name, self._order) for name in ("ann", "bob")]
        for person in self.people:
            person.start(None)
        self.ann, self.bob = self.people
        self.waiting: Gesture[Any]
        self.ear = Ear()
        self.ann.listen(self.ear)

    def _order(self, gesture: Gesture[Any]) -> None:
        self.waiting = gesture

    def do(self, person: Editor[Any, Any], *changes: Any, name: str = "it") -> None:
        person.edit(name, *changes)
        self.settle()

    def undo(self, person: Editor[Any, Any]) -> str | None:
        done = person.undo()
        if done:
            self.settle()
        return done

    def redo(self, person: Editor[Any, Any]) -> str | None:
        done = person.redo()
        if done:
            self.settle()
        return done

    def settle(self) -> None:
        for person in self.people:
            person.receive(self.waiting)


class Ear:
    def __init__(self) -> None:
        self.words: list[str] = []

    def changed(self, before: Any, after: Any) -> None: ...

    def notify(self, message: str) -> None:
        self.words.append(message)


A, B, C = (Place(x, 0, 10, 10) for x in (0.0, 10.0, 20.0))
THING = Item("k", "thing", A, "<x/>")
EACH: list[tuple[Change, Change]] = [
    (Move("k", B), Move("k", C)),
    (Rename("k", "b"), Rename("k", "c")),
    (Restack("k", 5), Restack("k", 6)),
    (Regroup("k", "b"), Regroup("k", "c")),
    (Paint("#000001"), Paint("#000002")),
]


def desk() -> Pair:
    pair = Pair(DesktopModel)
    pair.do(pair.bob, Add(THING))
    return pair


@pytest.mark.parametrize(("mine", "theirs"), EACH)
def test_undo_keeps_a_value_that_somebody_else_replaced_mine_with(mine: Change, theirs: Change) -> None:
    pair = desk()
    pair.do(pair.ann, mine)
    pair.do(pair.bob, theirs)
    after = pair.ann.confirmed
    assert not pair.undo(pair.ann)
    assert pair.ear.words[-1] == "“it” can no longer be undone: others have changed it since"
    assert pair.ann.confirmed == after


@pytest.mark.parametrize(("mine", "theirs"), EACH)
def test_undo_restores_the_earlier_value_of_somebody_else(mine: Change, theirs: Change) -> None:
    pair = desk()
    pair.do(pair.bob, theirs)
    before = pair.ann.confirmed
    pair.do(pair.ann, mine)
    assert pair.undo(pair.ann) == "it"
    assert pair.ann.confirmed == before == pair.bob.confirmed
    assert pair.redo(pair.ann) == "it"
    assert pair.undo(pair.ann) == "it"
    assert pair.ann.confirmed == before


def test_undo_of_two_items_undoes_only_the_untouched_one() -> None:
    pair = desk()
    pair.do(pair.bob, Add(Item("l", "other", A, "<x/>")))
    pair.do(pair.ann, Move("k", B), Move("l", B))
    pair.do(pair.bob, Move("k", C))
    assert pair.undo(pair.ann) == "it"
    assert {key: item.place for key, item in pair.bob.confirmed.items.items()} == {"k": C, "l": A}


def test_steps_on_one_item_are_undone_one_after_the_other() -> None:
    pair = desk()
    pair.do(pair.ann, Move("k", B), Move("k", C), Rename("k", "b"))
    pair.do(pair.ann, Move("k", A))
    assert pair.undo(pair.ann) == pair.undo(pair.ann) == "it"
    assert pair.bob.confirmed.items["k"] == THING


def test_undo_leaves_items_that_others_locked_and_says_so() -> None:
    pair = desk()
    pair.do(pair.ann, Move("k", B))
    pair.do(pair.bob, Lock("k", True))
    assert not pair.undo(pair.ann)
    assert pair.ear.words == ["“it” can no longer be undone: “thing” is locked"]


def test_undo_restores_my_removed_items_although_others_moved_the_rest() -> None:
    pair = desk()
    pair.do(pair.ann, Remove("k"))
    pair.do(pair.bob, Paint("#123456"))
    assert pair.undo(pair.ann) == "it"
    assert pair.bob.confirmed.items["k"] == THING


def joined() -> Pair:
    """Make two items and a connector that ann has drawn."""
    pair = desk()
    pair.do(pair.bob, Add(Item("l", "other", B, "<x/>")))
    pair.do(pair.ann, Join(Link("line", "k", "l")), name="draw")
    return pair


def test_naming_a_connector_that_somebody_removed_fails_with_a_message() -> None:
    pair = joined()
    naming = rename_link(pair.ann.state, "line", "leads to")
    pair.ann.edit(naming.name, *naming.changes)
    mine = pair.waiting
    pair.do(pair.bob, Part("line"))  # it came first
    pair.waiting = mine
    pair.settle()
    assert not pair.ann.confirmed.links
    assert not pair.bob.confirmed.links
    assert pair.ear.words == ["Rename connector: it is no longer on the desktop"]
    assert naming.name not in pair.ann.undo_list.undo_names


def test_undoing_a_name_does_not_restore_a_removed_connector() -> None:
    pair = joined()
    naming = rename_link(pair.ann.state, "line", "leads to")
    pair.do(pair.ann, *naming.changes, name=naming.name)
    pair.undo(pair.ann)
    assert pair.bob.confirmed.links["line"].label == ""
    pair.redo(pair.ann)
    assert pair.bob.confirmed.links["line"].label == "leads to"
    pair.do(pair.bob, Part("line"))
    assert not pair.undo(pair.ann)
    assert not pair.bob.confirmed.links
    assert pair.ear.words[0] == ("“Rename connector” can no longer be undone: it is no longer on the desktop")


def test_a_moved_vote_stays_when_its_old_answer_is_restored() -> None:
    pair = Pair(VoteModel)
    pair.do(pair.ann, Offer("x", "X"), Offer("y", "Y"))
    pair.do(pair.bob, Cast("bob", "x"), Cast("eve", "x"))
    pair.do(pair.ann, Withdraw("x"))
    pair.do(pair.bob, Cast("bob", "y"))
    assert pair.undo(pair.ann) == "it"
    assert dict(pair.bob.confirmed.voices) == {"bob": "y", "eve": "x"}


def test_undo_keeps_a_question_by_somebody_else() -> None:
    pair = Pair(VoteModel)
    pair.do(pair.ann, Ask("mine?"))
    pair.do(pair.bob, Ask("theirs?"))
    assert not pair.undo(pair.ann)
    assert pair.bob.confirmed.question == "theirs?"


def test_undo_keeps_an_item_that_somebody_else_added_under_my_name() -> None:
    pair = Pair(FolderModel)
    pair.do(pair.ann, Put("a", "<mine/>"))
    pair.do(pair.bob, Take("a"), Put("a", "<theirs/>"))
    assert not pair.undo(pair.ann)
    assert dict(pair.bob.confirmed.items) == {"a": "<theirs/>"}


def test_undo_removes_an_item_under_its_numbered_name() -> None:
    pair = Pair(FolderModel)
    pair.do(pair.bob, Put("a", "<theirs/>"))
    pair.do(pair.ann, Put("a", "<mine/>"))
    assert pair.undo(pair.ann) == "it"
    assert dict(pair.bob.confirmed.items) == {"a": "<theirs/>"}


def test_undo_keeps_a_picture_that_somebody_else_showed() -> None:
    pair = Pair(ImageModel)
    for key in ("a", "b"):
        pair.do(pair.ann, Begin(key, key, "png", 1, 1, 1), Slice(key, 0, b"x"))
    pair.do(pair.ann, Show("a"), name="show")
    pair.do(pair.bob, Show("b"))
    assert not pair.undo(pair.ann)
    assert pair.bob.confirmed.shown == "b"


MOVES = st.tuples(st.sampled_from("ab"), st.sampled_from("kl"))


@given(st.lists(MOVES, max_size=12), st.integers(0, 6))
def test_undo_never_moves_an_item_that_somebody_else_moved_last(
    moves: list[tuple[str, str]], times: int
) -> None:
    pair = Pair(DesktopModel)
    pair.do(pair.bob, Add(THING), Add(Item("l", "other", A, "<x/>")))
    last: dict[str, tuple[str, Place]] = {}
    for number, (who, key) in enumerate(moves, 1):
        place = Place(float(number), 0, 10, 10)
        pair.do(pair.ann if who == "a" else pair.bob, Move(key, place))
        last[key] = who, place
    for _ in range(times):
        pair.undo(pair.ann)
    for key, (who, place) in last.items():
        if who == "b":
            assert pair.bob.confirmed.items[key].place == place
    assert pair.ann.confirmed == pair.bob.confirmed
