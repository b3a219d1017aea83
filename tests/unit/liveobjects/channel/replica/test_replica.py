"""Replicas in the simulated world: which member is asked for the state, and what happens to a bad one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from liven.liveobjects.channel.history import Session
from liven.liveobjects.channel.ordering import OrderedChannel
from liven.liveobjects.channel.replica import Begin, Branched, Persistence, Replica, wire
from liven.liveobjects.channel.replica.disk.journal import MARK, Journal
from liven.liveobjects.channel.replica.disk.own_operations import STORED_AFTER
from liven.liveobjects.channel.replica.disk.persistence import FoundData
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition
from liven.liveobjects.channel.replica.state_transfer.receiver import PATIENCE
from liven.liveobjects.channel.simulation import replica_schedule
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.member import Verifier
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.replica_schedule import NAME, ReplicaMember
from liven.liveobjects.channel.store.records import StoreFullError

Refusal = Callable[[bytes], str | None]


class Stage:
    """Replicas that join one after the other."""

    def __init__(self) -> None:
        self.world = World(1)
        self.verifier = Verifier()

    def join(self, name: str, refusal: Refusal = lambda _: None) -> ReplicaMember:
        channel = OrderedChannel(name.encode().ljust(16, b"."), stateful=True)
        member = ReplicaMember(self.world, self.verifier, name, channel)
        member.replica = Replica(channel, member.persistence, refusal)
        self.world.join(member.host)
        self.world.run(0.3)
        return member


def test_a_replica_shows_the_state_on_disk_before_there_is_a_view() -> None:
    persistence = Persistence(None, None)
    persistence.found = FoundData(StatePosition(), Parcel(b"kept"), [])
    replica = Replica(OrderedChannel(b"a" * 16, stateful=True), persistence, lambda _: None)
    replica.start()
    assert replica.take() == [Begin(b"kept", after=[])]
    assert replica.wake is None
    replica.submit(b"later", 20.0)
    assert replica.channel.pending == 1


def test_a_replica_without_a_state_on_disk_waits_for_a_view() -> None:
    replica = Replica(OrderedChannel(b"a" * 16, stateful=True), Persistence(None, None), lambda _: None)
    replica.start()
    assert replica.take() == []
    assert not replica.begun


def test_the_first_member_begins_empty_and_a_joiner_with_its_state() -> None:
    stage = Stage()
    ann = stage.join("ann")
    ann.submit(b"1", b"2")
    stage.world.run(0.3)
    bob = stage.join("bob")
    stage.world.run(0.5)
    assert ann.begun == bob.begun == 1
    assert ann.done == bob.done == [b"1", b"2"]


def test_a_refused_state_is_reported_and_another_member_is_asked() -> None:
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
    assert [each for each in stage.verifier.troubles if "it is hostile" in each]


def test_a_donor_that_crashes_is_replaced() -> None:
    stage = Stage()
    ann, bob = stage.join("ann"), stage.join("bob")
    ann.submit(*(b"%06d" % number for number in range(100_000)))
    stage.world.run(3.0)
    assert len(bob.done) == 100_000
    channel = OrderedChannel(b"cy" * 8, stateful=True)
    cy = ReplicaMember(stage.world, stage.verifier, "cy", channel)
    stage.world.join(cy.host)
    while not cy.replica.waits:
        stage.world.run(0.0005)
    stage.world.crash(ann.host)
    bob.submit(b"after")
    stage.world.run(10.0)
    assert cy.done == bob.done
    assert cy.done[-1] == b"after"
    assert stage.verifier.breaches == []


def test_operations_ordered_during_a_transfer_are_applied_once() -> None:
    stage = Stage()
    ann = stage.join("ann")
    ann.submit(*(b"%06d" % number for number in range(60_000)))
    stage.world.run(2.0)
    channel = OrderedChannel(b"bob!" * 4, stateful=True)
    bob = ReplicaMember(stage.world, stage.verifier, "bob", channel)
    stage.world.join(bob.host)
    for number in range(200):
        ann.submit(b"+%d" % number)
        stage.world.run(0.001)
    stage.world.run(3.0)
    assert bob.done == ann.done
    assert len(bob.done) == 60_200


def test_a_state_is_not_put_in_place_while_a_view_is_being_agreed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage()
    ann = stage.join("ann")
    ann.submit(b"1", b"2")
    stage.world.run(0.3)
    agreeing: set[OrderedChannel] = set()
    monkeypatch.setattr(OrderedChannel, "may_complete", property(lambda self: self not in agreeing))
    channel = OrderedChannel(b"bob!" * 4, stateful=True)
    bob = ReplicaMember(stage.world, stage.verifier, "bob", channel)
    agreeing.add(channel)
    stage.world.join(bob.host)
    stage.world.run(2 * PATIENCE)
    assert bob.replica.waits
    assert bob.begun == 0
    agreeing.clear()
    stage.world.run(PATIENCE)
    assert bob.begun == 1
    assert bob.done == ann.done


def test_waiting_operations_are_stored_at_once_without_a_view() -> None:
    world = World(1)
    storage = SimulatedStorage(world)
    member = ReplicaMember.on(world, Verifier(), "ann", storage)
    member.replica.submit(b"alone", 1.0)
    assert [each.payload for each in Journal(storage.open(MARK + NAME)).found] == [b"alone"]
    world.join(member.host)
    world.run(1.0)
    member.replica.submit(b"together", world.now)
    assert Journal(storage.open(MARK + NAME)).found == []
    assert member.replica.wake == world.now + STORED_AFTER
    member.replica.tick(world.now + STORED_AFTER)
    assert [each.payload for each in Journal(storage.open(MARK + NAME)).found] == [b"together"]


def test_stable_operations_leave_the_journal() -> None:
    world = World(1)
    storage = SimulatedStorage(world)
    member = ReplicaMember.on(world, Verifier(), "ann", storage)
    member.submit(b"alone")
    world.join(member.host)
    world.run(2.0)
    assert member.done == [b"alone"]
    assert Journal(storage.open(MARK + NAME)).found == []


def test_operations_submitted_without_a_view_are_ordered_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replica_schedule, "POWER_CUTS", 0.0)
    world, verifier = World(1), Verifier()
    storage = SimulatedStorage(world)
    member = ReplicaMember.on(world, verifier, "ann", storage)
    member.submit(b"1", b"2")
    member.host.alive = False
    again = member.again("ann again")
    assert again is not None
    world.join(again.host)
    world.run(2.0)
    assert again.done == [b"1", b"2"]
    assert verifier.breaches == []


def test_a_member_cut_off_and_restarted_twice_submits_each_operation_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replica_schedule, "POWER_CUTS", 0.0)
    world, verifier = World(1), Verifier()
    bob = ReplicaMember.on(world, verifier, "bob", SimulatedStorage(world))
    ann: ReplicaMember = ReplicaMember.on(world, verifier, "ann", SimulatedStorage(world))
    world.join(bob.host)
    world.join(ann.host)
    world.run(1.0)
    ann.submit(b"0")
    world.run(1.0)
    for number in (1, 2, 3):
        world.lose(ann.host, 1000.0)
        ann.submit(b"alone%d" % number)
        world.crash(ann.host)
        world.run(0.5)
        again = ann.again(f"ann {number}")
        assert isinstance(again, ReplicaMember)
        ann = again
        ann.submit(b"early%d" % number)
        world.crash(ann.host)
        again = ann.again(f"ann {number}, later")
        assert isinstance(again, ReplicaMember)
        ann = again
        world.join(ann.host)
        world.run(0.2)
        world.cut([ann.host], number)
        ann.submit(b"cut%d" % number)
        world.run(0.3)
        world.heal(number)
        world.run(1.0)
    expected = [b"0"]
    for number in (1, 2, 3):
        expected += [b"alone%d" % number, b"early%d" % number, b"cut%d" % number]
    assert ann.done == bob.done == expected
    assert verifier.breaches == []


def test_a_new_life_need_not_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica_schedule, "POWER_CUTS", 0.0)
    world, verifier = World(1), Verifier()
    first = ReplicaMember.on(world, verifier, "ann", SimulatedStorage(world))
    assert joined(world, first, b"early") == 0
    world.crash(first.host)
    with monkeypatch.context() as patch:
        patch.setattr(SimulatedStorage, "when_durable", lambda *_: None)
        second = first.again("ann again")
        assert isinstance(second, ReplicaMember)
        assert second.channel.author != first.channel.author
        assert joined(world, second, b"late") == 0
    assert second.done == [b"early", b"late"]
    assert verifier.breaches == []


def test_earlier_operations_become_stable_after_a_join_without_new_ones() -> None:
    world, verifier = World(1), Verifier()
    ann, bob = (ReplicaMember.on(world, verifier, name, SimulatedStorage(world)) for name in ("ann", "bob"))
    world.join(ann.host)
    world.run(0.1)
    ann.submit(b"1")
    world.join(bob.host)
    world.run(2.0)
    assert bob.done == [b"1"]
    assert ann.channel.unacknowledged == 0
    assert verifier.breaches == []


def test_a_member_that_joins_a_side_stores_nothing_of_it_as_stable() -> None:
    world, verifier = World(1), Verifier()
    ann, bob, cy = (
        ReplicaMember.on(world, verifier, name, SimulatedStorage(world)) for name in ("ann", "bob", "cy")
    )
    for member in (ann, bob):
        world.join(member.host)
        world.run(1.0)
    ann.submit(b"1")
    world.run(1.0)
    world.cut([bob.host], 1)
    world.run(0.2)
    bob.submit(b"2")
    world.run(1.0)
    cy.host.side = 1
    world.join(cy.host)
    world.run(1.0)
    assert cy.done == [b"1", b"2"]
    assert cy.storage is not None
    returned = Persistence(cy.storage.open(NAME), None, reading=True).returned
    assert returned is not None
    assert (returned.tip.number, returned.stable.number) == (2, 1), "nobody may confirm what a side does"


def test_the_log_of_a_lost_history_does_not_count_for_the_winning_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, verifier = World(1), Verifier()
    ann, bob, cy = (
        ReplicaMember.on(world, verifier, name, SimulatedStorage(world)) for name in ("ann", "bob", "cy")
    )
    for member in (ann, bob, cy):
        world.join(member.host)
    world.run(1.0)
    world.cut([cy.host], 1)
    world.run(0.2)
    cy.submit(*(b"cy%d" % number for number in range(50)))
    ann.submit(*(b"ann%d" % number for number in range(20)))
    world.run(1.0)
    assert cy.lacking([b"cy49"]) == [], "its log has fifty operations of its side"
    forced: list[Callable[[], object]] = []
    with monkeypatch.context() as patch:
        patch.setattr(cy.storage, "when_durable", forced.append)
        world.heal(1)
        world.run(2.0)
    assert cy.done == ann.done
    assert max(number for *_, number in verifier.stable) == 20, "its disk has nothing of what goes on"
    for callback in forced:
        callback()
    cy.submit(b"after")
    world.run(2.0)
    assert b"cy0" in verifier.acknowledged
    assert verifier.breaches == []


@pytest.mark.parametrize(("author", "counts"), [(b"eve", True), (b"ann", False)])
def test_a_member_can_report_only_its_own_state(author: bytes, counts: bool) -> None:
    stage = Stage()
    ann, eve = stage.join("ann"), stage.join("eve")
    ann.replica = Replica(ann.replica.channel, ann.persistence, lambda _: None, every=1000)
    ann.replica.seats = eve.replica.seats
    said = wire.Digest(author.ljust(16, b"."), 1000, b"c" * 16, b"digest")
    eve.replica.channel.say(wire.encode(said))
    eve.settle()
    stage.world.run(0.3)
    assert bool(ann.replica._comparison._agreement._points) is counts


def joined(world: World, member: ReplicaMember, payload: bytes) -> int:
    """Let a member join and submit an operation, and return how many of its operations wait a while later."""
    world.join(member.host)
    member.submit(payload)
    world.run(3.0)
    return member.channel.pending


def test_an_incomplete_log_is_rewritten_as_soon_as_the_disk_has_room() -> None:
    stage = Stage()
    storage = SimulatedStorage(stage.world)
    ann = ReplicaMember.on(stage.world, stage.verifier, "ann", storage)
    stage.world.join(ann.host)
    stage.world.run(0.3)
    storage.full = True
    for number in range(60):
        ann.submit(b"%d" % number)
        stage.world.run(0.1)
    assert ann.persistence.lacks
    storage.free()
    stage.world.run(0.5)
    assert ann.persistence.stores
    assert ann.channel.is_stored


def test_a_branch_that_a_full_disk_refused_is_shown_when_it_is_stored() -> None:
    world = World(1)
    storage = SimulatedStorage(world)
    persistence = Persistence(storage.open(NAME), storage.open)
    replica = Replica(OrderedChannel(persistence.author, stateful=True), persistence, lambda _: None)
    persistence.start_over(StatePosition(), Parcel(b"old"), lambda _: None)
    storage.full = True
    with suppress(StoreFullError):
        for _ in range(100):
            storage.open("another").append([b"x"])
    assert persistence.branch({}) is None
    persistence.start_over(StatePosition(), Parcel(b"new"), lambda _: None)
    storage.free()
    persistence.start_over(StatePosition(), Parcel(b"new"), lambda _: None)
    (name,) = [each.name for each in replica.take() if isinstance(each, Branched)]
    assert Persistence(storage.open(name), None).found is not None


def test_a_session_is_recorded_ahead_on_a_full_disk_although_the_history_was_replaced() -> None:
    world = World(1)
    storage = SimulatedStorage(world)
    persistence = Persistence(storage.open(NAME), storage.open)
    persistence.start_over(StatePosition(), Parcel(b"old"), lambda _: None)
    one, two = bytes(16), bytes([1]) * 16
    recorded = set[int]()
    persistence.sessions(Session(1, (one, two), b"here"), (), recorded.add)
    world.run(1.0)
    storage.full = True
    storage.open("another").append([b"x"])
    persistence.start_over(StatePosition(), Parcel(b"new"), lambda _: None)
    persistence.sessions(Session(2, (two,), b"here"), (), recorded.add)
    world.run(1.0)
    assert recorded == {1, 2}
    persistence.sessions(Session(3, (two,), b"elsewhere"), (), recorded.add)
    world.run(1.0)
    assert recorded == {1, 2}, "it would belong to the history that is still on the disk"
