"""Replicas with faulty objects, which other members must detect.

A faulty object sometimes applies something else than what it received. Its log is right, so a replay exposes
it. At the end all have one state. If every member with the right state was gone before a comparison, that
state still has the fault, so an operation that some object applied wrongly need not be in it.
"""

from __future__ import annotations

from hashlib import blake2b

from liven.liveobjects.channel.ordering import OrderedChannel
from liven.liveobjects.channel.replica import Apply, Begin, Effect, Replay, Replayed, Replica, TakeDigest
from liven.liveobjects.channel.simulation.member import Verifier
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.replica_schedule import ReplicaMember, ReplicaSchedule
from liven.liveobjects.channel.simulation.schedule import MEMBERS_MOST, Verdict

EVERY = 50
FAULT_PROBABILITY = 0.05
"""The probability that a faulty member applies a batch of operations wrongly."""


class FaultyMember(ReplicaMember):
    """A member that compares its state with others, and may be faulty."""

    def __init__(
        self, world: World, verifier: Verifier, name: str, channel: OrderedChannel, *, faulty: bool
    ) -> None:
        super().__init__(world, verifier, name, channel)
        self.replica = Replica(channel, self.persistence, lambda _: None, every=EVERY)
        self.replica.when_written = lambda: world.after(0.0, self.settle)
        self.faulty = faulty
        self.faults = 0
        self.repairs = 0
        self.true: list[bytes] = []
        """The right result of the state and operations that this member received."""

    def _effect(self, effect: Effect) -> None:
        super()._effect(effect)
        match effect:
            case Begin():
                self.repairs += self.begun > 1
                self.true = list(self.done)
            case Apply(payloads=payloads):
                self.true += payloads
                if self.faulty and self.world.random.random() < FAULT_PROBABILITY:
                    self.faults += 1
                    self.verifier.branches.add(payloads[-1])
                    self.done[-1] = b"%s-%d" % (self.name[:9].replace(" ", "-").encode(), self.faults)
            case TakeDigest(number=number):
                self.replica.digested(number, _digest(self.done))
            case Replay(number=number):
                right = self.true == self.done
                self.replica.replayed(number, Replayed.TRUE if right else Replayed.WRONG)


def _digest(done: list[bytes]) -> bytes:
    return blake2b(b" ".join(done), digest_size=16).digest()


class FaultySchedule(ReplicaSchedule):
    """One seeded run in which the first member, and perhaps others, are faulty until shortly before
    the end."""

    def _join(self) -> None:
        if len(self.living) >= MEMBERS_MOST:
            return
        channel = self.channel_class(self.random.randbytes(16), stateful=True)
        faulty = not self.members or self.random.random() < 0.2
        name = f"member {len(self.members) + 1}{', who errs' if faulty else ''}"
        member = FaultyMember(self.world, self.verifier, name, channel, faulty=faulty)
        self.members.append(member)
        self.world.join(member.host)

    @property
    def faulty_members(self) -> list[FaultyMember]:
        """Return all members."""
        return [each for each in self.members if isinstance(each, FaultyMember)]

    def _rest(self) -> None:
        for each in self.faulty_members:
            each.faulty = False
        super()._rest()
        for member in self.living[:1]:
            self._submit(member, self._made(1))  # a mark follows, and all compare
        for _ in range(160):
            self.world.run(0.5)


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return FaultySchedule(seed).run()
