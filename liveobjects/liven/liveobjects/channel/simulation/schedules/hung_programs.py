"""Members whose program hangs for up to a minute, while their engines keep their places in the group.

A hung member handles nothing, and what arrives waits for it. After a while its engine takes it out of the
group, sometimes only after the others have left it out of a view. Those who do not hang must agree on a view,
and confirm operations, long before it comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.liveobjects.channel.ordering import Phase
from liven.liveobjects.channel.ordering.opening.view_members import ANSWER_WITHIN
from liven.liveobjects.channel.simulation.member import Member
from liven.liveobjects.channel.simulation.replica_schedule import ReplicaSchedule
from liven.liveobjects.channel.simulation.schedule import Verdict

HANGS: Final = 0.15
"""The probability that a step is a hang."""
LONGEST: Final = 90.0
ENGINE_WAITS: Final = 10.0
"""Seconds after which an engine may give up the place of its program."""
ENDS_WITHIN: Final = 3 * ANSWER_WITHIN + 5.0
"""Seconds in which the others must be in an open view. Some may be found to be hung only in the next
phase."""


class HungSchedule(ReplicaSchedule):
    """One seeded run with members that hang."""

    def _step(self) -> None:
        if self.random.random() < HANGS and len(self.living) > 1:
            self._hang()
        else:
            super()._step()

    def _hang(self) -> None:
        hung = self.random.sample(self.living, self.random.randint(1, max(1, len(self.living) // 2)))
        seconds = self.random.choice((self.random.uniform(0.5, 20.0), LONGEST))
        for member in hung:
            self.world.freeze(member.host, seconds, evict=False)
            self._taken_out(member, self.random.uniform(ENGINE_WAITS, 2 * ENGINE_WAITS))
        if self.random.random() < 0.5:
            self._change_view(hung)
        if seconds == LONGEST:
            self._look_at_others(hung)

    def _taken_out(self, member: Member, seconds: float) -> None:
        """Let the engine of a hung member leave the group, if it still hangs by then. Mostly the member keeps
        its name when it joins again."""
        host, name, again = member.host, member.host.name, self.random.random() < 0.8

        def leave() -> None:
            if self.world.now < host.frozen_until:
                self.world.take_out(host, name, same_name=again)

        self.world.after(seconds, leave)

    def _change_view(self, hung: list[Member]) -> None:
        others = [each for each in self.living if each not in hung]
        if self.random.random() < 0.5 or len(others) < 3:
            self._join()
        else:
            self._ends(self.random.choice(others))

    def _look_at_others(self, hung: list[Member]) -> None:
        """Check that the others go on while some members hang."""

        def awake() -> list[Member]:
            now = self.world.now
            return [each for each in self.living if each not in hung and now >= each.host.frozen_until]

        self._await(lambda: all(each.channel.stage is Phase.OPEN for each in awake()))
        for member in awake():
            if member.channel.stage is not Phase.OPEN:
                self._waits(member, f"{member.name} is {member.channel.stage.value} while others hang")
        able = [each for each in awake() if each.main and self._has_state(each)]
        if able:
            self._check_confirmation(self.random.choice(able))

    def _check_confirmation(self, member: Member) -> None:
        (payload,) = made = self._made(1)
        self._submit(member, made)
        self._await(lambda: payload in self.verifier.acknowledged or not member.main)
        if payload not in self.verifier.acknowledged and member.main and member in self.living:
            self._waits(member, f"{member.name} gets no confirmation while others hang")

    def _await(self, reached: Callable[[], bool]) -> None:
        """Run until something is reached, or until it should have been."""
        end = self.world.now + ENDS_WITHIN
        self.world.run(1.0)
        while not reached() and self.world.now < end:
            self.world.run(1.0)

    def _waits(self, member: Member, text: str) -> None:
        self.verifier.waiting.add(member.channel.author)
        self.verifier.breach(text)

    def _rest(self) -> None:
        self.world.run(LONGEST)
        super()._rest()


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return HungSchedule(seed, durable=True).run()
