from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.fold import Editor, Gesture, RefusedError, UndoList


class Tally:
    """A model for tests: a number that may not become negative. A change is an amount to add."""

    replacing = ()

    def empty(self) -> int:
        return 0

    def apply(self, state: int, change: int) -> int:
        if state + change < 0:
            raise RefusedError("it would fall below zero")
        return state + change

    def inverse(self, state: int, change: int) -> tuple[int, ...]:
        return (-change,)

    def digest(self, state: int) -> bytes:
        return str(state).encode()


@dataclass
class Watcher:
    seen: list[tuple[int, int]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    def changed(self, before: int, after: int) -> None:
        self.seen.append((before, after))

    def notify(self, message: str) -> None:
        self.messages.append(message)


@dataclass
class Person:
    editor: Editor[int, int]
    sent: list[Gesture[int]]
    watcher: Watcher

    @classmethod
    def make(cls, name: str, model: Tally | None = None) -> Person:
        sent: list[Gesture[int]] = []
        watcher = Watcher()
        editor = Editor(model or Tally(), name, sent.append)
        editor.start(None)
        editor.listen(watcher)
        return cls(editor, sent, watcher)

    def come_back(self) -> None:
        for gesture in self.sent:
            self.editor.receive(gesture)
        self.sent.clear()


def test_an_edit_is_shown_at_once_and_confirmed_when_it_returns() -> None:
    ann = Person.make("ann")
    ann.editor.edit("add", 5)
    assert (ann.editor.state, ann.editor.confirmed, ann.editor.pending) == (5, 0, 1)
    ann.come_back()
    assert (ann.editor.state, ann.editor.confirmed, ann.editor.pending) == (5, 5, 0)
    assert ann.watcher.seen == [(0, 5)]


def test_a_gesture_of_somebody_else_goes_below_my_pending_ones() -> None:
    ann, bob = Person.make("ann"), Person.make("bob")
    ann.editor.edit("add", 5)
    bob.editor.edit("add", 2)
    ann.editor.receive(bob.sent[0])
    assert (ann.editor.state, ann.editor.confirmed) == (7, 2)
    assert ann.watcher.seen == [(0, 5), (5, 7)]


def test_a_gesture_refused_in_the_order_is_removed_and_reported() -> None:
    ann, bob = Person.make("ann"), Person.make("bob")
    for person in (ann, bob):
        person.editor.receive(Gesture(uuid.uuid4(), 1, "eve", "add", (3,)))
    ann.editor.edit("take", -3)
    bob.editor.edit("take", -3)
    ann.editor.receive(bob.sent[0])
    assert ann.editor.state == 0
    settled = ann.editor.receive(ann.sent[0])
    assert settled.refused == ("it would fall below zero",)
    assert ann.watcher.messages == ["take: it would fall below zero"]
    assert ann.editor.undo_list.undo_names == ()


def test_one_reason_for_many_changes_is_reported_once() -> None:
    ann = Person.make("ann")
    ann.editor.receive(Gesture(uuid.uuid4(), 1, "eve", "add", (9,)))
    ann.editor.edit("take", -3, -3, -3)
    ann.editor.receive(Gesture(uuid.uuid4(), 1, "eve", "take", (-9,)))
    assert len(ann.editor.receive(ann.sent[0]).refused) == 3
    assert ann.watcher.messages == ["take: it would fall below zero"]


def test_nothing_is_shown_when_nothing_applies_or_the_channel_refuses() -> None:
    ann = Person.make("ann")
    with pytest.raises(RefusedError, match="below zero"):
        ann.editor.edit("take", -1)

    def refuse(_: Gesture[int]) -> None:
        raise BufferError("the channel is full")

    full: Editor[int, int] = Editor(Tally(), "ann", refuse)
    with pytest.raises(BufferError):
        full.edit("add", 1)
    assert (full.state, full.pending, full.undo_list.undo_names) == (0, 0, ())


def test_undo_takes_back_only_my_own_gestures() -> None:
    ann, bob = Person.make("ann"), Person.make("bob")
    ann.editor.edit("add", 5)
    bob.editor.edit("add", 2)
    ann.editor.receive(ann.sent[0])
    ann.editor.receive(bob.sent[0])
    ann.sent.clear()
    assert ann.editor.undo() == "add"
    ann.come_back()
    assert ann.editor.confirmed == 2
    assert ann.editor.undo() is None
    assert ann.editor.redo() == "add"
    ann.come_back()
    assert ann.editor.confirmed == 7
    assert ann.editor.undo_list.undo_names == ("add",)


def test_a_step_without_effect_is_skipped_and_reported() -> None:
    ann, bob = Person.make("ann"), Person.make("bob")
    ann.editor.edit("first", 1)
    ann.editor.edit("second", 5)
    bob.editor.receive(ann.sent[0])
    bob.editor.receive(ann.sent[1])
    ann.come_back()
    bob.editor.edit("take", -4)
    ann.editor.receive(bob.sent[0])
    assert ann.editor.undo() == "first"
    assert ann.watcher.messages == ["“second” can no longer be undone: it would fall below zero"]


def test_an_undo_that_cannot_be_sent_stays_on_the_list() -> None:
    ann = Person.make("ann")
    ann.editor.edit("add", 1)
    ann.come_back()
    full = True

    def send(_: Gesture[int]) -> None:
        if full:
            raise BufferError("the channel is full")

    again: Editor[int, int] = Editor(Tally(), "ann", send, UndoList(*ann.editor.undo_list.steps))
    again.start(1)
    with pytest.raises(BufferError):
        again.undo()
    assert again.undo_list.steps[0][0].inverse == (-1,)
    full = False
    assert again.undo() == "add"


def test_a_new_edit_clears_the_redo_list() -> None:
    ann = Person.make("ann")
    ann.editor.edit("one", 1)
    ann.editor.undo()
    assert ann.editor.undo_list.redo_names == ("one",)
    ann.editor.edit("two", 2)
    assert not ann.editor.undo_list.redo_names


def test_a_lost_gesture_is_removed_and_reported() -> None:
    ann = Person.make("ann")
    ann.editor.edit("add", 4)
    ann.editor.lost(ann.sent[0].number)
    assert (ann.editor.state, ann.editor.pending) == (0, 0)
    assert ann.watcher.messages == ["“add” could not be saved"]


STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["edit", "undo", "redo", "order"]), st.integers(-3, 5)),
    max_size=40,
)


def act(person: Person, what: str, amount: int, order: Callable[[], None]) -> None:
    match what:
        case "edit":
            if person.editor.state + amount >= 0:
                person.editor.edit("change", amount)
        case "undo":
            person.editor.undo()
        case "redo":
            person.editor.redo()
        case _:
            order()


@given(STEPS)
def test_replicas_converge_and_the_shown_state_is_confirmed_plus_pending(
    steps: list[tuple[int, str, int]],
) -> None:
    people = [Person.make(name) for name in ("ann", "bob", "cyn")]

    def order(person: Person) -> None:
        if person.sent:
            gesture = person.sent.pop(0)
            for one in people:
                one.editor.receive(gesture)

    for who, what, amount in steps:
        person = people[who]
        act(person, what, amount, lambda person=person: order(person))  # type: ignore[misc]
        for one in people:
            if one.editor.pending == 0:
                assert one.editor.state == one.editor.confirmed
    while any(person.sent for person in people):
        for person in people:
            order(person)
    assert len({person.editor.state for person in people}) == 1
    assert all(person.editor.pending == 0 for person in people)
    for person in people:
        assert all(before != after for before, after in person.watcher.seen)


def test_a_preparing_gesture_is_not_an_undo_step() -> None:
    ann = Person.make("ann")
    ann.editor.also("prepare", 5)
    ann.editor.edit("take", -3)
    ann.come_back()
    assert ann.editor.undo_list.undo_names == ("take",)
    assert ann.editor.undo() == "take"
    assert (ann.editor.state, ann.editor.undo()) == (5, None)
    with pytest.raises(RefusedError):
        ann.editor.also("too much", -9)


def test_a_step_in_another_object_is_removed_by_its_maker() -> None:
    ann = Person.make("ann")
    ann.editor.edit("add", 5)
    step = ann.editor.did_elsewhere("put in")
    ann.editor.edit("add", 2)
    ann.come_back()
    assert ann.editor.undo() == "add"
    assert ann.editor.undo_list.elsewhere() is step
    assert ann.editor.undo_list.elsewhere() is None, "the step before was made here"
    ann.editor.undo_list.undid(step)
    assert ann.editor.undo_list.elsewhere(undone=True) is step
    ann.editor.undo_list.redid(step)
    assert ann.editor.undo() == "add", "whoever does not know where it was made passes it over, and says so"
    assert ann.watcher.messages[-1] == "“put in” can no longer be undone: there is nothing to do"


def test_undo_that_skips_a_step_stops_at_one_in_another_object() -> None:
    ann, bob = Person.make("ann"), Person.make("bob")
    step = ann.editor.did_elsewhere("put in")
    ann.editor.edit("add", 5)
    ann.come_back()
    bob.editor.start(5)
    bob.editor.edit("take", -3)
    ann.editor.receive(bob.sent[0])
    assert ann.editor.undo() == ""
    assert len(ann.watcher.messages) == 1
    assert ann.editor.undo_list.elsewhere() is step
