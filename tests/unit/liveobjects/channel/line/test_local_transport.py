"""The hub: lines within one process, without a network."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.line.local_transport import LocalHub
from liven.liveobjects.channel.line.transport import (
    LINE_BUDGET,
    MESSAGE_MOST,
    Batch,
    HasRoom,
    LineBusyError,
    LineClosedError,
    LineEvent,
)
from liven.multicast.errors import MulticastError
from liven.multicast.group import Joined, Left, Sent, Stable, View
from liven.runtime.problems import Problem
from liven.runtime.testing import HandCranked

_NOBODY: list[Problem] = []


class Ear:
    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.events: list[LineEvent] = []

    def __call__(self, batch: Batch) -> None:
        self.messages += [one.payload for one in batch.messages]
        self.events += batch.events


@pytest.fixture
def crank() -> HandCranked:
    return HandCranked(_NOBODY.append)


def test_all_members_get_all_messages_in_one_order(crank: HandCranked) -> None:
    hub = LocalHub(crank)
    ears = [Ear(), Ear()]
    lines = [hub.member().open("g", ear) for ear in ears]
    for number in range(4):
        lines[number % 2].send(b"%d" % number)
    assert ears[0].messages == [], "nothing comes while the sender's handler runs"
    crank.settle()
    assert ears[0].messages == ears[1].messages == [b"0", b"1", b"2", b"3"]
    assert isinstance(ears[0].events[0], Joined)
    assert Stable(lines[0].me, 2) in ears[1].events
    assert [event for event in ears[0].events if isinstance(event, Sent)] == [Sent(1, 1), Sent(2, 2)]


def test_views_list_the_present_members(crank: HandCranked) -> None:
    hub = LocalHub(crank)
    first, second = Ear(), Ear()
    one = hub.member().open("g", first)
    other = hub.member().open("g", second)
    crank.settle()
    assert [member.node for member in _last_view(first).members] == [one.me, other.me]
    other.leave()
    crank.settle()
    assert [member.node for member in _last_view(first).members] == [one.me]
    assert isinstance(second.events[-1], Left)


def test_groups_are_separate(crank: HandCranked) -> None:
    hub = LocalHub(crank)
    first, second = Ear(), Ear()
    member = hub.member()
    member.open("a", first).send(b"x")
    member.open("b", second)
    crank.settle()
    assert (first.messages, second.messages) == ([b"x"], [])


def test_one_member_has_one_line_in_a_group(crank: HandCranked) -> None:
    member = LocalHub(crank).member()
    line = member.open("g", Ear())
    with pytest.raises(MulticastError, match="already in group 'g'"):
        member.open("g", Ear())
    line.leave()
    with pytest.raises(LineClosedError, match="open it again"):
        line.send(b"x")
    member.open("g", Ear())


def test_the_waiting_queue_is_bounded(crank: HandCranked) -> None:
    ear = Ear()
    line = LocalHub(crank).member().open("g", ear)
    line.send(bytes(LINE_BUDGET - 5))
    assert line.room == 5
    with pytest.raises(LineBusyError):
        line.send(bytes(6))
    with pytest.raises(MulticastError, match=r"67\.1 MB"):
        line.send(bytes(MESSAGE_MOST + 1))
    crank.settle()
    assert ear.events[-1] == HasRoom()
    assert line.room == LINE_BUDGET


def _last_view(ear: Ear) -> View:
    return [event for event in ear.events if isinstance(event, View)][-1]
