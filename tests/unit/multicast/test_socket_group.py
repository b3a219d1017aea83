from __future__ import annotations

import gc
from array import array

from liven.multicast.group import Delivery, Joined, Payload, Sent, Stable, View
from liven.multicast.message_batch import Batch
from liven.multicast.socket_group import EVENTS_MOST, SocketGroup


class Owner:
    """An engine that only records its calls."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.batched = False

    def send(self, group: SocketGroup, payload: Payload) -> int:
        self.asked.append(("send", group.number, payload))
        return 7

    def send_many(
        self, group: SocketGroup, block: bytes | bytearray | memoryview, lengths: array[int]
    ) -> int:
        self.asked.append(("send many", group.number, bytes(block), list(lengths)))
        return 8

    def batches(self, group: SocketGroup, wanted: bool) -> None:
        self.batched = wanted

    def consumed(self, group: SocketGroup, messages: int, size: int) -> None:
        self.asked.append(("consumed", group.number, messages, size))

    def leave(self, group: SocketGroup) -> None:
        self.asked.append(("leave", group.number))

    def resume(self, group: SocketGroup) -> None:
        self.asked.append(("resume", group.number))

    def handed(self, group: SocketGroup) -> None:
        self.asked.append(("handed", group.number))

    def failed(self, error: Exception) -> None:
        self.asked.append(("failed", str(error)))


def test_taken_messages_are_reported_to_the_engine() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)
    for number in range(5):
        group.deliver(Delivery(1, number, b"xx", 0.0))
    assert [each.number for each in group.receive(2)] == [0, 1]
    assert [each.number for each in group.receive()] == [2, 3, 4]
    assert group.receive() == []
    assert owner.asked == [("consumed", 3, 2, 4), ("consumed", 3, 3, 6)]


def test_an_idle_group_keeps_no_list_and_its_reader_owns_what_it_took() -> None:
    group = SocketGroup(Owner(), "chat", 3)
    resting = gc.get_referents(group)
    assert not [kept for kept in resting if isinstance(kept, list)]
    group.deliver(Delivery(1, 1, b"x", 0.0))
    group.tell(Joined())
    messages, events = group.receive(), group.events()
    assert gc.get_referents(group) == resting
    group.deliver(Delivery(1, 2, b"y", 0.0))
    group.tell(Sent(1, 1))
    assert (len(messages), events) == (1, [Joined()])
    assert [each.number for each in group.receive()] == [2]
    assert group.events() == [Sent(1, 1)]
    assert (group.receive(), group.receive(1), group.events()) == ([], [], [])


def test_sending_leaving_and_resuming_are_passed_to_the_engine() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)
    assert group.send(b"x") == 7
    group.leave()
    group.resume()
    assert owner.asked == [("send", 3, b"x"), ("leave", 3), ("resume", 3)]


def test_untaken_events_are_bounded_and_the_last_reports_kept() -> None:
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


def test_untaken_views_are_bounded() -> None:
    group = SocketGroup(Owner(), "chat", 0)
    for number in range(3 * EVENTS_MOST):
        group.tell(View(number, ()))
    events = group.events()
    assert len(events) <= EVENTS_MOST
    assert events[-1] == View(3 * EVENTS_MOST - 1, ())


def test_a_listener_gets_new_and_waiting_messages() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)
    heard: list[object] = []
    group.tell(Joined())
    group.deliver(Delivery(1, 0, b"xx", 0.0))
    group.listen(heard.append, heard.append)
    group.deliver(Delivery(1, 1, b"xx", 0.0))
    group.tell(Sent(5, 1))
    group.deliver(Delivery(1, 2, b"xxx", 0.0))
    assert heard == [Joined(), Delivery(1, 0, b"xx", 0.0), Delivery(1, 1, b"xx", 0.0), Sent(5, 1), heard[-1]]
    assert group.receive() == []
    assert group.events() == []
    assert owner.asked == [("handed", 3), ("consumed", 3, 1, 2), ("handed", 3)]
    group.settle()
    group.settle()
    assert owner.asked[3:] == [("consumed", 3, 2, 5)]


def test_after_listening_ends_everything_is_kept() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)
    heard: list[object] = []
    group.listen(heard.append)
    group.deliver(Delivery(1, 0, b"x", 0.0))
    group.tell(Joined())
    group.listen(None)
    group.deliver(Delivery(1, 1, b"x", 0.0))
    assert [each.number for each in group.receive()] == [1]
    assert group.events() == [Joined()]
    assert ("consumed", 3, 1, 1) in owner.asked


def test_the_exception_of_a_listener_is_reported_and_it_goes_on() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)

    def fail(_thing: object) -> None:
        raise ZeroDivisionError("not today")

    group.listen(fail, fail)
    group.deliver(Delivery(1, 0, b"x", 0.0))
    group.tell(Joined())
    group.settle()
    assert owner.asked == [
        ("handed", 3),
        ("failed", "not today"),
        ("failed", "not today"),
        ("consumed", 3, 1, 1),
    ]


def test_waiting_messages_come_as_one_batch_and_later_ones_as_they_arrive() -> None:
    owner, seen = Owner(), []
    group = SocketGroup(owner, "chat", 3)
    group.deliver(Delivery(1, 0, b"aa", 0.0))
    group.deliver(Delivery(1, 1, b"b", 0.0))

    def take(batch: Batch) -> None:
        seen.append([*zip(batch.senders, batch.numbers, batch.payloads(), strict=True)])

    group.listen_batches(take)
    assert owner.batched
    group.hand(Batch.of([Delivery(2, 7, b"", 0.0)]))
    assert seen == [[(1, 0, b"aa"), (1, 1, b"b")], [(2, 7, b"")]]
    assert owner.asked == [("consumed", 3, 2, 3), ("consumed", 3, 1, 0)]


def test_a_batch_for_a_single_message_listener_is_split() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)
    group.listen_batches(lambda _batch: None)
    group.listen(None)
    assert not owner.batched
    group.hand(Batch.of([Delivery(1, 0, b"aa", 0.0), Delivery(2, 5, b"b", 0.0)]))
    assert [(each.sender, each.number, each.payload) for each in group.receive()] == [
        (1, 0, b"aa"),
        (2, 5, b"b"),
    ]


def test_a_batch_whose_listener_fails_counts_as_taken() -> None:
    owner = Owner()
    group = SocketGroup(owner, "chat", 3)

    def fail(batch: Batch) -> None:
        raise ValueError(f"{len(batch)} are too many")

    group.listen_batches(fail)
    group.hand(Batch.of([Delivery(1, 0, b"aa", 0.0)]))
    assert owner.asked == [("failed", "1 are too many"), ("consumed", 3, 1, 2)]
