"""A person says that members will not come back: the others continue in an epoch of their own."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.history import FOUNDING_MOST, MARK_BYTES, Session, founding, replaces
from liven.liveobjects.channel.history.declarations import declarations
from liven.liveobjects.channel.ordering.opening.quorum_sessions import QuorumSessions
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.member import Verifier
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.replica_schedule import ReplicaMember

MARK = b"a person".ljust(MARK_BYTES)
RANDOM = b"person"
ANN, BOB, CY = (bytes([place]) * 16 for place in (1, 2, 3))


class Group:
    """Ann, Bob and Cy, who have one history."""

    def __init__(self) -> None:
        self.world, self.verifier = World(1), Verifier()
        self.members = [self.member(name) for name in ("ann", "bob", "cy")]
        for member in self.members:
            self.world.join(member.host)
            self.world.run(2.0)
        self.members[0].submit(b"1")
        self.world.run(2.0)

    def member(self, name: str) -> ReplicaMember:
        return ReplicaMember.on(self.world, self.verifier, name, SimulatedStorage(self.world))


def identity(member: ReplicaMember) -> bytes:
    return member.channel.voter.identity


def test_a_minority_confirms_when_the_absent_are_declared_gone() -> None:
    group = Group()
    ann, bob, cy = group.members
    group.world.crash(ann.host)
    group.world.crash(bob.host)
    cy.submit(b"2")
    group.world.run(30.0)
    assert b"2" not in group.verifier.acknowledged
    assert set(cy.channel.absent) <= {identity(ann), identity(bob)}
    cy.channel.retire(cy.channel.absent, RANDOM)
    cy.settle()
    group.world.run(5.0)
    assert b"2" in group.verifier.acknowledged
    assert group.verifier.breaches == []


def test_all_members_here_agree_after_one_of_them_declared_others_gone() -> None:
    group = Group()
    ann, bob, cy = group.members
    dan = group.member("dan")
    group.world.join(dan.host)
    group.world.run(2.0)
    for member in (ann, bob):
        group.world.crash(member.host)
    group.world.run(3.0)
    assert dan.channel.absent, "two of four without the oldest are no majority"
    dan.channel.retire(dan.channel.absent, RANDOM)
    dan.settle()
    group.world.run(5.0)
    cy.submit(b"2")
    dan.submit(b"3")
    group.world.run(5.0)
    assert {b"2", b"3"} <= group.verifier.acknowledged.keys()
    kept = [member.channel.kept() for member in (cy, dan)]
    foundings = {founding(each.stable_session, each.attempts) for each in kept if each is not None}
    assert len(foundings) == 1
    assert declarations(foundings.pop())[-1].random == RANDOM


def test_confirmed_changes_of_one_who_comes_back_after_all_become_a_branch() -> None:
    group = Group()
    ann, bob, cy = group.members
    group.world.cut([cy.host], 1)
    group.world.run(2.0)
    ann.submit(b"2")  # confirmed by Ann and Bob, who are a majority
    cy.submit(b"3")
    group.world.run(2.0)
    cy.channel.retire(cy.channel.absent, RANDOM)
    cy.settle()
    group.world.run(5.0)
    cy.submit(b"4")
    group.world.run(2.0)
    assert {b"2", b"3", b"4"} <= group.verifier.acknowledged.keys(), "both sides confirm"
    group.world.heal(1)
    group.world.run(20.0)
    assert len({tuple(each.done) for each in (ann, bob, cy)}) == 1, "they share one history again"
    kept = {*ann.done, *group.verifier.branches}
    assert {b"1", b"2", b"3", b"4"} <= kept
    assert group.verifier.branches, "what one side lacks is a branch"
    assert group.verifier.breaches == []


def test_nobody_who_is_here_or_unknown_is_declared_gone() -> None:
    group = Group()
    ann, bob, cy = group.members
    for gone in ([], [identity(bob)], [b"?" * 16]):
        with pytest.raises(ValueError, match="no change waits"):
            ann.channel.retire(gone, RANDOM)
    for member in (ann, bob):
        group.world.crash(member.host)
    group.world.run(3.0)
    with pytest.raises(ValueError, match="no change waits"):
        cy.channel.retire([identity(cy)], RANDOM)


def test_sessions_lose_members_and_get_a_mark() -> None:
    before = QuorumSessions(Session(3, (ANN, BOB), b"f" * 16), (Session(4, (ANN, BOB, CY), b"f" * 16),))
    after = before.without({ANN}, MARK)
    assert (after.stable.members, after.attempts[0].members) == ((BOB,), (BOB, CY))
    assert (after.stable.serial, after.serial) == (3, 4)
    assert replaces(after.founding, before.founding)
    assert not replaces(before.founding, after.founding)
    assert not replaces(after.founding, b"")


def test_the_number_of_declarations_is_bounded() -> None:
    sessions = QuorumSessions(Session(1, (ANN, BOB), b"f" * 16))
    while len(sessions.founding) + MARK_BYTES <= FOUNDING_MOST:
        sessions = sessions.without((), MARK)
    with pytest.raises(ValueError, match="too often"):
        sessions.without((), MARK)
