"""Disks that are full for a while: their members become readers, and nobody waits for them.

A full disk takes nothing but the notes for which space is kept. Operations that are acknowledged meanwhile
must be on the disks of all members that vote, and survive every order of ends and returns. As long as some
member that may confirm has room, operations are confirmed.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.ordering import Phase
from liven.liveobjects.channel.simulation.member import Member
from liven.liveobjects.channel.simulation.replica_schedule import (
    NAME,
    ReplicaMember,
    ReplicaSchedule,
    in_history,
)
from liven.liveobjects.channel.simulation.schedule import Verdict

FILLS: Final = 0.2
"""The probability that a step fills or frees a disk."""
CONFIRMED_WITHIN: Final = 20.0


class FullDiskSchedule(ReplicaSchedule):
    """One seeded run with full disks."""

    def _step(self) -> None:
        if self.random.random() < FILLS and self.living:
            self._fill_or_free(self.random.choice(self.living))
            if self.random.random() < 0.3:
                self._look_at_others()
        else:
            super()._step()

    def _fill_or_free(self, member: Member) -> None:
        storage = member.storage if isinstance(member, ReplicaMember) else None
        if storage is None:
            return
        if storage.full:
            storage.free()
        else:
            storage.full = True
            self._submit(member, self._made(self.random.choice((1, 40))))

    def _look_at_others(self) -> None:
        """Check that a member with room gets a confirmation, if everybody is there and awake."""
        self.world.slow = 0.0
        self.world.run(3.0)
        here = self.living
        if any(self._is_away(each) for each in here):
            return
        able = [each for each in here if each.main and self._has_state(each) and self._has_room(each)]
        if not able:
            return
        member = self.random.choice(able)
        (payload,) = made = self._made(1)
        self._submit(member, made)
        end = self.world.now + CONFIRMED_WITHIN
        while payload not in self.verifier.acknowledged and self.world.now < end:
            self.world.run(0.5)
        if payload not in self.verifier.acknowledged and not any(map(self._is_away, self.living)):
            self.verifier.waiting.add(member.channel.author)
            self.verifier.breach(f"{member.name} gets no confirmation while disks of others are full")

    def _is_away(self, member: Member) -> bool:
        opens = member.channel.stage is Phase.OPEN and member.waits_for is None
        return not opens or self.world.now < member.host.frozen_until or member.host.side != 0

    def _has_room(self, member: Member) -> bool:
        return not isinstance(member, ReplicaMember) or member.storage is None or not member.storage.full

    def _judge(self) -> None:
        """Check also that an acknowledged operation which only a reader still had is on the disk of a voter
        that is away."""
        super()._judge()
        stored = {member.channel.voter.identity: self._on_disk(member) for member in self.members}
        there = self.verifier.branches.union(*(member.done for member in self.living))
        for payload in sorted(self.verifier.unkept & self.verifier.acknowledged.keys() - there):
            if not any(payload in stored.get(voter, ()) for voter in self.verifier.acknowledged[payload]):
                self.verifier.lost.add(payload)
                self.verifier.breach(f"{payload!r} was acknowledged and is on no disk")

    def _on_disk(self, member: Member) -> set[bytes]:
        """Return the operations on a member's disk that survive a power cut."""
        storage = member.storage if isinstance(member, ReplicaMember) else None
        return set() if storage is None else in_history(storage.safe(NAME))

    def _rest(self) -> None:
        for member in self.members:
            if isinstance(member, ReplicaMember) and member.storage is not None:
                member.storage.free()
        super()._rest()


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return FullDiskSchedule(seed, durable=True).run()
