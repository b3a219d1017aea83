"""Who is asked for a state, among the objects of one process, and what becomes of it when that one closes."""

from __future__ import annotations

from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState
from liven.liveobjects.channel.session.state_requests import GONE, Got, StateRequests

STATE = EncodedState.of(Parcel(b"state"))


class One:
    """An object that answers when the test has it answer."""

    def __init__(self, *, ready: bool = False, begins: bool = False) -> None:
        self.ready = ready
        self.begins = begins
        self.asked: list[Got] = []
        self.given: list[str] = []
        self.waited = 0

    def ask(self, got: Got) -> None:
        self.asked.append(got)

    def give(self, state: EncodedState | None, why: str) -> None:
        self.given.append(why if state is None else "state")
        self.ready = self.ready or state is not None

    def wait_for_state(self) -> None:
        self.waited += 1


class Room:
    """Objects, and who of them was left to begin alone."""

    def __init__(self, *objects: One) -> None:
        self.clients = list(objects)
        self.alone: list[One] = []
        self.asking: StateRequests[One] = StateRequests(self)

    def begin_alone(self, one: One) -> None:
        self.alone.append(one)

    def close(self, one: One) -> None:
        self.clients.remove(one)
        self.asking.gone(one)

    def come(self) -> One:
        one = One()
        self.clients.append(one)
        self.asking.give(one)
        return one


def test_who_comes_is_given_the_state_of_one_who_has_it() -> None:
    first = One(ready=True)
    room = Room(first)
    second = room.come()
    assert second.waited == 1
    first.asked[0](STATE, "")
    assert second.given == ["state"]


def test_a_giver_that_closes_hands_its_duty_on() -> None:
    first, third = One(ready=True), One(ready=True)
    room = Room(first, third)
    second = room.come()
    room.close(first)
    third.asked[0](STATE, "")
    assert second.given == ["state"]
    assert second.waited == 2, "what came before the second was asked is in what that says"
    first.asked[0](STATE, "")
    assert second.given == ["state"], "an answer that comes after all is not heard"


def test_the_last_giver_that_closes_leaves_it_to_begin_alone() -> None:
    first = One(ready=True)
    room = Room(first)
    second = room.come()
    room.close(first)
    assert room.alone == [second]
    assert second.given == []


def test_one_that_cannot_say_its_state_is_reported_and_not_asked_again() -> None:
    first, third = One(ready=True), One(ready=True)
    room = Room(first, third)
    second = room.come()
    first.asked[0](None, "it raised")
    third.asked[0](None, "it raised, too")
    assert second.given == ["it raised", "it raised, too"]
    assert room.alone == [second]
    assert len(first.asked) == len(third.asked) == 1


def test_who_comes_before_the_first_has_begun_is_given_the_state_then() -> None:
    first = One(begins=True)
    room = Room(first)
    second = room.come()
    assert first.asked == []
    first.begins, first.ready = False, True
    room.asking.look_again()
    first.asked[0](STATE, "")
    assert second.given == ["state"]


def test_who_waits_for_one_to_begin_does_not_wait_when_that_closes() -> None:
    first = One(begins=True)
    room = Room(first)
    second = room.come()
    room.close(first)
    assert room.alone == [second]


def test_of_several_who_wait_for_one_that_closes_each_is_served() -> None:
    first = One(ready=True)
    room = Room(first)
    others = [room.come() for _ in range(3)]
    room.close(first)
    assert room.alone == others


def test_who_was_told_to_begin_waits_for_that() -> None:
    room = Room()
    one = One(begins=True)
    room.clients.append(one)
    room.asking.give(one)
    assert room.alone == []


def test_who_closed_meanwhile_is_given_nothing() -> None:
    first = One(ready=True)
    room = Room(first)
    second = room.come()
    room.close(second)
    room.close(first)
    assert room.alone == []
    assert room.asking.able() is None


def test_what_another_replica_asked_is_answered_when_the_object_closes() -> None:
    first, second = One(ready=True), One(ready=True)
    room = Room(first, second)
    heard: list[tuple[EncodedState | None, str]] = []
    room.asking.ask(first, lambda state, why: heard.append((state, why)))
    room.close(first)
    assert heard == [(None, GONE)]
    assert second.asked == [], "its state would be that of another moment"
