"""Replicas in virtual time: the schedules of the ordered channel, with states that travel in the channel."""

from __future__ import annotations

from liven.liveobjects.channel.history import Recovery
from liven.liveobjects.channel.ordering import Installed, MayLeave, OrderedChannel, Send, Stable, Trouble
from liven.liveobjects.channel.replica import Apply, Begin, Effect, Keeping, Replica, TakeState, Tell
from liven.liveobjects.channel.replica.account import Parcel
from liven.liveobjects.channel.replica.keeping import Found
from liven.liveobjects.channel.simulation.member import Member, Witness
from liven.liveobjects.channel.simulation.schedule import MEMBERS_MOST, Schedule, Verdict
from liven.liveobjects.channel.simulation.world import World


class ReplicaMember(Member):
    """A member that runs a replica: its state comes from other members, and from nowhere else."""

    def __init__(self, world: World, witness: Witness, name: str, channel: OrderedChannel) -> None:
        super().__init__(world, witness, name, channel)
        self.keeping = Keeping(None, None)
        self.replica = Replica(channel, self.keeping, lambda _: None)
        self.begun = 0
        """How often it began."""

    def again(self, name: str) -> Member | None:
        """The next life of this member, with the state that its store kept."""
        kept = self.channel.kept()
        if kept is None or self.replica.waits:
            return None
        chains = dict(enumerate(self.chains, 1))
        channel = type(self.channel)(self.channel.author, stateful=True, returned=kept, older=chains.get)
        member = ReplicaMember(self.world, self.witness, name, channel)
        member.had, member.chains = set(self.done), list(self.chains)
        member.done, member.chain = list(self.done), self.chain
        member.keeping.found = Found(self.replica.account.copy(), Parcel(b" ".join(self.done)), [])
        return member

    def settle(self) -> None:
        """Also does what the replica asks for."""
        if not self.host.alive or self.world.now < self.host.frozen_until:
            return
        self.replica.tick(self.world.now)
        self._work()
        super().settle()

    def _wake(self) -> None:
        super()._wake()
        wake = self.replica.wake
        if wake is not None:
            self.world.after(max(0.05, wake - self.world.now), self.settle)

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
                self.witness.troubles.append(f"{self.name}: {text}")
                if rejoin:
                    self.witness.breach(f"{self.name}: {text}")
                return
            case Stable(number, ticket):
                self._stable(number, ticket)
            case Installed():
                self._look_at(output)
        self.replica.told(output, self.world.now)  # type: ignore[arg-type]  # an output of the channel
        self._work()

    def _look_at(self, installed: Installed) -> None:
        cut = installed.position.number, installed.position.chain
        if self.witness.cuts.setdefault(installed.regime, cut) != cut:
            self.witness.breach(f"{self.name}: a view begins at {cut[0]} here and elsewhere at another place")
        self.main = installed.main
        if installed.begins and installed.recovery is Recovery.BRANCH:
            self.witness.branches.update(self.done)

    def _work(self) -> None:
        for effect in self.replica.take():
            self._effect(effect)
        self.chain = self.replica.account.position.chain
        self.waits_for = b"a state" if self.replica.waits or not self.replica.begun else None

    def _effect(self, effect: Effect) -> None:
        match effect:
            case Begin(state=state):
                self.begun += 1
                self.done = state.split() if state else []
                self.had.update(self.done)
            case Apply(payloads=payloads):
                if not self.begun:
                    self.witness.breach(f"{self.name}: an operation came before the state")
                self.done += payloads
                self.had.update(payloads)
            case TakeState(request=request):
                self.replica.taken(request, b" ".join(self.done))
            case Tell(what=what):
                self.witness.troubles.append(f"{self.name}: {what}")


class ReplicaSchedule(Schedule):
    """One seeded run of replicas."""

    def _join(self) -> None:
        if len(self.living) >= MEMBERS_MOST:
            return
        channel = self.channel_class(self.random.randbytes(16), stateful=True)
        member = ReplicaMember(self.world, self.witness, f"replica {len(self.members) + 1}", channel)
        self.members.append(member)
        self.world.join(member.host)

    def _judge_member(self, member: Member, first: Member) -> None:
        super()._judge_member(member, first)
        if member.waits_for is None and member.done != first.done:
            self.witness.breach(f"{member.name} and {first.name} have different states after one order")


def run(seed: int) -> Verdict:
    """Runs the schedule of a seed."""
    return ReplicaSchedule(seed).run()
