"""Schedules: random events for the members of a channel, drawn from a seed, and the checks at the end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from liven.liveobjects.channel.history import BEGINNING
from liven.liveobjects.channel.ordering import OrderedChannel
from liven.liveobjects.channel.simulation.member import Member, Verifier
from liven.liveobjects.channel.simulation.network import AGES, World

MEMBERS_MOST = 9
STEPS = 25
BRIEF_FROM: Final = 10_000_000
"""From this seed on, most schedules submit few operations at a time, so that a campaign covers more."""
_BRIEF_OF: Final = 8
"""One of so many of them submits as many as the others."""
_SEEDS_EACH: Final = 1000
"""Neighbouring seeds that are brief or not together: a campaign gives each world every so many seeds."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a schedule."""

    seed: int
    breaches: tuple[str, ...]
    troubles: tuple[str, ...]
    operations: int
    views: int
    acknowledged: int = 0
    lost: int = 0
    """Number of acknowledged operations that are neither in the history nor in a branch."""
    waiting: int = 0
    """Number of members that still wait for something at the end, when nothing fails any more."""


class Schedule:
    """One seeded run."""

    channel_class: type[OrderedChannel] = OrderedChannel

    def __init__(self, seed: int, *, durable: bool = False, aged: bool = False) -> None:
        self.seed = seed
        brief = seed >= BRIEF_FROM and seed // _SEEDS_EACH % _BRIEF_OF > 0
        self.at_once, self.apart = ((1, 3, 10, 40), (1, 3, 8)) if brief else ((1, 10, 100, 400), (1, 5, 30))
        """The numbers of operations that a member submits at once, and one by one."""
        self.durable = durable
        """True if members return with what their stores kept, and all may be gone at once. With `aged`, the
        service gave out thousands of node names before."""
        self.world = World(seed, AGES[seed % len(AGES)] if aged else 1)
        self.random = self.world.random
        self.verifier = Verifier()
        self.members: list[Member] = []
        self.forgetful = set[bytes]()
        """Replicas whose disks were set back without their noticing it."""
        self.set_back = set[bytes]()
        """Voters whose disks were replaced by earlier ones."""
        self._returned: list[Member] = []
        self._payloads = 0
        self._sides = 0

    def run(self) -> Verdict:
        """Run the schedule, let everything settle, and check."""
        for _ in range(self.random.randint(1, 5)):
            self._join()
        self.world.run(0.5)
        for _ in range(STEPS):
            self._step()
            self.world.run(self.random.choice((0.0, 0.001, 0.02, 0.2)))
        self._rest()
        self._judge()
        return self._verdict()

    def _verdict(self) -> Verdict:
        return Verdict(
            self.seed,
            tuple(self.verifier.breaches),
            tuple(self.verifier.troubles),
            max((len(member.done) for member in self.members), default=0),
            len(self.verifier.cuts),
            len(self.verifier.acknowledged),
            len(self.verifier.lost),
            len(self.verifier.waiting),
        )

    # Events

    @property
    def living(self) -> list[Member]:
        """Return the members that run and are not leaving."""
        return [each for each in self.members if each.host.alive and not each.may_leave]

    def _step(self) -> None:
        chance = self.random.random()
        if chance < 0.55 or len(self.living) < 2:
            self._load()
        elif chance < 0.67:
            self._join()
        elif chance < 0.75:
            self._crash()
        elif chance < 0.80:
            self.random.choice(self.living).leave()
        elif chance < 0.88:
            self._freeze()
        elif chance < 0.93:
            self._cut_or_heal()
        elif self.durable and chance < 0.97:
            self._fail_or_return()
        else:
            self.world.slow = self.random.choice((0.0, 0.05, 0.3))

    def _load(self) -> None:
        for member in self.random.choices(self.living, k=self.random.randint(1, 3)) if self.living else []:
            if self.random.random() < 0.5:
                self._submit(member, self._made(self.random.choice(self.at_once)))
                continue
            for payload in self._made(self.random.choice(self.apart)):
                self.world.after(self.random.uniform(0, 0.02), partial(self._submit, member, [payload]))

    def _made(self, count: int) -> list[bytes]:
        self._payloads += count
        return [b"%d" % number for number in range(self._payloads - count, self._payloads)]

    def _submit(self, member: Member, payloads: list[bytes]) -> None:
        if member.host.alive and not member.may_leave and self.world.now >= member.host.frozen_until:
            member.submit(*payloads)

    def _join(self) -> None:
        if len(self.living) >= MEMBERS_MOST:
            return
        author = self.random.randbytes(16)
        channel = self.channel_class(author, stateful=True)
        member = Member(self.world, self.verifier, f"member {len(self.members) + 1}", channel)
        self.members.append(member)
        self.world.join(member.host)

    def _crash(self) -> None:
        """End a member if another one with the state lives on."""
        able = [each for each in self.living if self._has_state(each)]
        member = self.random.choice(self.living)
        if [each for each in able if each is not member]:
            self._ends(member)

    def _ends(self, member: Member) -> None:
        """End a process without notice."""
        self.world.crash(member.host)
        if not any(each.host.alive for each in self.members):
            self.verifier.before_blackout.update(self.verifier.acknowledged)

    def _fail_or_return(self) -> None:
        """End all members at once, or bring back those that ended."""
        gone = [each for each in self.members if not each.host.alive and each not in self._returned]
        if not gone:
            for member in self.living:
                self._ends(member)
            return
        for member in self.random.sample(gone, self.random.randint(1, len(gone))):
            self._return(member)

    def _return(self, member: Member) -> None:
        self._returned.append(member)
        again = member.again(f"member {len(self.members) + 1}, once {member.name}")
        if again is not None:
            self.members.append(again)
            self.world.join(again.host)

    def _has_state(self, member: Member) -> bool:
        return member.waits_for is None and member.channel.position != BEGINNING

    def _freeze(self) -> None:
        seconds = self.random.uniform(0.01, 0.5)
        self.world.freeze(self.random.choice(self.living).host, seconds, evict=self.random.random() < 0.5)

    def _cut_or_heal(self) -> None:
        if self._sides and any(each.host.side for each in self.living):
            self.world.heal(self._sides)
            return
        self._sides += 1
        away = self.random.sample(self.living, self.random.randint(1, max(1, len(self.living) - 1)))
        self.world.cut([each.host for each in away], self._sides)

    # The end

    def _rest(self) -> None:
        self.world.slow = 0.0
        if self.durable and not self.living:
            self._fail_or_return()
        for side in range(1, self._sides + 1):
            self.world.heal(side)
        for _ in range(40):
            self.world.run(0.5)

    def _judge(self) -> None:
        living = self.living
        if not living:
            return
        first = max(living, key=lambda each: len(each.done))
        done = set(first.operations)
        if len(done) != len(first.operations):
            self.verifier.breach("an operation is in the history twice")
        for member in living:
            self._judge_member(member, first)
        if first.main:
            here = {member.channel.voter.identity for member in living} - self.forgetful
            had = set[bytes]().union(*(member.had for member in living)) - self.verifier.unkept
            knew = set[bytes]().union(*(member.knew for member in living))
            had -= self.verifier.before_blackout - knew
            for payload in sorted(self.verifier.acknowledged.keys() - done - self.verifier.branches):
                if payload in had or not here.isdisjoint(self.verifier.acknowledged[payload]):
                    self.verifier.lost.add(payload)
                    self.verifier.breach(f"{payload!r} was acknowledged and is lost")

    def _given_up(self) -> set[bytes]:
        """Return what was confirmed only by voters whose disks are gone, and was with nobody who is here: its
        author had no state when it was confirmed, and could not know."""
        had = set[bytes]().union(*(member.had for member in self.living))
        confirmed = self.verifier.acknowledged.items()
        return {each for each, by in confirmed if each not in had and self.set_back.issuperset(by)}

    def _judge_member(self, member: Member, first: Member) -> None:
        if member.waits_for is not None or member.chain != first.chain:
            self.verifier.breach(
                f"{member.name} is at {len(member.done)} and {first.name} at {len(first.done)}, "
                f"waits {member.waits_for is not None}, stage {member.channel.stage.value}"
            )
            self.verifier.waiting.add(member.channel.author)
            return
        if member.channel.pending:
            self.verifier.waiting.add(member.channel.author)
            self.verifier.breach(f"{member.name} has {member.channel.pending} operations without a number")
        if not first.main:
            return  # the members that could confirm are gone
        missing = set(member.submitted) - set(first.done) - self.verifier.branches
        missing -= self.verifier.unsound_payloads
        unkept = self.verifier.unkept & self.verifier.acknowledged.keys()
        missing -= unkept | self._given_up()
        if missing:
            self.verifier.breach(f"{len(missing)} operations of {member.name} vanished")


def run(seed: int, *, durable: bool = False, aged: bool = False) -> Verdict:
    """Run the schedule of a seed."""
    return Schedule(seed, durable=durable, aged=aged).run()
