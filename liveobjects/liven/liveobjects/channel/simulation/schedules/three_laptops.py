"""Three people with a laptop each, who come one after the other, and are cut off from each other at work.

While one of them is cut off, the others may confirm changes that this one does not know. If these others are
away later, when it works on alone, several histories are confirmed, and all but one of them become branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from liven.liveobjects.channel.simulation.replica_schedule import ReplicaMember
from liven.liveobjects.channel.simulation.schedule import Verdict
from liven.liveobjects.channel.simulation.schedules.two_laptops import Figures, TwoLaptops

GAPS: Final = (0.0, 0.5, 4.0)
"""Seconds between two people who open the channel."""
EARLY: Final = 0.5
"""The share of arrivals after which people work before the next one comes."""
CUTS: Final = 0.5
"""The share of sittings in which some are cut off."""
_STAYS: Final = 0.3
"""The share of those who keep the channel open until all see each other again."""


class ThreeLaptops(TwoLaptops):
    """The sittings of three people."""

    people = 3
    may_lose_unconfirmed = True

    def sit(self, who: Sequence[int]) -> None:
        """Let these people open the channel, work, perhaps apart, and close it."""
        members = list[ReplicaMember]()
        for each in who:
            members.append(self._open(each))
            self.world.run(self.random.choice(GAPS))
            if self.random.random() < EARLY:
                self._work_together(members)
        self._work_together(members)
        if len(members) > 1 and self.random.random() < CUTS:
            self._sides += 1
            away = self.random.sample(members, self.random.randrange(1, len(members)))
            self.world.cut([each.host for each in away], self._sides)
            self._work_together(members)
            for member in [each for each in members if self.random.random() >= _STAYS]:
                members.remove(member)
                self._close(member)
            self.world.heal(self._sides)
            self.world.run(self.random.choice(GAPS))
        for member in self.random.sample(members, len(members)):
            self._close(member)

    def _work_together(self, members: Sequence[ReplicaMember]) -> None:
        for _ in range(2):
            for member in members:
                self._submit(member, self._made(self.random.randint(1, 5)))
            self.world.run(self.random.choice((0.01, 0.1, 3.0)))


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return ThreeLaptops(seed, Figures()).run()
