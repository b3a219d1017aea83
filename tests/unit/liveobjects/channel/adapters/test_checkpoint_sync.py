"""Checkpoint synchronization among members of an ordered channel, which here is a list."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest

from liven.liveobjects.channel.adapters import checkpoint_sync
from liven.liveobjects.channel.adapters.checkpoint_sync import CheckpointSync, TooMuchError


class Order:
    """The one order, and the time at which each member receives each message."""

    def __init__(self) -> None:
        self.said: deque[bytes] = deque()
        self.members: list[Member] = []
        self.now = 0.0

    def settle(self) -> None:
        while self.said:
            data = self.said.popleft()
            for member in self.members:
                if not member.deaf:
                    member.machine.heard(data, self.now)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            for member in self.members:
                member.machine.tick(self.now)
            self.settle()

    def join(self, **traits: bool) -> Member:
        member = Member(self, **traits)
        self.members.append(member)
        return member


class Member:
    """A member whose state is the list of its messages."""

    def __init__(self, order: Order, *, unable: bool = False, late: bool = False) -> None:
        self.order = order
        self.done: list[bytes] | None = None
        self.told: list[str] = []
        self.unable = unable
        self.late = late
        self.deaf = False
        self.owed: list[Callable[[], None]] = []
        self.started = 0
        self.machine = CheckpointSync(self, order.now)

    def post(self, data: bytes) -> None:
        self.order.said.append(data)

    def can_read(self, state: bytes) -> bool:
        return b"?" not in state

    def start(self, state: bytes | None) -> None:
        self.started += 1
        self.done = state.split() if state else []

    def apply(self, payload: bytes) -> None:
        assert self.done is not None
        self.done.append(payload)

    def take(self, got: Callable[[bytes | None], None]) -> None:
        state = None if self.unable else b" ".join(self.done or [])
        if self.late:
            self.owed.append(lambda: got(state))
        else:
            got(state)

    def tell(self, what: str, advice: str) -> None:
        assert advice
        self.told.append(what)


@pytest.fixture
def order() -> Order:
    return Order()


def begun(order: Order, count: int = 2) -> list[Member]:
    made = [order.join() for _ in range(count)]
    order.run(3)
    assert all(each.machine.ready for each in made)
    return made


def test_members_begin_empty_only_after_the_others_had_time_to_offer(order: Order) -> None:
    ann, bob = order.join(), order.join()
    order.run(0.8)
    assert (ann.done, bob.done) == (None, None)
    order.run(2)
    assert (ann.done, bob.done) == ([], [])
    assert ann.machine.history == bob.machine.history


def test_messages_sent_before_the_state_arrives_follow_it(order: Order) -> None:
    ann = order.join()
    ann.machine.send(b"early")
    assert ann.machine.wake is not None
    order.run(3)
    assert ann.done == [b"early"]
    assert ann.machine.wake is None


def test_a_joiner_gets_the_state_at_its_place_and_each_later_message_once(order: Order) -> None:
    ann, bob = begun(order)
    ann.machine.send(b"1")
    order.settle()
    ann.late = bob.late = True
    cy = order.join()
    ann.machine.send(b"2")
    order.settle()
    bob.machine.send(b"3")
    order.settle()
    assert cy.done is None
    for each in (*ann.owed, *bob.owed):
        each()
    order.settle()
    assert cy.done == ann.done == bob.done == [b"1", b"2", b"3"]
    assert cy.machine.number == 3


def test_only_one_member_sends_the_state(order: Order) -> None:
    begun(order, 3)
    cy = order.join()
    before = len(order.said)
    assert before == 1
    parts = []
    while order.said:
        data = order.said.popleft()
        parts += [data] if msgpack.unpackb(data)[0] == 3 else []
        for member in order.members:
            member.machine.heard(data, order.now)
    assert cy.machine.ready
    assert len(parts) == 1


def test_a_long_state_comes_in_parts(order: Order) -> None:
    ann, bob = begun(order)
    for number in range(200):
        ann.machine.send(b"%d" % number * 1000)
    order.settle()
    cy = order.join()
    order.settle()
    assert cy.done == bob.done
    assert len(b" ".join(cy.done or [])) > 10 * 32 * 1024


def test_a_member_that_cannot_send_its_state_is_skipped(order: Order) -> None:
    ann, bob = begun(order)
    ann.machine.send(b"1")
    order.settle()
    ann.unable = True
    cy = order.join()
    order.settle()
    assert cy.done == [b"1"]
    assert ann.told == ["this state cannot be sent to others"]
    assert bob.told == []


def test_a_member_that_crashes_while_sending_is_replaced(order: Order) -> None:
    ann, bob = begun(order)
    ann.machine.send(b"x" * 1_000_000)
    order.settle()
    bob.late = True
    cy = order.join()
    for _ in range(4):
        data = order.said.popleft()
        for member in order.members:
            member.machine.heard(data, order.now)
    order.said.clear()
    order.members.remove(ann)
    bob.late = False
    order.run(checkpoint_sync.PATIENCE + 1)
    assert cy.done == [b"x" * 1_000_000]


def test_a_member_that_missed_messages_notices_and_takes_the_state_of_others(order: Order) -> None:
    ann, bob = begun(order)
    bob.deaf = True
    ann.machine.send(b"1")
    order.settle()
    bob.deaf = False
    assert bob.done == []
    ann.machine.send(b"2")
    order.run(1)
    assert bob.done == ann.done == [b"1", b"2"]
    assert bob.told == ["messages were missed"]
    assert ann.started == 1


def test_of_two_histories_the_longer_wins(order: Order) -> None:
    (ann,), other = begun(order, 1), Order()
    bob, cy = begun(other, 2)
    ann.machine.send(b"short")
    order.settle()
    for word in (b"1", b"2", b"3"):
        bob.machine.send(word)
    other.settle()
    for each in (bob, cy):
        each.order = order
        order.members.append(each)
    ann.machine.send(b"together")
    order.run(8)
    assert ann.done == bob.done == cy.done == [b"1", b"2", b"3", b"together"]
    assert ann.told == ["the others have another, longer history"]


def test_an_invalid_state_is_refused_and_requested_again(order: Order) -> None:
    ann, _ = begun(order)
    ann.done = [b"?"]
    order.members[1].unable = True
    cy = order.join()
    for _ in range(40):
        if order.said:
            data = order.said.popleft()
            for member in order.members:
                member.machine.heard(data, order.now)
    assert cy.done is None
    assert "a received state is invalid" in cy.told
    ann.done = [b"well"]
    order.run(2)
    assert cy.done == [b"well"]


FULL = b"x" * 32 * 1024
Part = tuple[int, int, int, bytes]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([(0, 1, 2**64 - 1, b"s")], id="a number that cannot be told on"),
        pytest.param([(0, 1, 2**62, b"s")], id="a number that no history has"),
        pytest.param([(0, 1, -1, b"s")], id="a number below zero"),
        pytest.param([(0, 2, 0, b"short")], id="a part that is not full, before the last"),
        pytest.param([(0, 2, 0, b"")], id="an empty part"),
        pytest.param([(0, 2, 0, FULL), (1, 2, 0, b"")], id="an empty last part"),
        pytest.param([(0, 1, 0, FULL + b"x")], id="a part that is too long"),
        pytest.param([(0, 0, 0, b"s")], id="of no parts"),
        pytest.param([(0, 2049, 0, FULL)], id="of more parts than a state has"),
        pytest.param([(0, 3, 0, FULL), (1, 2, 0, b"s")], id="another count than before"),
        pytest.param([(0, 2, 1, FULL), (1, 2, 0, b"s")], id="another number than before"),
        pytest.param([(1, 2, 0, b"s")], id="not the first"),
    ],
)
def test_wrong_parts_are_refused_and_another_member_sends_the_state(order: Order, parts: list[Part]) -> None:
    (ann,) = begun(order, 1)
    ann.machine.send(b"1")
    order.settle()
    cy = order.join()
    said = msgpack.unpackb(order.said[-1])
    asker, serial, stranger = said[1], said[4][0], b"s" * 16
    ann.late = True
    told: list[object] = [[2, stranger, ann.machine.history, 0, [asker, serial]]]
    told += [[3, stranger, ann.machine.history, 0, [asker, serial, *part]] for part in parts]
    order.said += [msgpack.packb(each) for each in told]
    order.settle()
    assert cy.told == ["a received state is incomplete or too long"]
    assert cy.done is None
    ann.late = False
    for each in ann.owed:
        each()
    order.run(checkpoint_sync.PATIENCE + 3)
    cy.machine.send(b"2")
    ann.machine.send(b"3")
    order.run(1)
    assert cy.done == ann.done == [b"1", b"2", b"3"]


def test_an_empty_state_is_one_part(order: Order) -> None:
    begun(order, 1)
    cy = order.join()
    order.settle()
    assert cy.done == []
    assert cy.told == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        msgpack.packb([0]),
        msgpack.packb([0, b"x", b"", 0, b"m"]),
        msgpack.packb([0, b"x" * 16, b"h" * 16, 2**63, b"m"]),
        msgpack.packb([0, b"x" * 16, b"h" * 16, -1, b"m"]),
    ],
)
def test_invalid_messages_are_reported_and_dropped(order: Order, data: bytes) -> None:
    (ann,) = begun(order, 1)
    ann.machine.heard(data, order.now)
    assert ann.told == ["a message is invalid"]
    assert ann.done == []


def test_the_waiting_queue_is_bounded(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_sync, "_WAITING_MOST", 3)
    ann = order.join()
    for _ in range(3):
        ann.machine.send(b"x")
    with pytest.raises(TooMuchError, match="3 messages wait"):
        ann.machine.send(b"x")
    order.run(3)
    ann.late = True
    cy = order.join()
    order.settle()
    for _ in range(4):
        ann.machine.send(b"y")
    order.settle()
    assert "the state takes too long to arrive" in cy.told
    ann.late = False
    order.run(8)
    assert cy.done == ann.done
