"""Two people with a laptop each: in each sitting one of them or both open the channel, work, and close it or
lose power.

Who returns alone may confirm changes, and so may the other one later, without those. When they meet, one
history becomes a branch. In the end each change is in the history or in a branch on one of the disks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.channel.replica.disk.kept_branches import branch_names
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.replica_schedule import (
    NAME,
    ReplicaMember,
    ReplicaSchedule,
    in_branches,
)
from liven.liveobjects.channel.simulation.schedule import Verdict

SITTINGS: Final = 8
CHANGES: Final = 5
"""Changes of each person in a sitting."""
CRASHES: Final = 0.1
"""The share of sittings that end without closing the channel."""


@dataclass
class Figures:
    """The sums over all runs."""

    sittings: int = 0
    alone: int = 0
    """Sittings of one of the two."""
    waiting: int = 0
    """Sittings of one alone in which changes were not confirmed: the person reads who is waited for."""
    changes: int = 0
    branches: int = 0
    in_branches: int = 0
    """Changes that only a branch has in the end."""
    missing: int = 0
    """Changes that are nowhere in the end."""


class TwoLaptops(ReplicaSchedule):
    """The sittings of two people."""

    people = 2
    may_lose_unconfirmed = False
    """True if a computer may lose power before it stored what was submitted just now."""

    def __init__(self, seed: int, figures: Figures, *, together: float | None = None) -> None:
        super().__init__(seed, durable=True)
        self.figures = figures
        self._together = self.random.random() if together is None else together
        """The share of sittings in which both work at once."""
        self._storages = [SimulatedStorage(self.world) for _ in range(self.people)]

    def _open(self, who: int) -> ReplicaMember:
        name = f"laptop {who}, {len(self.members)}"
        member = ReplicaMember.on(self.world, self.verifier, name, self._storages[who])
        self.members.append(member)
        self.world.join(member.host)
        return member

    def _close(self, member: ReplicaMember) -> None:
        crashes = self.random.random() < CRASHES
        if not crashes:
            member.leave()
            self.world.run(5.0)
        if member.host.alive:
            self.world.crash(member.host)
        assert member.storage is not None
        member.storage.crash(power=crashes)
        self.world.run(1.0)

    def sit(self, who: Sequence[int]) -> None:
        """Let these people open the channel, work, and close it."""
        members = [self._open(each) for each in who]
        self.world.run(5.0)
        made = [self._made(CHANGES) for _ in members]
        for member, payloads in zip(members, made, strict=True):
            self._submit(member, payloads)
        self.world.run(10.0)
        self.figures.sittings += 1
        self.figures.changes += CHANGES * len(who)
        confirmed = self.verifier.acknowledged.keys() | self.verifier.branches
        if len(who) == 1:
            self.figures.alone += 1
            self.figures.waiting += not confirmed.issuperset(made[0])
        for member in self.random.sample(members, len(members)):
            self._close(member)

    def _some(self) -> Sequence[int]:
        return self.random.sample(range(self.people), self.random.randrange(1, self.people))

    def run(self, sittings: int = SITTINGS) -> Verdict:
        """Run all sittings, let both meet, and count."""
        everybody = range(self.people)
        self.sit(everybody)
        for _ in range(sittings):
            together = self.random.random() < self._together
            self.sit(everybody if together else self._some())
        members = [self._open(each) for each in everybody]
        self.world.run(30.0)
        kept = {name for each in self._storages for name in branch_names(each.kept(NAME).notes)}
        there = set[bytes]().union(*(in_branches(each) for each in self._storages))
        missing = {b"%d" % each for each in range(self._payloads)} - set(members[0].done)
        self.figures.branches += len(kept)
        self.figures.in_branches += len(missing & there)
        self.figures.missing += len(missing - there)
        if any(each.done != members[0].done for each in members):
            self.verifier.breach("they have different states")
        for payload in sorted(missing - there):
            if payload in self.verifier.acknowledged:
                self.verifier.lost.add(payload)
            elif self.may_lose_unconfirmed:
                continue
            self.verifier.breach(f"{payload!r} is neither in the history nor in a branch")
        return self._verdict()


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return TwoLaptops(seed, Figures()).run()
