from __future__ import annotations

from liven.multicast.group import Delivery, Joined, Payload, Sent, Stable, View
from liven.multicast.socket_group import EVENTS_MOST, SocketGroup


class Owner:
    """An engine that only writes down what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []

    def send(self, group: SocketGroup, payload: Payload) -> int:
        self.asked.append(("send", group.number, payload))
        return 7

    def consumed(self, group: SocketGroup, messages: int, size: int) -> None:
        self.asked.append(("consumed", group.number, messages, size))

    def leave(self, group: SocketGroup) -> None:
        self.asked.append(("leave", group.number))

    def resume(self, group: SocketGroup) -> None:
        self.asked.append(("resume", group.number))


def test_what_is_taken_is_told_to_the_engine() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)
    for number in range(5):
        group.deliver(Delivery(1, number, b"xx", 0.0))
    assert [each.number for each in group.receive(2)] == [0, 1]
    assert [each.number for each in group.receive()] == [2, 3, 4]
    assert group.receive() == []
    assert owner.asked == [("consumed", 3, 2, 4), ("consumed", 3, 3, 6)]


def test_sending_leaving_and_resuming_are_the_engines_business() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)
    assert group.send(b"x") == 7
    group.leave()
    group.resume()
    assert owner.asked == [("send", 3, b"x"), ("leave", 3), ("resume", 3)]


def test_events_that_nobody_takes_are_bounded_and_the_last_words_kept() -> None:
    group = SocketGroup(Owner(), "chat", 0)
    group.tell(Joined())
    for number in range(3 * EVENTS_MOST):
        group.tell(Sent(number, number))
        group.tell(Stable(number % 2, number))
    events = group.events()
    assert len(events) <= EVENTS_MOST
    assert events[0] == Joined()
    assert Stable(1, 3 * EVENTS_MOST - 1) in events
    assert Stable(0, 3 * EVENTS_MOST - 2) in events


def test_views_that_nobody_takes_are_bounded_too() -> None:
    group = SocketGroup(Owner(), "chat", 0)
    for number in range(3 * EVENTS_MOST):
        group.tell(View(number, ()))
    events = group.events()
    assert len(events) <= EVENTS_MOST
    assert events[-1] == View(3 * EVENTS_MOST - 1, ())
