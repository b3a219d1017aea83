from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.problems import Kind, Problem
from liven.runtime.tunnel.frames import pack
from liven.runtime.tunnel.link import MOST_WAITING, Link


class Side:
    """One end of a pair of sockets."""

    def __init__(self, crank: HandCranked, stream: socket.socket) -> None:
        self.came: list[list[Any]] = []
        self.gone: list[str] = []
        self.link = Link(crank, stream, self.came.append, self.gone.append)


@pytest.fixture
def crank() -> Iterator[HandCranked]:
    crank = HandCranked()
    yield crank
    assert not crank._watched_fds, "a link that is closed watches nothing"


@pytest.fixture
def pair(crank: HandCranked) -> Iterator[tuple[Side, Side]]:
    left, right = socket.socketpair()
    sides = Side(crank, left), Side(crank, right)
    yield sides
    for side in sides:
        side.link.close()


def test_messages_arrive_in_order_both_ways(crank: HandCranked, pair: tuple[Side, Side]) -> None:
    left, right = pair
    for number in range(100):
        left.link.send("n", number)
    right.link.send("back")
    crank.wait(lambda: len(right.came) == 100 and len(left.came) == 1)
    assert right.came == [["n", number] for number in range(100)]


def test_bytes_that_the_system_does_not_take_at_once_are_sent_later(
    crank: HandCranked, pair: tuple[Side, Side]
) -> None:
    left, right = pair
    big = b"x" * (4 << 20)
    left.link.send("big", big)
    left.link.send("after")
    crank.wait(lambda: len(right.came) == 2)
    assert right.came == [["big", big], ["after"]]


def test_a_peer_that_does_not_read_is_dropped_and_its_memory_freed(crank: HandCranked) -> None:
    near, far = socket.socketpair()
    side = Side(crank, near)
    for _ in range(MOST_WAITING // (1 << 20) + 4):
        side.link.send("big", b"x" * (1 << 20))
    (why,) = side.gone
    assert "it has not read" in why
    assert not side.link.open
    side.link.send("more")
    far.close()


def test_an_orderly_end_is_reported_once_without_a_reason(
    crank: HandCranked, pair: tuple[Side, Side]
) -> None:
    left, right = pair
    left.link.send("last")
    left.link.close()
    crank.wait(lambda: bool(right.gone))
    assert (right.came, right.gone, left.gone) == ([["last"]], [""], [])
    assert not right.link.open


def test_after_close_nothing_is_called_any_more(crank: HandCranked, pair: tuple[Side, Side]) -> None:
    left, right = pair
    left.link.send("never heard")
    right.link.close()
    right.link.close()
    crank.settle()
    assert right.came == []
    assert right.gone == []


def test_closing_in_the_middle_of_a_batch_stops_it(crank: HandCranked, pair: tuple[Side, Side]) -> None:
    left, right = pair
    came: list[list[Any]] = []

    def take(message: list[Any]) -> None:
        came.append(message)
        right.link.close()

    right.link.receive(take, right.gone.append)
    for number in range(3):
        left.link.send("n", number)
    crank.wait(lambda: bool(came))
    crank.settle()
    assert came == [["n", 0]]


def test_a_new_receiver_gets_the_rest_of_a_batch(crank: HandCranked, pair: tuple[Side, Side]) -> None:
    left, right = pair
    later: list[list[Any]] = []
    right.link.receive(lambda _: right.link.receive(later.append, right.gone.append), right.gone.append)
    for number in range(3):
        left.link.send("n", number)
    crank.wait(lambda: len(later) == 2)
    assert later == [["n", 1], ["n", 2]]


def test_bytes_that_are_not_a_message_end_the_link_with_a_reason(crank: HandCranked) -> None:
    near, far = socket.socketpair()
    side = Side(crank, near)
    far.sendall(pack("good") + b"\x00\x00\x00\x01\xc1" + pack("never read"))
    crank.wait(lambda: bool(side.gone))
    assert side.came == [["good"]]
    assert "not MessagePack" in side.gone[0]
    far.close()


def test_an_error_in_the_receiver_ends_the_link_with_a_reason() -> None:
    problems: list[Problem] = []
    crank = HandCranked(problems.append)
    near, far = socket.socketpair()
    gone: list[str] = []

    def take(message: list[Any]) -> None:
        raise TypeError(f"{message} cannot be taken")

    link = Link(crank, near, take, gone.append)
    far.sendall(pack("odd") + pack("never read"))
    crank.wait(lambda: bool(gone))
    assert gone == ["it sent a message that could not be handled"]
    assert not link.open
    assert not crank._watched_fds
    assert [problem.kind for problem in problems] == [Kind.RAISED]
    far.close()


def test_a_killed_peer_is_an_end_like_any_other(crank: HandCranked) -> None:
    near, far = socket.socketpair()
    side = Side(crank, near)
    side.link.send("unread by the other side")
    far.close()
    crank.wait(lambda: bool(side.gone))
    assert side.gone == [""]
