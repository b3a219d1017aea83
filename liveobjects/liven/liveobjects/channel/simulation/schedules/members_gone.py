"""Members that are gone for good, and people who say so: the others continue without them.

A person may be wrong: the one declared gone is at work on the other side of a cut, or returns later. Both
sides then confirm operations, and when they meet, what one of them lacks is kept as a branch. In the end
somebody declares everybody gone who is not there, and nobody waits any more. Then those return who confirmed
something after a declaration that nobody here knows, because their disks alone have it.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.history import RANDOM_BYTES, replaces
from liven.liveobjects.channel.simulation.member import Member
from liven.liveobjects.channel.simulation.replica_schedule import ReplicaSchedule
from liven.liveobjects.channel.simulation.schedule import Verdict

GOES: Final = 0.08
"""The probability that a step ends a member that does not return by itself."""
DECLARES: Final = 0.1
"""The probability that in a step somebody declares absent members gone."""
_ROUNDS: Final = 5


class GoneForGood(ReplicaSchedule):
    """One seeded run with declarations."""

    def _step(self) -> None:
        chance = self.random.random()
        if chance < GOES and len(self.living) > 1:
            self._ends(self.random.choice(self.living))
        elif chance < GOES + DECLARES and self.living:
            member = self.random.choice(self.living)
            absent = member.channel.absent
            if absent:
                self._declare(member, self.random.sample(absent, self.random.randint(1, len(absent))))
        else:
            super()._step()

    def _declare(self, member: Member, gone: list[bytes]) -> None:
        if self.world.now >= member.host.frozen_until:
            member.channel.retire(gone, self.random.randbytes(RANDOM_BYTES))
            member.settle()

    def _rest(self) -> None:
        super()._rest()
        for _ in range(_ROUNDS):
            waiting = [each for each in self.living if each.channel.absent]
            if not waiting:
                break
            self._declare(waiting[0], list(waiting[0].channel.absent))
            self.world.run(10.0)
        self._expect_confirmation()

    def _judge(self) -> None:
        alone = self._who_confirmed_unknown()
        for member in alone:
            self._return(member)
        if alone:
            self.world.run(20.0)
        super()._judge()

    def _who_confirmed_unknown(self) -> list[Member]:
        """Return the absent members who confirmed operations after declarations that nobody here knows."""
        if not self.living:
            return []
        known = self.living[0].channel.founding
        unknown = {
            voter
            for payload, voters in self.verifier.acknowledged.items()
            for voter in voters
            if self.verifier.founded[payload] != known and not replaces(known, self.verifier.founded[payload])
        }
        return [each for each in self._absent if each.channel.voter.identity in unknown]

    @property
    def _absent(self) -> list[Member]:
        return [each for each in self.members if not each.host.alive and each not in self._returned]

    def _expect_confirmation(self) -> None:
        """Check that everybody who is here gets a confirmation now."""
        expected = {member.name: self._made(1) for member in self.living}
        for member in self.living:
            member.submit(*expected[member.name])
        self.world.run(20.0)
        for member in self.living:
            if expected[member.name][0] not in self.verifier.acknowledged:
                self.verifier.waiting.add(member.channel.author)
                self.verifier.breach(
                    f"{member.name} gets no confirmation after all absent were declared gone"
                )


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return GoneForGood(seed, durable=True).run()
