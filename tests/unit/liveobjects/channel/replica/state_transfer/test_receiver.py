"""The wait for a state: whose answers count, and what prolongs it."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.history import BEGINNING, Recovery, Voter
from liven.liveobjects.channel.ordering import EntryKind, OrderedChannel, Seat
from liven.liveobjects.channel.replica import wire
from liven.liveobjects.channel.replica.state_transfer.receiver import PATIENCE, author_at, earliest
from liven.liveobjects.channel.simulation.member import Verifier
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.replica_schedule import ReplicaMember


def test_the_earliest_time_is_returned() -> None:
    assert earliest(None, 3.0, 2.0, None) == 2.0
    assert earliest(None, None) is None


def test_a_node_is_mapped_to_the_author_of_its_seat() -> None:
    seats = [
        Seat(node, bytes([node]) * 16, Voter(b"v" * 16), EntryKind.STAYS, True, Recovery.NOTHING, 0)
        for node in (1, 2)
    ]
    assert author_at(seats, 2) == b"\2" * 16
    assert author_at(seats, 3) is None


@pytest.mark.parametrize("liar", [0, 1], ids=["the one who was asked", "another"])
def test_a_silent_donor_is_replaced_whatever_is_received_meanwhile(
    liar: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, verifier = World(1), Verifier()
    ann, eve = (
        ReplicaMember(world, verifier, name, OrderedChannel(name.encode() * 8, stateful=True))
        for name in ("an", "ev")
    )
    for member in (ann, eve):
        world.join(member.host)
        world.run(0.3)
    ann.submit(b"1")
    world.run(0.3)
    monkeypatch.setattr(ann.replica, "_asked", lambda _: None)
    bob = ReplicaMember(world, verifier, "bo", OrderedChannel(b"bo" * 8, stateful=True))
    world.join(bob.host)
    world.run(0.3)
    assert bob.replica.waits
    for _ in range(int(3 * PATIENCE)):
        head = wire.Head(bob.replica.channel.author, 1, BEGINNING, 1 << 20, b"d" * wire.DIGEST_BYTES)
        said_by = (ann, eve)[liar]
        said_by.replica.channel.say(wire.encode(head))
        said_by.settle()
        world.run(1.0)
    assert bob.done == [b"1"]
    assert bob.replica.waits is False
