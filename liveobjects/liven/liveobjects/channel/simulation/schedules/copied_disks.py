"""Schedules in which disks are copied at any step: backups are restored, and copies run beside originals."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.member import Member
from liven.liveobjects.channel.simulation.replica_schedule import ReplicaMember, ReplicaSchedule
from liven.liveobjects.channel.simulation.schedule import MEMBERS_MOST, Verdict

COPIES: Final = 0.25
"""The probability that a step copies, restores or doubles a disk."""
UNNOTICED: Final = 0.2
"""The share of copies that seem to be in their place, such as a virtual machine that is set back."""


class CopiedDisks(ReplicaSchedule):
    """One seeded run of replicas on disks that are copied."""

    def __init__(self, seed: int, *, durable: bool = True) -> None:
        super().__init__(seed, durable=durable)
        self._backups: list[tuple[ReplicaMember, SimulatedStorage]] = []

    def _step(self) -> None:
        if self.random.random() < COPIES:
            self.random.choice((self._back_up, self._back_up, self._restore, self._double))()
        else:
            super()._step()

    @property
    def _on_disks(self) -> list[ReplicaMember]:
        return [each for each in self.members if isinstance(each, ReplicaMember) and each.storage]

    def _back_up(self) -> None:
        """Copy the disk of a member, which may run, and which goes on afterwards."""
        able = self._on_disks
        if able:
            member = self.random.choice(able)
            assert member.storage is not None
            self._backups.append((member, member.storage.copy()))

    def _restore(self) -> None:
        """End a member, and start it on an earlier state of its disk."""
        able = [each for each in self._backups if each[0].host.alive]
        if not able:
            return
        member, backup = self.random.choice(able)
        self._ends(member)
        self.set_back.add(member.channel.voter.identity)
        self._returned.append(member)
        self._start(backup, f"replica {len(self.members) + 1}, {member.name} restored")

    def _double(self) -> None:
        """Start a program on a copy of a disk, perhaps while another one runs on the original."""
        if self._backups and len(self.living) < MEMBERS_MOST:
            member, backup = self.random.choice(self._backups)
            self._start(backup, f"replica {len(self.members) + 1}, a copy of {member.name}")

    def _start(self, backup: SimulatedStorage, name: str) -> None:
        unnoticed = self.random.random() < UNNOTICED
        storage = backup.copy(moved=not unnoticed)
        member = ReplicaMember.on(self.world, self.verifier, name, storage, self.channel_class)
        if unnoticed:
            self.forgetful.add(member.channel.voter.identity)
        self.members.append(member)
        self.world.join(member.host)

    def _judge_member(self, member: Member, first: Member) -> None:
        super()._judge_member(member, first)
        turn = {payload: place for place, payload in enumerate(member.done)}
        for each in self.members:
            turns = [turn[payload] for payload in each.tried if payload in turn]
            if turns != sorted(turns):
                self.verifier.breach(
                    f"operations of {each.name} are in another order than they were submitted"
                )


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return CopiedDisks(seed).run()
