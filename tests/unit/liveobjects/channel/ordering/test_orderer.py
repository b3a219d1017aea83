"""The orderer: runs in order of arrival, and a successor that sends nearly everything."""

from __future__ import annotations

from liven.liveobjects.channel.history import Session
from liven.liveobjects.channel.ordering.messages import Order
from liven.liveobjects.channel.ordering.orderer import Orderer

ABLE = (True, True, True)
MANY = 1 << 20


def test_runs_of_one_member_are_joined() -> None:
    orderer = Orderer(3, 0, (0, 0, 0))
    for place, arrived in ((1, 2), (1, 3), (2, 1), (1, 4)):
        orderer.count_arrived(place, arrived)
    assert orderer.order(MANY, ABLE, None) == Order(3, (1, 3, 2, 1, 1, 1))
    assert orderer.order(MANY, ABLE, None) is None


def test_nothing_is_numbered_twice() -> None:
    orderer = Orderer(0, 0, (0, 5, 0))
    orderer.count_arrived(1, 5)
    orderer.count_arrived(1, 6)
    orderer.count_arrived(1, 6)
    assert orderer.order(MANY, ABLE, None) == Order(0, (1, 1))


def test_operations_without_room_wait() -> None:
    orderer = Orderer(0, 0, (0, 0, 0))
    orderer.count_arrived(1, 5)
    orderer.count_arrived(2, 5)
    assert orderer.order(7, ABLE, None) == Order(0, (1, 5, 2, 2))
    assert orderer.order(0, ABLE, None) is None
    assert orderer.order(7, ABLE, None) == Order(1, (2, 3))


def test_a_member_that_sends_nearly_everything_becomes_the_orderer() -> None:
    orderer = Orderer(0, 0, (0, 0, 0))
    orderer.count_arrived(1, 300)
    order = orderer.order(MANY, ABLE, None)
    assert order is not None
    assert order.successor == 1
    assert orderer.ended


def test_the_orderer_stays_while_several_members_send() -> None:
    orderer = Orderer(0, 0, (0, 0, 0))
    orderer.count_arrived(1, 200)
    orderer.count_arrived(2, 200)
    order = orderer.order(MANY, ABLE, None)
    assert order is not None
    assert order.successor is None


def test_a_member_that_cannot_order_does_not_become_the_orderer() -> None:
    orderer = Orderer(0, 0, (0, 0, 0))
    orderer.count_arrived(1, 300)
    order = orderer.order(MANY, (True, False, True), None)
    assert order is not None
    assert order.successor is None


def test_a_session_needs_no_operation() -> None:
    session = Session(1, (b"a" * 16,))
    assert Orderer(0, 0, (0,)).order(MANY, (True,), session) == Order(0, (), None, session)
