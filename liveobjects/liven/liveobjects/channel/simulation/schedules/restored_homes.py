"""Schedules in which the data folder of a user is put back to an earlier copy, with the logs of all programs.

The programs of the home end, and then one or more of them start on the copies. The first one may take over
all logs before the others come. Members that joined after the copy was made are not in it: only a person
knows that they will not come back. All others must be represented by those who took over their logs.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.history import RANDOM_BYTES
from liven.liveobjects.channel.replica.disk.notes import voter_in
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.member import Member
from liven.liveobjects.channel.simulation.replica_schedule import NAME
from liven.liveobjects.channel.simulation.schedule import Verdict
from liven.liveobjects.channel.simulation.schedules.shared_homes import Home, SharedHomes

COPIES: Final = 0.15
"""The probability that a step copies a home, or puts one back."""
_STARTS_MOST: Final = 3


class RestoredHomes(SharedHomes):
    """One seeded run of homes that are put back."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._backups: list[tuple[Home, list[SimulatedStorage]]] = []
        self._copied: dict[Home, set[bytes]] = {}
        """The voters of each home whose logs were put back last."""

    def _step(self) -> None:
        if self.random.random() < COPIES:
            self.random.choice((self._back_up, self._back_up, self._restore))()
        else:
            super()._step()

    def _back_up(self) -> None:
        """Copy the logs of a home, whose programs may run."""
        home = self.random.choice(self.homes)
        self._backups.append((home, [each.copy() for each in home.logs]))

    def _restore(self) -> None:
        """End the programs of a home, and start some on its earlier logs."""
        if not self._backups:
            return
        home, copies = self.random.choice(self._backups)
        for member in home.used.values():
            self._ends(member)
            self.set_back.update(member.channel.voter.identities)
            self._returned.append(member)
        home.put_back([each.copy(moved=True) for each in copies])
        voters = [voter_in(each.kept(NAME).notes) for each in home.logs]
        self._copied[home] = {one for each in voters if each is not None for one in each.identities}
        for _ in range(self.random.randint(1, _STARTS_MOST)):
            self._start(home)
            self.world.run(self.random.choice((0.0, 0.1, 1.0)))

    def _check_confirmation(self, member: Member) -> None:
        copied = set[bytes]().union(*self._copied.values())
        newer = [each for each in member.channel.absent if each not in copied]
        if newer:  # they joined after the copy was made
            member.channel.retire(newer, self.random.randbytes(RANDOM_BYTES))
            member.settle()
            self.world.run(20.0)
        super()._check_confirmation(member)


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return RestoredHomes(seed).run()
