"""Replicas in the simulated world: who is asked for a state, and what becomes of a bad one."""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.channel.ordering import OrderedChannel
from liven.liveobjects.channel.replica import Begin, Keeping, Replica
from liven.liveobjects.channel.replica.account import Account, Parcel
from liven.liveobjects.channel.replica.keeping import Found
from liven.liveobjects.channel.replica.machine import ALONE_AFTER
from liven.liveobjects.channel.simulation.member import Witness
from liven.liveobjects.channel.simulation.replicas import ReplicaMember
from liven.liveobjects.channel.simulation.world import World

Refusal = Callable[[bytes], str | None]


class Stage:
    """Replicas that join one after the other."""

    def __init__(self) -> None:
        self.world = World(1)
        self.witness = Witness()

    def join(self, name: str, refusal: Refusal = lambda _: None) -> ReplicaMember:
        channel = OrderedChannel(name.encode().ljust(16, b"."), stateful=True)
        member = ReplicaMember(self.world, self.witness, name, channel)
        member.replica = Replica(channel, member.keeping, refusal)
        self.world.join(member.host)
        self.world.run(0.3)
        return member


def test_who_reaches_nobody_shows_what_is_on_the_disk_after_a_while() -> None:
    keeping = Keeping(None, None)
    keeping.found = Found(Account(), Parcel(b"kept"), [])
    replica = Replica(OrderedChannel(b"a" * 16, stateful=True), keeping, lambda _: None)
    replica.start(10.0)
    assert replica.wake == 10.0 + ALONE_AFTER
    replica.tick(10.0 + ALONE_AFTER / 2)
    assert replica.take() == []
    replica.tick(10.0 + ALONE_AFTER)
    assert replica.take() == [Begin(b"kept")]
    assert replica.wake is None
    replica.submit(b"later", 20.0)
    assert replica.channel.pending == 1


def test_the_first_begins_with_nothing_and_a_joiner_with_its_state() -> None:
    stage = Stage()
    ann = stage.join("ann")
    ann.submit(b"1", b"2")
    stage.world.run(0.3)
    bob = stage.join("bob")
    stage.world.run(0.5)
    assert ann.begun == bob.begun == 1
    assert ann.done == bob.done == [b"1", b"2"]


def test_a_state_that_is_refused_is_told_and_another_member_is_asked() -> None:
    stage = Stage()
    ann, bob = stage.join("ann"), stage.join("bob")
    ann.submit(b"1")
    stage.world.run(0.5)
    seen: list[bytes] = []

    def first_is_bad(state: bytes) -> str | None:
        seen.append(state)
        return "it is hostile" if len(seen) == 1 else None

    cy = stage.join("cy", first_is_bad)
    stage.world.run(1.0)
    assert seen == [b"1", b"1"]
    assert cy.done == bob.done == [b"1"]
    assert [each for each in stage.witness.troubles if "it is hostile" in each]


def test_a_member_that_dies_while_it_gives_is_replaced() -> None:
    stage = Stage()
    ann, bob = stage.join("ann"), stage.join("bob")
    ann.submit(*(b"%06d" % number for number in range(100_000)))
    stage.world.run(3.0)
    assert len(bob.done) == 100_000
    channel = OrderedChannel(b"cy" * 8, stateful=True)
    cy = ReplicaMember(stage.world, stage.witness, "cy", channel)
    stage.world.join(cy.host)
    while not cy.replica.waits:
        stage.world.run(0.0005)
    stage.world.crash(ann.host)
    bob.submit(b"after")
    stage.world.run(10.0)
    assert cy.done == bob.done
    assert cy.done[-1] == b"after"
    assert stage.witness.breaches == []


def test_what_is_ordered_while_the_state_comes_is_not_lost_and_not_doubled() -> None:
    stage = Stage()
    ann = stage.join("ann")
    ann.submit(*(b"%06d" % number for number in range(60_000)))
    stage.world.run(2.0)
    channel = OrderedChannel(b"bob!" * 4, stateful=True)
    bob = ReplicaMember(stage.world, stage.witness, "bob", channel)
    stage.world.join(bob.host)
    for number in range(200):
        ann.submit(b"+%d" % number)
        stage.world.run(0.001)
    stage.world.run(3.0)
    assert bob.done == ann.done
    assert len(bob.done) == 60_200
