"""Schedules with one member that the others cannot rely on: its messages arrive changed, or it hangs.

| kind     | what the others receive from it                                                     |
|----------|-------------------------------------------------------------------------------------|
| garbage  | random bytes, as if its key were wrong from some moment on                          |
| flips    | some messages with a changed bit, or cut off                                        |
| inside   | some messages whose content changed before their checksum was computed              |
| hung     | nothing for a long time: the application hangs while the engine lives               |

The others must go on, and what they acknowledged stays in the main history: in no branch.

A program that changes what it says before the checksum is computed may report different things to different
members, and hand over a wrong state. Then members may begin a view at different places, which they notice by
the chain hashes, and states may differ, which they notice when they compare them (`faulty_replicas.py`). Only
the order is judged here.
"""

from __future__ import annotations

import enum
from functools import partial

from liven.liveobjects.channel.ordering.message_codec import SUM_BYTES, sealed
from liven.liveobjects.channel.simulation.member import Member
from liven.liveobjects.channel.simulation.replica_schedule import ReplicaSchedule
from liven.liveobjects.channel.simulation.schedule import Verdict

SPOILED = 0.05
"""The share of messages that are spoiled, except for garbage."""


class Kind(enum.Enum):
    """The fault of the unsound member."""

    GARBAGE = "garbage"
    FLIPS = "flips"
    INSIDE = "inside"
    HUNG = "hung"


class UnsoundSchedule(ReplicaSchedule):
    """One seeded run in which a member becomes unsound at some step. In half of the runs it is sound again
    before the end."""

    def __init__(self, seed: int, kind: Kind) -> None:
        super().__init__(seed, aged=True)
        self.kind = kind
        self._unsound: Member | None = None
        self._heals = self.random.random() < 0.5
        self._begins_at = self.random.randint(2, 15)
        self._steps = 0

    def _step(self) -> None:
        self._steps += 1
        if self._unsound is None and self._steps >= self._begins_at and len(self.living) > 1:
            self._begin(self.random.choice(self.living))
        super()._step()

    def _begin(self, member: Member) -> None:
        self._unsound = member
        self.verifier.unsound.add(member.channel.author)
        if self.kind is Kind.HUNG:
            self.world.freeze(member.host, self.random.uniform(5.0, 60.0), evict=False)
        else:
            member.host.spoil = self._spoiled
            self.verifier.differs = self.kind is Kind.INSIDE
            self.verifier.unsound_payloads.update(member.submitted)

    def _submit(self, member: Member, payloads: list[bytes]) -> None:
        if member is self._unsound and self.kind is not Kind.HUNG:
            self.verifier.unsound_payloads.update(payloads)
        super()._submit(member, payloads)

    def _spoiled(self, payload: bytes) -> bytes:
        if self.kind is Kind.GARBAGE:
            return self.random.randbytes(max(1, len(payload)))
        if self.random.random() >= SPOILED:
            return payload
        if self.kind is Kind.FLIPS:
            return self._changed(payload)
        return sealed(self._changed(payload[:-SUM_BYTES]))

    def _changed(self, payload: bytes) -> bytes:
        """Return bytes with a changed bit, or cut off."""
        if self.random.random() < 0.2:
            return payload[: self.random.randrange(len(payload))]
        place = self.random.randrange(len(payload))
        changed = bytes([payload[place] ^ (1 << self.random.randrange(8))])
        return payload[:place] + changed + payload[place + 1 :]

    def _fail_or_return(self) -> None:
        """Do nothing: without a majority that lives on, confirmed operations may move to a branch."""

    def _cut_or_heal(self) -> None:
        """Do nothing, for the same reason."""

    def _rest(self) -> None:
        unsound = self._unsound
        if unsound is not None and self._heals:
            unsound.host.spoil = None
            if self.world.now < unsound.host.frozen_until:
                self.world.run(unsound.host.frozen_until - self.world.now)
        super()._rest()
        for _ in range(60):
            self.world.run(1.0)

    @property
    def sound(self) -> list[Member]:
        """Return the living members that are judged."""
        return [each for each in self.living if each is not self._unsound or self._heals]

    def _judge(self) -> None:
        sound = self.sound
        if not sound:
            return
        first = max(sound, key=lambda each: len(each.done))
        for member in sound:
            self._judge_member(member, first)
        done = set[bytes]().union(*(member.done for member in sound if member.chain == first.chain))
        if first.main:
            here = {member.channel.author for member in sound}
            had = set[bytes]().union(*(member.had for member in sound))
            for payload in sorted(self.verifier.acknowledged.keys() - done):
                if self._is_in_branch_of_another_founding(payload, first):
                    continue
                if payload in had or not here.isdisjoint(self.verifier.acknowledged[payload]):
                    self.verifier.lost.add(payload)
                    self.verifier.breach(f"{payload!r} was acknowledged and is not in the main history")

    def _judge_member(self, member: Member, first: Member) -> None:
        if self.kind is not Kind.INSIDE or member.chain != first.chain:
            super()._judge_member(member, first)
        elif member.channel.pending:
            self.verifier.waiting.add(member.channel.author)
            self.verifier.breach(f"{member.name} has {member.channel.pending} operations without a number")

    def _is_in_branch_of_another_founding(self, payload: bytes, first: Member) -> bool:
        """True if an operation was acknowledged in a channel that was founded while nobody else was in the
        group, and is in a branch since the two channels met."""
        elsewhere = self.verifier.founded[payload] != first.channel.founding
        return elsewhere and payload in self.verifier.branches


def run(seed: int, kind: Kind) -> Verdict:
    """Run the schedule of a seed."""
    return UnsoundSchedule(seed, kind).run()


WORLDS = {f"unsound-{kind.value}": partial(run, kind=kind) for kind in Kind}
