"""Several objects of one process on one line."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.line.local_transport import LocalHub
from liven.liveobjects.channel.line.shared_line import SharedLines
from liven.liveobjects.channel.line.transport import Batch, LineClosedError, LineEvent
from liven.multicast.group import Joined, Left, Sent, View
from liven.runtime.problems import Problem
from liven.runtime.testing import HandCranked


class Ear:
    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.events: list[LineEvent] = []

    def __call__(self, batch: Batch) -> None:
        self.messages += [one.payload for one in batch.messages]
        self.events += batch.events


class Place:
    def __init__(self) -> None:
        problems: list[Problem] = []
        self.crank = HandCranked(problems.append)
        self.hub = LocalHub(self.crank)
        self.shared = SharedLines(self.hub.member(), self.crank.call_soon)


@pytest.fixture
def place() -> Place:
    return Place()


def test_all_objects_receive_everything_with_their_own_tickets(place: Place) -> None:
    ears = [Ear(), Ear()]
    lines = [place.shared.open("g", ear) for ear in ears]
    place.crank.settle()
    tickets = [lines[0].send(b"a"), lines[1].send(b"b"), lines[0].send(b"c")]
    place.crank.settle()
    assert tickets == [1, 1, 2]
    assert ears[0].messages == ears[1].messages == [b"a", b"b", b"c"]
    sent = [[event.ticket for event in ear.events if isinstance(event, Sent)] for ear in ears]
    assert sent == [[1, 2], [1]]
    assert lines[0].me == lines[1].me > 0


def test_a_later_object_learns_the_members(place: Place) -> None:
    place.shared.open("g", Ear())
    place.crank.settle()
    late = Ear()
    line = place.shared.open("g", late)
    place.crank.settle()
    assert isinstance(late.events[0], Joined)
    view = late.events[1]
    assert isinstance(view, View)
    assert [member.node for member in view.members] == [line.me]


def test_the_process_leaves_with_its_last_object_and_can_return_at_once(place: Place) -> None:
    verifier = Ear()
    place.hub.member().open("g", verifier)
    ears = [Ear(), Ear()]
    lines = [place.shared.open("g", ear) for ear in ears]
    place.crank.settle()
    lines[0].leave()
    place.crank.settle()
    assert len(_last_view(verifier).members) == 2
    assert ears[0].events[-1] == Left()
    lines[1].leave()
    lines[1].leave()
    ear = Ear()
    again = place.shared.open("g", ear)
    again.send(b"queued until it is in again")
    assert again.me == 0
    place.crank.settle()
    assert len(_last_view(verifier).members) == 2
    assert verifier.messages == ear.messages == [b"queued until it is in again"]
    with pytest.raises(LineClosedError):
        lines[0].send(b"x")
    again.leave()
    place.crank.settle()
    assert len(_last_view(verifier).members) == 1


def _last_view(ear: Ear) -> View:
    return [event for event in ear.events if isinstance(event, View)][-1]
