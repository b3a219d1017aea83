"""A member of a simulated ordered channel, with the smallest possible object: the list of all operations."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from liven.liveobjects.channel.history import BEGINNING, Recovery, chained
from liven.liveobjects.channel.history.inheritance import VOID
from liven.liveobjects.channel.ordering import (
    BeginEmpty,
    Delivered,
    EntryKind,
    Heard,
    HistoryRestored,
    Installed,
    MayLeave,
    OrderedChannel,
    Returned,
    Send,
    SessionsChanged,
    Stable,
    Trouble,
)
from liven.liveobjects.channel.ordering.opening.doubts import VOTE
from liven.liveobjects.channel.replica.control_operations import is_control
from liven.liveobjects.channel.simulation.network import Host, World

COME_BACK_AFTER = 1.0
COME_BACK_MOST = 60.0
"""Seconds after which a member joins again that others cannot understand, as in `session/order_driver.py`."""
_CONTAINED = (
    "in this view are missing",
    "it did not answer",
    "runs with a copy of the data",
    "members were declared gone here",
)
"""Texts of problems after which a member joins again and nothing is lost."""
_SILENT = re.compile(r"member (\d+) did not answer")
"""The text of a problem after which a member joins again, if the one that it names really hung."""
State = tuple[tuple[bytes, ...], tuple[bytes, ...]]
"""All operations so far, and the chain hash after each."""


@dataclass
class Verifier:
    """The combined record of all members, and every breach that was seen."""

    cuts: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    """The position at which each view began."""
    states: dict[bytes, State] = field(default_factory=dict)
    """The state at the beginning of each view, as its veterans had it."""
    stable: dict[tuple[bytes, bytes, int], bytes] = field(default_factory=dict)
    """The chain hash of each stable number of an epoch, for each founding."""
    acknowledged: dict[bytes, tuple[bytes, ...]] = field(default_factory=dict)
    """For each acknowledged operation, the replicas that must have it."""
    founded: dict[bytes, bytes] = field(default_factory=dict)
    """The founding of the channel in which each operation was acknowledged."""
    settled: set[bytes] = field(default_factory=set)
    """The chain hashes up to which a member was told that everything is stable."""
    members: dict[bytes, Member] = field(default_factory=dict)
    """The members by their lives."""
    branches: set[bytes] = field(default_factory=set)
    """The operations in branches."""
    unkept: set[bytes] = field(default_factory=set)
    """The operations of losing histories whose branches a full disk did not take."""
    before_blackout: set[bytes] = field(default_factory=set)
    """The operations that were acknowledged before all programs had ended. Who returns first continues, even
    if it took such an operation for tentative: those who know better may be off, and then have a branch.
    Whoever knew that it is stable must still have it."""
    lost: set[bytes] = field(default_factory=set)
    """Acknowledged operations that are nowhere in the end."""
    waiting: set[bytes] = field(default_factory=set)
    """Authors that still wait for something in the end."""
    unsound: set[bytes] = field(default_factory=set)
    """Replicas whose messages arrive changed."""
    doubled: set[bytes] = field(default_factory=set)
    """The epochs of histories that continued while a copy of a disk was counted as its member, since all
    others were there. The original may work on elsewhere, in the same epochs; what one side confirms is a
    branch when they meet."""

    differs: bool = False
    """True if one of them may say different things to different members."""
    unsound_payloads: set[bytes] = field(default_factory=set)
    """Operations of those replicas."""
    breaches: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def named(self, replicas: Iterable[bytes]) -> list[Member]:
        """Return the members with these identities. A spoiled report may name one that does not exist."""
        return [self.members[each] for each in replicas if each in self.members]

    def breach(self, text: str) -> None:
        """Record a violation."""
        self.breaches.append(text)


class Member:
    """One member: runs the state machine, applies what is delivered, and checks every step."""

    def __init__(self, world: World, verifier: Verifier, name: str, channel: OrderedChannel) -> None:
        self.world = world
        self.verifier = verifier
        self.name = name
        self.channel = channel
        verifier.members[channel.author] = self
        self.host = Host(self)
        self.done: list[bytes] = []
        self.had: set[bytes] = set()
        self.knew: set[bytes] = set()
        """The operations that it knew to be stable, also in former lives."""
        self.chains: list[bytes] = []
        self.chain = bytes(16)
        self.base = 0
        self.waits_for: bytes | None = None
        self.buffered: list[Delivered] = []
        self.tickets: dict[int, bytes] = {}
        self.submitted: list[bytes] = []
        """The operations that it must bring into the order, also those of former lives."""
        self.tried: list[bytes] = []
        """The operations that this life submitted, in order."""
        self._told: deque[tuple[int, bytes]] = deque()
        self.main = False
        self.fetched = False
        """True if its state came from another member."""
        self.holders: tuple[bytes, ...] = ()
        """The members that had the state when the view began: all of them have what is stable in it."""
        self.voters: tuple[bytes, ...] = ()
        """Their identities in the sessions."""
        self.leaves = False
        """True if it was asked to leave."""
        self.may_leave = False
        self._come_back_after = COME_BACK_AFTER
        self._woken: float | None = None

    # Calls of the world

    def view(self, number: int, nodes: tuple[int, ...], me: int) -> None:
        self.channel.view(number, nodes, me, self.world.now)

    def message(self, node: int, payload: bytes) -> None:
        self.channel.heard(node, payload)

    def evicted(self) -> None:
        self.channel.detached()

    # Calls of the test

    def again(self, name: str) -> Member | None:
        """Return the next incarnation of this member, with what its store kept; None if that is nothing."""
        kept = self.channel.kept()
        if kept is None or self.waits_for is not None:
            return None
        chains = dict(enumerate(self.chains, 1))
        channel = self.restarted(kept, chains)
        member = Member(self.world, self.verifier, name, channel)
        member.done, member.chain, member.had = list(self.done), self.chain, set(self.done)
        member.chains = list(self.chains)
        member.knew = set(self.knew)
        member.remember(channel)
        return member

    def restarted(self, kept: Returned, chains: dict[int, bytes]) -> OrderedChannel:
        """Return the channel of the next life."""
        return type(self.channel)(
            self.world.random.randbytes(16),
            voter=self.channel.voter,
            stateful=True,
            returned=kept,
            inherited=self.channel.own,
            older=chains.get,
        )

    def remember(self, channel: OrderedChannel) -> None:
        """Take over the operations that former lives submitted without an acknowledgement."""
        for ticket, payload in channel.tickets.items():
            if not is_control(payload):
                self._submitted(ticket, payload)

    def submit(self, *payloads: bytes) -> None:
        """Submit operations and send them at once."""
        for payload in payloads:
            self._submitted(self.channel.submit(payload), payload)
            self.tried.append(payload)
        self.settle()

    def _submitted(self, ticket: int, payload: bytes) -> None:
        self.tickets[ticket] = payload
        self.submitted.append(payload)
        self._told.append((ticket, payload))

    def leave(self) -> None:
        """Ask to leave, and go when allowed."""
        self.leaves = True
        self.channel.leave()
        self.settle()

    def settle(self) -> None:
        """Carry out outputs until there are none."""
        if not self.host.alive or self.world.now < self.host.frozen_until:
            return
        self.channel.tick(self.world.now)
        while outputs := self.channel.take():
            for output in outputs:
                self._do(output)
        self._wake()

    @property
    def operations(self) -> list[bytes]:
        """The operations of its history, without places where one stands that came before."""
        return [each for each in self.done if each != VOID]

    def trouble(self, text: str, *, rejoin: bool) -> None:
        """Accept a contained error. A loss for good is a breach among sound members, unless it is one of the
        first messages."""
        self.verifier.troubles.append(f"{self.name}: {text}")
        if rejoin and self.verifier.unsound:
            self.world.rejoin_as_new(self.host, self._come_back_after)
            self._come_back_after = min(2 * self._come_back_after, COME_BACK_MOST)
        elif rejoin and (any(each in text for each in _CONTAINED) or self._names_a_hung_one(text)):
            self.world.rejoin_as_new(self.host)
        elif rejoin:
            self.verifier.breach(f"{self.name}: {text}")

    def _names_a_hung_one(self, text: str) -> bool:
        if "they got no answer" in text:
            return self.host.frozen_until >= self.world.now - VOTE
        found = _SILENT.search(text)
        return found is not None and self.world.stood_still(int(found[1]), self.world.now - VOTE)

    def _wake(self) -> None:
        wake = self.channel.wake
        if wake is None:
            return
        due = max(wake, self.world.now + 1e-6)
        if self._woken is None or self._woken <= self.world.now or due < self._woken:
            self._woken = due
            self.world.after(self._woken - self.world.now, self.settle)

    def _do(self, output: object) -> None:
        match output:
            case Send(payload):
                self.world.send(self.host, payload)
            case Delivered():
                self._delivered(output)
            case Installed():
                self._installed(output)
            case BeginEmpty():
                self._start_over((), ())
            case HistoryRestored():
                self._start_over(self.done, self.chains)
            case Stable(number, ticket):
                self._stable(number, ticket)
            case Trouble(text, rejoin):
                self.trouble(text, rejoin=rejoin)
            case MayLeave():
                self.may_leave = True
                self.world.leave(self.host)
            case Heard() | SessionsChanged():
                pass

    # Checks

    @property
    def _misled(self) -> bool:
        """True if it may have another history than others because a member says different things to different
        ones: it is that member, or has its state, or was told by it where it begins."""
        told = self.fetched or self.waits_for is not None
        return self.verifier.differs and (told or self.channel.author in self.verifier.unsound)

    @property
    def _void(self) -> int:
        """Number of places in the history that hold no operation."""
        return 0

    def relies_on(self, _: Member) -> bool:
        """True if a member that was here when the view began must have what this one takes for stable."""
        return True

    def _is_in(self, installed: Installed) -> None:
        self.main = installed.main
        if self.main and any(seat.voter.formerly for seat in installed.seats):
            self.verifier.doubled |= {each.identity for each in installed.epochs}
        self._told = deque(each for each in self._told if each[0] not in installed.branched)
        self.holders = tuple(seat.author for seat in installed.seats if seat.complete)
        self.voters = tuple(seat.voter.identity for seat in installed.seats if seat.complete)

    def _check_cut(self, installed: Installed) -> None:
        """Check that a view begins at one place for all."""
        if self.verifier.differs:
            return
        cut = installed.position.number, installed.position.chain
        if self.verifier.cuts.setdefault(installed.view_id, cut) != cut:
            self.verifier.breach(
                f"{self.name}: a view begins at {cut[0]} here and elsewhere at another place"
            )

    def _installed(self, installed: Installed) -> None:
        self._check_cut(installed)
        self._is_in(installed)
        for ticket in [each for each in self.tickets if each in installed.included]:
            del self.tickets[ticket]
        if installed.begins:
            if installed.recovery is Recovery.BRANCH:
                self.verifier.branches.update(self.done)
            self._begin(installed)
        elif self.waits_for is None:
            self._veteran(installed)

    def _start_over(self, done: Iterable[bytes], chains: Iterable[bytes]) -> None:
        self.done, self.chains, self.waits_for, self.buffered = list(done), list(chains), None, []
        self.chain = self.chains[-1] if self.chains else BEGINNING.chain

    def _veteran(self, installed: Installed) -> None:
        if installed.position.chain != self.chain or installed.position.number != len(self.done):
            self.verifier.breach(f"{self.name}: the state is not what was delivered")
        if any(seat.part is EntryKind.BEGINS for seat in installed.seats):
            self.verifier.states.setdefault(installed.view_id, (tuple(self.done), tuple(self.chains)))

    def _begin(self, installed: Installed) -> None:
        self.waits_for = installed.view_id
        self.base = installed.position.number
        self.buffered = []
        self.world.after(self.world.random.uniform(0, 0.1), lambda: self._fetch(installed.view_id))

    def _fetch(self, view_id: bytes) -> None:
        """Get the state at the cut as soon as a veteran has saved it."""
        if self.waits_for != view_id or not self.host.alive:
            return
        buffered = self.buffered
        if view_id not in self.verifier.states or not self.channel.may_complete:
            self.world.after(0.02, lambda: self._fetch(view_id))
            return
        done, chains = self.verifier.states[view_id]
        self._start_over(done, chains)
        self.had.update(done)
        for delivered in buffered:
            self._apply(delivered)
        self.channel.completed()
        self.settle()

    def _delivered(self, delivered: Delivered) -> None:
        if delivered.ticket is not None:
            for index, operation in enumerate(delivered.run.originals()):
                payload = operation.payload
                if self.tickets.pop(delivered.ticket + index, payload) != payload:
                    self.verifier.breach(f"{self.name}: a ticket names another operation")
        if self.waits_for is not None:
            self.buffered.append(delivered)
        else:
            self._apply(delivered)

    def _apply(self, delivered: Delivered) -> None:
        run = delivered.run
        if run.number != len(self.done) + 1:
            self.verifier.breach(f"{self.name}: {run.number} comes after {len(self.done)}")
        taken = run.taken
        for index, payload in enumerate(run.payloads):
            self.chain = chained(self.chain, run.author, run.first + index, payload, void=index in run.void)
            self.done.append(taken[index])
            self.chains.append(self.chain)
            self.had.add(taken[index])
            if self.chain != run.chains[index]:
                self.verifier.breach(f"{self.name}: the chain breaks at {len(self.done)}")

    def _stable(self, number: int, ticket: int | None) -> None:
        chain = self.channel.chain_at(number)
        place = self.channel.epoch_at(number), number
        founded = self.channel.founding
        if self.waits_for is None:
            self.knew.update(self.done[: max(0, number - self._void)])
        if self._misled:
            chain = None
        same = chain is None or self.verifier.stable.setdefault((founded, *place), chain) == chain
        if not (same or place[0] in self.verifier.doubled):
            self.verifier.breach(f"{self.name}: {number} is stable in two ways")
        if ticket is not None:
            self._acknowledged(ticket)

    def _acknowledged(self, ticket: int) -> None:
        """Check an acknowledgement: every member that has the state must have the operation."""
        holders = self.verifier.named(self.holders)
        relied = [member for member in holders if self.relies_on(member)]
        readers = {member.channel.voter.identity for member in holders if member not in relied}
        while self._told and self._told[0][0] <= ticket:
            payload = self._told.popleft()[1]
            if self.verifier.differs and payload not in self.had:
                self.verifier.unsound_payloads.add(payload)  # the unsound member handed on another content
            if payload in self.verifier.unsound_payloads:
                continue
            self.verifier.founded[payload] = self.channel.founding
            self.verifier.acknowledged[payload] = tuple(one for one in self.voters if one not in readers)
            for member in relied:
                misled = self.verifier.differs and member.fetched  # perhaps by a wrong state
                if payload not in member.had and payload not in self.verifier.branches and not misled:
                    self.verifier.breach(f"{payload!r} is stable at {self.name} and not had by {member.name}")
