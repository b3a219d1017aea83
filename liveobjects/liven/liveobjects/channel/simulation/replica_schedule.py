"""Replicas in virtual time: schedules of the ordered channel with state transfer."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.history import Recovery
from liven.liveobjects.channel.history.inheritance import VOID
from liven.liveobjects.channel.ordering import (
    Installed,
    MayLeave,
    OrderedChannel,
    Readers,
    Send,
    Stable,
    Trouble,
)
from liven.liveobjects.channel.replica import (
    Apply,
    Begin,
    Branched,
    Effect,
    Notify,
    Persistence,
    Replica,
    TakeState,
)
from liven.liveobjects.channel.replica.disk.kept_branches import branch_names
from liven.liveobjects.channel.replica.disk.own_operations import STORED_AFTER
from liven.liveobjects.channel.replica.disk.persistence import FoundData
from liven.liveobjects.channel.replica.disk.stored_history import unpacked_run, unpacked_state
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.member import Member, Verifier
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.schedule import MEMBERS_MOST, Schedule, Verdict
from liven.liveobjects.channel.store.records import Kept

NAME: Final = "home/f/simulated"
ALONE: Final = 0.1
"""The probability that a member loses its place in the group for a while."""
POWER_CUTS: Final = 0.3
"""The share of process ends that are power cuts."""
LEAST_WAIT: Final = 0.01
"""Least seconds between two looks at a replica that nothing else causes."""


class ReplicaMember(Member):
    """A member that runs a replica: its state comes from its disk or from other members."""

    def __init__(
        self,
        world: World,
        verifier: Verifier,
        name: str,
        channel: OrderedChannel,
        persistence: Persistence | None = None,
        storage: SimulatedStorage | None = None,
    ) -> None:
        super().__init__(world, verifier, name, channel)
        self.persistence = persistence or Persistence(None, None)
        self.storage = storage
        self.replica = Replica(channel, self.persistence, lambda _: None)
        self.replica.when_written = lambda: world.after(0.0, self.settle)
        self.replica.when_due = lambda: world.after(0.0, self.settle)
        self.begun = 0
        """Number of times that it was initialized."""
        self.when: dict[bytes, float] = {}
        """The time at which each operation was submitted here."""
        self._settled_at = 0.0
        self._readers: tuple[int, ...] = ()
        """The members that are known here to store nothing."""
        self._due: float | None = None
        """The time of the next look at the replica."""
        self._safe: tuple[int, set[bytes]] = (-1, set())

    @classmethod
    def on(
        cls,
        world: World,
        verifier: Verifier,
        name: str,
        storage: SimulatedStorage,
        channel_class: type[OrderedChannel] = OrderedChannel,
    ) -> ReplicaMember:
        """Return a member with what is on a disk."""
        chance = world.random
        persistence = Persistence(storage.open(NAME), storage.open, identity=lambda: chance.randbytes(16))
        returned = persistence.returned
        channel = channel_class(
            persistence.author,
            voter=persistence.voter,
            stateful=True,
            returned=returned,
            inherited=persistence.inherited,
            older=persistence.chain_at,
        )
        member = cls(world, verifier, name, channel, persistence, storage)
        if persistence.found is not None:
            member.had.update(payloads_of(persistence.found))
            member.knew.update(known_in(persistence.found, channel.stable.number))
        member.remember(channel)
        if persistence.trouble:
            verifier.breach(f"{name}: {persistence.trouble}")
        member.start()
        return member

    def start(self) -> None:
        """Show what is on the disk, as a session does before it joins."""
        self.replica.start()
        self._work()

    def again(self, name: str) -> Member | None:
        """Return the next incarnation of this member, with what is on its disk."""
        if self.storage is None:
            return self._again_from_memory(name)
        power = self.world.random.random() < POWER_CUTS
        failing = self.storage.failed_until(self._settled_at)
        self.storage.crash(power=power)
        member = self.on(self.world, self.verifier, name, self.storage, type(self.channel))
        if not (power or failing):
            self._compare(member)
        return member

    def _again_from_memory(self, name: str) -> Member | None:
        kept = self.channel.kept()
        if kept is None or self.replica.waits:
            return None
        chains = dict(enumerate(self.chains, 1))
        channel = self.restarted(kept, chains)
        member = type(self)(self.world, self.verifier, name, channel)
        member.had, member.chains = set(self.done), list(self.chains)
        member.done, member.chain = list(self.done), self.chain
        member.knew = set(self.knew)
        member.persistence.found = FoundData(
            self.replica.state_position.copy(), Parcel(b" ".join(self.done)), []
        )
        member.remember(channel)
        member.start()
        return member

    def _compare(self, member: ReplicaMember) -> None:
        """Check that a process that ended without a power cut has everything on disk that it had for a
        moment."""
        there = {*member.had, *member.submitted, *self.verifier.branches, *self.verifier.acknowledged}
        for payload, when in self.when.items():
            if when + STORED_AFTER <= self._settled_at and payload not in there:
                self.verifier.breach(f"{self.name}: {payload!r} was submitted and is on no disk")

    def submit(self, *payloads: bytes) -> None:
        """Submit operations and send them at once."""
        for payload in payloads:
            self._submitted(self.replica.submit(payload, self.world.now), payload)
            self.when[payload] = self.world.now
            self.tried.append(payload)
        self.settle()

    def settle(self) -> None:
        """Carry out outputs, including the replica's effects."""
        if not self.host.alive or self.world.now < self.host.frozen_until:
            return
        self._settled_at = self.world.now
        self.replica.tick(self.world.now)
        self._work()
        super().settle()

    def _wake(self) -> None:
        super()._wake()
        wake = self.replica.wake
        if wake is None:
            return
        due = max(wake, self.world.now + LEAST_WAIT)
        if self._due is None or self._due <= self.world.now or due < self._due:
            self._due = due
            self.world.after(due - self.world.now, self.settle)

    def _do(self, output: object) -> None:
        match output:
            case Send(payload):
                self.world.send(self.host, payload)
                return
            case MayLeave():
                self.may_leave = True
                self.world.leave(self.host)
                return
            case Trouble(text, rejoin):
                self.trouble(text, rejoin=rejoin)
                return
            case Stable(number, ticket):
                self._stable(number, ticket)
            case Readers(nodes):
                self._readers = nodes
            case Installed():
                self._look_at(output)
        self.replica.handle(output, self.world.now)  # type: ignore[arg-type]  # an output of the channel
        self._work()

    def _look_at(self, installed: Installed) -> None:
        self._check_cut(installed)
        self._is_in(installed)
        if installed.begins and installed.recovery is Recovery.BRANCH:
            if self.storage is None:
                self.verifier.branches.update(self.done)
            elif not self.persistence.stores:
                self.verifier.unkept.update(self.done)

    def _stable(self, number: int, ticket: int | None) -> None:
        """Check also that no power cut can take a stable operation from any member that had the state."""
        chain = self.channel.chain_at(number)
        if chain is not None and self.waits_for is None and chain not in self.verifier.settled:
            self.verifier.settled.add(chain)
            holders = self.verifier.named(self.holders)
            relied = [each for each in holders if isinstance(each, ReplicaMember) and self.relies_on(each)]
            for member in relied:
                for payload in member.lacking(self.done[: max(0, number - self._void)]):
                    self.verifier.breach(
                        f"{payload!r} is stable at {self.name} and not safe at {member.name}"
                    )
        super()._stable(number, ticket)

    @property
    def _void(self) -> int:
        """Number of places in the history that hold no operation."""
        return self.replica.state_position.position.number - len(self.done)

    def relies_on(self, member: Member) -> bool:
        """True if another member must have what this one takes for stable: not if it cannot store anything
        and has no vote."""
        storage = member.storage if isinstance(member, ReplicaMember) else None
        told = member.host.name in self._readers
        reads = storage is not None and (storage.failed_lately or told)
        return not reads or member.channel.voter.identity in self.channel.voters

    def lacking(self, payloads: list[bytes]) -> list[bytes]:
        """Return the operations that a power cut could take from this member; none if all are in memory."""
        storage = self.storage
        if storage is None:
            return []
        folders = storage.with_heirs
        forced = sum(each.forced for each in folders)
        if self._safe[0] != forced:
            self._safe = forced, set[bytes]().union(*(in_history(each.safe(NAME)) for each in folders))
        return [each for each in payloads if each not in self._safe[1] and each not in self.verifier.branches]

    def _work(self) -> None:
        for effect in self.replica.take():
            self._effect(effect)
        self.chain = self.replica.state_position.position.chain
        self.waits_for = b"a state" if self.replica.waits or not self.replica.begun else None

    def _effect(self, effect: Effect) -> None:
        match effect:
            case Begin(state=state):
                self.begun += 1
                self.fetched |= bool(state) and self.storage is None
                self.done = state.split() if state else []
                self.had.update(self.done)
            case Apply(payloads=payloads):
                if not self.begun:
                    self.verifier.breach(f"{self.name}: an operation came before the state")
                self.done += payloads
                self.had.update(payloads)
            case TakeState(request=request):
                self.replica.taken(request, EncodedState.of(Parcel(b" ".join(self.done))))
            case Branched(name=name):
                self._branched(name)
            case Notify(what=what):
                self.verifier.troubles.append(f"{self.name}: {what}")

    def _branched(self, name: str) -> None:
        """Check that its disk has the operations of a branch."""
        if self.storage is not None:
            # read, not opened: who opens a history writes to it, which a full disk refuses
            self.verifier.branches.update(in_history(self.storage.kept(name)))


class ReplicaSchedule(Schedule):
    """One seeded run of replicas."""

    member_class: type[ReplicaMember] = ReplicaMember

    def _step(self) -> None:
        if self.durable and self.random.random() < ALONE:
            self._work_alone()
        else:
            super()._step()

    def _work_alone(self) -> None:
        """Let a member without a place in the group continue. Some never return in this incarnation."""
        able = [each for each in self.living if each.host.name and self.world.now >= each.host.frozen_until]
        if len(able) < 2:
            return
        member = self.random.choice(able)
        self.world.lose(member.host, self.random.uniform(0.2, 1.0))
        self._submit(member, self._made(self.random.choice((1, 5))))
        if self.random.random() < 0.5:
            self.world.after(self.random.uniform(0.0, 0.3), lambda: self._ends(member))

    def _join(self) -> None:
        if len(self.living) >= MEMBERS_MOST:
            return
        name = f"replica {len(self.members) + 1}"
        if self.durable:
            storage = SimulatedStorage(self.world)
            member = self.member_class.on(self.world, self.verifier, name, storage, self.channel_class)
        else:
            channel = self.channel_class(self.random.randbytes(16), stateful=True)
            member = self.member_class(self.world, self.verifier, name, channel)
        self.members.append(member)
        self.world.join(member.host)

    def _judge(self) -> None:
        for member in self.members:
            if isinstance(member, ReplicaMember) and member.storage is not None:
                self.verifier.branches.update(in_branches(member.storage))
        super()._judge()

    def _judge_member(self, member: Member, first: Member) -> None:
        super()._judge_member(member, first)
        if member.waits_for is None and member.done != first.done:
            self.verifier.breach(f"{member.name} and {first.name} have different states after one order")


def in_history(kept: Kept) -> set[bytes]:
    """Return the operations in stored data."""
    if kept.checkpoint is None:
        return set()
    state_position, parcel = unpacked_state(kept.checkpoint)
    there = {*(parcel.state or b"").split(), *parcel.after}
    position = state_position.position
    for entry in kept.entries:
        run, _, _ = unpacked_run(entry, position.number, position.chain)
        state_position.add(run, None)
        position = state_position.position
        there.update(each for each in run.taken if each != VOID)
    return there


def in_branches(storage: SimulatedStorage) -> set[bytes]:
    """Return the operations in the branches that a person would find on a disk."""
    names = branch_names(storage.kept(NAME).notes)
    return set[bytes]().union(*(in_history(storage.kept(name)) for name in names))


def payloads_of(found: FoundData) -> list[bytes]:
    """Return the operations of a stored history."""
    state = [*(found.parcel.state or b"").split(), *found.parcel.after]
    return state + [payload for run, _ in found.runs for payload in run.taken if payload != VOID]


def run(seed: int, *, durable: bool = False, aged: bool = False) -> Verdict:
    """Run the schedule of a seed."""
    return ReplicaSchedule(seed, durable=durable, aged=aged).run()


def known_in(found: FoundData, stable: int) -> list[bytes]:
    """Return the operations of a stored history that are known to be stable."""
    if stable < found.state_position.position.number:
        return []
    known = [*(found.parcel.state or b"").split(), *found.parcel.after]
    for run, _ in found.runs:
        known += [each for at, each in enumerate(run.taken, run.number) if at <= stable and each != VOID]
    return known
