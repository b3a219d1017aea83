"""Requests for the state among the objects of one process, also when an object closes."""

from __future__ import annotations

from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState
from liven.liveobjects.channel.session.state_requests import GONE, Got, StateRequests

STATE = EncodedState.of(Parcel(b"state"))


class One:
    """An object that answers when the test lets it."""

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
    """Objects, and those of them that were left to begin alone."""

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


def test_a_new_object_gets_the_state_of_another() -> None:
    first = One(ready=True)
    room = Room(first)
    second = room.come()
    assert second.waited == 1
    first.asked[0](STATE, "")
    assert second.given == ["state"]


def test_a_giver_that_closes_is_replaced() -> None:
    first, third = One(ready=True), One(ready=True)
    room = Room(first, third)
    second = room.come()
    room.close(first)
    third.asked[0](STATE, "")
    assert second.given == ["state"]
    assert second.waited == 2, "what came before the second was asked is in what that says"
    first.asked[0](STATE, "")
    assert second.given == ["state"], "an answer that comes after all is not heard"


def test_when_the_last_giver_closes_the_object_begins_alone() -> None:
    first = One(ready=True)
    room = Room(first)
    second = room.come()
    room.close(first)
    assert room.alone == [second]
    assert second.given == []


def test_an_object_that_cannot_return_its_state_is_reported_and_not_asked_again() -> None:
    first, third = One(ready=True), One(ready=True)
    room = Room(first, third)
    second = room.come()
    first.asked[0](None, "it raised")
    third.asked[0](None, "it raised, too")
    assert second.given == ["it raised", "it raised, too"]
    assert room.alone == [second]
    assert len(first.asked) == len(third.asked) == 1


def test_an_early_object_gets_the_state_when_the_first_has_begun() -> None:
    first = One(begins=True)
    room = Room(first)
    second = room.come()
    assert first.asked == []
    first.begins, first.ready = False, True
    room.asking.serve_waiting()
    first.asked[0](STATE, "")
    assert second.given == ["state"]


def test_an_object_stops_waiting_when_the_awaited_one_closes() -> None:
    first = One(begins=True)
    room = Room(first)
    second = room.come()
    room.close(first)
    assert room.alone == [second]


def test_all_objects_waiting_for_one_that_closes_are_served() -> None:
    first = One(ready=True)
    room = Room(first)
    others = [room.come() for _ in range(3)]
    room.close(first)
    assert room.alone == others


def test_an_object_about_to_begin_is_not_given_a_state() -> None:
    room = Room()
    one = One(begins=True)
    room.clients.append(one)
    room.asking.give(one)
    assert room.alone == []


def test_an_object_that_closed_meanwhile_gets_nothing() -> None:
    first = One(ready=True)
    room = Room(first)
    second = room.come()
    room.close(second)
    room.close(first)
    assert room.alone == []
    assert room.asking.able() is None


def test_a_request_of_another_replica_is_answered_when_the_object_closes() -> None:
    first, second = One(ready=True), One(ready=True)
    room = Room(first, second)
    heard: list[tuple[EncodedState | None, str]] = []
    room.asking.ask(first, lambda state, why: heard.append((state, why)))
    room.close(first)
    assert heard == [(None, GONE)]
    assert second.asked == [], "its state would be that of another moment"
