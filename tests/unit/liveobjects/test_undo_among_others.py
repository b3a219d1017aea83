"""Undo takes back what one did oneself. What others did since to the same things stays."""

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
    """Two people on one channel that orders at once."""

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
def test_what_another_put_in_place_of_ones_own_stays(mine: Change, theirs: Change) -> None:
    pair = desk()
    pair.do(pair.ann, mine)
    pair.do(pair.bob, theirs)
    after = pair.ann.confirmed
    assert not pair.undo(pair.ann)
    assert pair.ear.words[-1] == "“it” can no longer be undone: others have changed it since"
    assert pair.ann.confirmed == after


@pytest.mark.parametrize(("mine", "theirs"), EACH)
def test_what_another_did_before_comes_back(mine: Change, theirs: Change) -> None:
    pair = desk()
    pair.do(pair.bob, theirs)
    before = pair.ann.confirmed
    pair.do(pair.ann, mine)
    assert pair.undo(pair.ann) == "it"
    assert pair.ann.confirmed == before == pair.bob.confirmed
    assert pair.redo(pair.ann) == "it"
    assert pair.undo(pair.ann) == "it"
    assert pair.ann.confirmed == before


def test_of_a_gesture_on_two_things_the_one_that_is_still_as_it_was_left_is_taken_back() -> None:
    pair = desk()
    pair.do(pair.bob, Add(Item("l", "other", A, "<x/>")))
    pair.do(pair.ann, Move("k", B), Move("l", B))
    pair.do(pair.bob, Move("k", C))
    assert pair.undo(pair.ann) == "it"
    assert {key: item.place for key, item in pair.bob.confirmed.items.items()} == {"k": C, "l": A}


def test_steps_on_one_thing_are_taken_back_one_after_the_other() -> None:
    pair = desk()
    pair.do(pair.ann, Move("k", B), Move("k", C), Rename("k", "b"))
    pair.do(pair.ann, Move("k", A))
    assert pair.undo(pair.ann) == pair.undo(pair.ann) == "it"
    assert pair.bob.confirmed.items["k"] == THING


def test_what_another_locked_is_told_and_left() -> None:
    pair = desk()
    pair.do(pair.ann, Move("k", B))
    pair.do(pair.bob, Lock("k", True))
    assert not pair.undo(pair.ann)
    assert pair.ear.words == ["“it” can no longer be undone: “thing” is locked"]


def test_what_one_removed_comes_back_though_others_moved_the_rest() -> None:
    pair = desk()
    pair.do(pair.ann, Remove("k"))
    pair.do(pair.bob, Paint("#123456"))
    assert pair.undo(pair.ann) == "it"
    assert pair.bob.confirmed.items["k"] == THING


def joined() -> Pair:
    """Two things and a connector that ann has drawn."""
    pair = desk()
    pair.do(pair.bob, Add(Item("l", "other", B, "<x/>")))
    pair.do(pair.ann, Join(Link("line", "k", "l")), name="draw")
    return pair


def test_a_connector_that_another_removed_while_it_was_named_stays_gone_and_that_is_told() -> None:
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


def test_to_take_back_the_name_of_a_connector_that_another_removed_does_not_bring_it_back() -> None:
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


def test_a_voice_that_was_given_anew_is_not_taken_by_an_answer_that_comes_back() -> None:
    pair = Pair(VoteModel)
    pair.do(pair.ann, Offer("x", "X"), Offer("y", "Y"))
    pair.do(pair.bob, Cast("bob", "x"), Cast("eve", "x"))
    pair.do(pair.ann, Withdraw("x"))
    pair.do(pair.bob, Cast("bob", "y"))
    assert pair.undo(pair.ann) == "it"
    assert dict(pair.bob.confirmed.voices) == {"bob": "y", "eve": "x"}


def test_a_question_that_another_asked_stays() -> None:
    pair = Pair(VoteModel)
    pair.do(pair.ann, Ask("mine?"))
    pair.do(pair.bob, Ask("theirs?"))
    assert not pair.undo(pair.ann)
    assert pair.bob.confirmed.question == "theirs?"


def test_what_another_put_into_a_folder_under_ones_own_name_stays() -> None:
    pair = Pair(FolderModel)
    pair.do(pair.ann, Put("a", "<mine/>"))
    pair.do(pair.bob, Take("a"), Put("a", "<theirs/>"))
    assert not pair.undo(pair.ann)
    assert dict(pair.bob.confirmed.items) == {"a": "<theirs/>"}


def test_a_thing_that_got_a_number_is_taken_out_under_it() -> None:
    pair = Pair(FolderModel)
    pair.do(pair.bob, Put("a", "<theirs/>"))
    pair.do(pair.ann, Put("a", "<mine/>"))
    assert pair.undo(pair.ann) == "it"
    assert dict(pair.bob.confirmed.items) == {"a": "<theirs/>"}


def test_a_picture_that_another_showed_stays() -> None:
    pair = Pair(ImageModel)
    for key in ("a", "b"):
        pair.do(pair.ann, Begin(key, key, "png", 1, 1, 1), Slice(key, 0, b"x"))
    pair.do(pair.ann, Show("a"), name="show")
    pair.do(pair.bob, Show("b"))
    assert not pair.undo(pair.ann)
    assert pair.bob.confirmed.shown == "b"


MOVES = st.tuples(st.sampled_from("ab"), st.sampled_from("kl"))


@given(st.lists(MOVES, max_size=12), st.integers(0, 6))
def test_undo_never_moves_what_another_moved_last(moves: list[tuple[str, str]], times: int) -> None:
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
