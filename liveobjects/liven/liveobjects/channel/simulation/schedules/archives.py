"""Schedules in which every member archives the confirmed order, while members fail, leave and return.

An archive survives its process, except for a tail that was not on disk yet. In the end the archive of each
member must be the history of all, number by number, and say which numbers it lacks.
"""

from __future__ import annotations

from liven.liveobjects.channel.history import Recovery
from liven.liveobjects.channel.ordering import (
    BeginEmpty,
    Delivered,
    HistoryRestored,
    Installed,
    Run,
    Stable,
)
from liven.liveobjects.channel.ordering.confirmed_order import (
    Confirmed,
    ConfirmedOrder,
    Forked,
    Missing,
    Passed,
    StateAt,
)
from liven.liveobjects.channel.replica import Begin, Effect
from liven.liveobjects.channel.simulation.member import Member
from liven.liveobjects.channel.simulation.replica_schedule import ReplicaMember, ReplicaSchedule
from liven.liveobjects.channel.simulation.schedule import Verdict


class Archive:
    """The archive of one replica, over all its processes."""

    def __init__(self) -> None:
        self.log: list[Passed] = []
        self.breaches: list[str] = []
        self._number = 0

    def add(self, passed: list[Passed], stable: int | None = None) -> None:
        """Append rows, and check that numbers are dense, and up to the stable one."""
        for row in passed:
            if isinstance(row, Confirmed) and stable is not None and row.run.last > stable:
                self.breaches.append(f"{row.run.last} is passed on, and stable is {stable}")
            match row:
                case Confirmed(run=run):
                    self._follow(run.number, run.last)
                case Missing(first=first, last=last):
                    self._follow(first, last)
                case StateAt(number=number) if number != self._number:
                    self.breaches.append(f"a state after {number} stands after {self._number}")
                case Forked(number=number) if number > self._number:
                    self.breaches.append(f"a fork at {number} after {self._number}")
                case Forked(number=number):
                    self._number = number
        self.log += passed

    def _follow(self, first: int, last: int) -> None:
        if first != self._number + 1 or last < first:
            self.breaches.append(f"{first} to {last} stand after {self._number}")
        self._number = last

    @property
    def forced(self) -> int:
        """Number of rows that are on disk at once: up to the last fork."""
        return max((at for at, row in enumerate(self.log, 1) if isinstance(row, Forked)), default=0)

    def cut(self, length: int) -> Archive:
        """Return the archive as a later process finds it on disk."""
        kept = Archive()
        kept.add(self.log[:length])
        kept.breaches = list(self.breaches)
        return kept

    def resumed(self, *, chain: bool) -> ConfirmedOrder:
        """Return the order of the next process."""
        found = self.content()[1]
        return ConfirmedOrder(self._number, found.get(self._number, b"") if chain else b"")

    def content(self) -> tuple[dict[int, bytes], dict[int, bytes], set[int]]:
        """Return the payloads and chain hashes by number, and the missing numbers, without branches."""
        payloads, chains, missing = dict[int, bytes](), dict[int, bytes](), set[int]()
        for row in self.log:
            match row:
                case Confirmed(run=run):
                    payloads.update(enumerate(run.taken, run.number))
                    chains.update(enumerate(run.chains, run.number))
                case Missing(first=first, last=last):
                    missing.update(range(first, last + 1))
                case Forked(number=number):
                    for each in [at for at in payloads if at > number]:
                        del payloads[each]
                        chains.pop(each, None)
                    missing = {at for at in missing if at <= number}
        return payloads, chains, missing


class Ordered:
    """Every operation that any member delivered, by the chain hash after it."""

    def __init__(self) -> None:
        self._before: dict[bytes, tuple[bytes, bytes]] = {}

    def add(self, run: Run, chain: bytes) -> None:
        """Add delivered operations, given the chain hash before them."""
        for after, payload in zip(run.chains, run.taken, strict=True):
            self._before[after] = chain, payload
            chain = after

    def history(self, chain: bytes, number: int) -> dict[int, tuple[bytes, bytes]]:
        """Return the chain hash and the payload by number of the history that ends with a chain hash, as far
        back as it is known."""
        found = dict[int, tuple[bytes, bytes]]()
        while chain in self._before:
            before, payload = self._before[chain]
            found[number] = chain, payload
            chain, number = before, number - 1
        return found


class ArchivingMember(ReplicaMember):
    """A replica with an archive."""

    ordered: Ordered
    archive: Archive | None = None
    order: ConfirmedOrder | None = None
    _may_start = False

    def again(self, name: str) -> Member | None:
        """Return the next incarnation, which continues what is on disk of the archive."""
        member = super().again(name)
        if isinstance(member, ArchivingMember) and self.archive is not None:
            chance = self.world.random
            lost = 0 if chance.random() < 0.5 else chance.randint(0, min(8, len(self.archive.log)))
            member.archive = self.archive.cut(max(len(self.archive.log) - lost, self.archive.forced))
            member.order = member.archive.resumed(chain=chance.random() < 0.5)
            member.find()
        if isinstance(member, ArchivingMember):
            member._may_start = True
            member.start()
        return member

    def start(self) -> None:
        """Show what is on the disk once the archive is there, as a session does."""
        if self._may_start:
            super().start()

    def find(self) -> None:
        """Pass on the log that an earlier process left."""
        archive, order = self._archiving()
        found = self.persistence.found
        if found is not None:
            runs = [run for run, _ in found.runs]
            position = found.state_position.position
            order.found(position, runs, self.channel.stable.number, self._time)
            archive.add(order.take(), self.channel.stable.number)

    def _archiving(self) -> tuple[Archive, ConfirmedOrder]:
        if self.archive is None or self.order is None:
            self.archive, self.order = Archive(), ConfirmedOrder()
        return self.archive, self.order

    @property
    def _time(self) -> int:
        return int(self.world.now * 1e6)

    def _do(self, output: object) -> None:
        archive, order = self._archiving()
        match output:
            case Delivered(run=run):
                before = self.channel.chain_at(run.number - 1)
                if before is not None:
                    self.ordered.add(run, before)
                order.delivered(run, self._time)
            case Stable(number=number):
                order.stable(number)
            case Installed(position=position, epochs=epochs, begins=begins, recovery=recovery):
                lost = recovery is Recovery.BRANCH
                order.installed(position, epochs, self.channel.stable.number, begins=begins, lost=lost)
            case BeginEmpty():
                order.begins_empty()
            case HistoryRestored(position=position):
                order.restored(position)
        archive.add(order.take(), self.channel.stable.number)
        super()._do(output)

    def _effect(self, effect: Effect) -> None:
        archive, order = self._archiving()
        if isinstance(effect, Begin):
            order.began(effect.position, effect.state, effect.after)
            archive.add(order.take(), self.channel.stable.number)
        super()._effect(effect)


class ArchiveSchedule(ReplicaSchedule):
    """One seeded run of archiving replicas."""

    def __init__(self, seed: int, *, durable: bool = False) -> None:
        super().__init__(seed, durable=durable)
        self.ordered = Ordered()
        self.member_class = type("Archiving", (ArchivingMember,), {"ordered": self.ordered})

    def _judge_member(self, member: Member, first: Member) -> None:
        super()._judge_member(member, first)
        if isinstance(member, ArchivingMember) and member.archive is not None:
            for why in judged(member, member.archive, member.ordered):
                self.verifier.breach(f"the archive of {member.name}: {why}")


def judged(member: ArchivingMember, archive: Archive, ordered: Ordered) -> list[str]:
    """Return the reasons why an archive is not the confirmed order of its member."""
    breaches = list(archive.breaches)
    payloads, chains, missing = archive.content()
    stable, tip = member.channel.stable.number, member.channel.position
    history = ordered.history(tip.chain, tip.number)
    for number, payload in payloads.items():
        if number > tip.number:
            breaches.append(f"{number} comes after {tip.number}, the last of the history")
        elif number in history and history[number] != (chains[number] or history[number][0], payload):
            breaches.append(f"{number} is {payload!r}, and {history[number][1]!r} in the history")
    lacking = set(range(1, stable + 1)) - payloads.keys() - missing
    if lacking:
        breaches.append(f"{len(lacking)} numbers up to {stable} are neither there nor missing")
    return breaches


def run(seed: int, *, durable: bool = False) -> Verdict:
    """Run the schedule of a seed."""
    return ArchiveSchedule(seed, durable=durable).run()
