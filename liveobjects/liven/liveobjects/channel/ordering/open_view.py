"""An open view, in which all members share one history: operations and orders come in, ordered runs
come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from liven.liveobjects.channel.compact_rows import Rows, with_row, without_first
from liven.liveobjects.channel.history import MalformedError, Session, has_majority
from liven.liveobjects.channel.ordering.messages import Order, Progress, Work
from liven.liveobjects.channel.ordering.opening.decision import Decision, Seat
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog, Run
from liven.liveobjects.channel.ordering.operations.unnumbered import UnnumberedOperations
from liven.liveobjects.channel.ordering.orderer import WINDOW, WINDOW_BYTES, Orderer
from liven.liveobjects.channel.ordering.proven_progress import ProvenProgress

_EARLY_MOST: Final = 4096


class GapError(Exception):
    """A message of a live member is missing: this member must rejoin."""


class OpenView:
    """One member's state of the open view. Nothing else appends to the history while it is open."""

    __slots__ = (
        "_early",
        "_nodes",
        "_numbered",
        "_order_from",
        "_proven",
        "_runs",
        "_sequence",
        "_settled",
        "base",
        "decision",
        "has_changes",
        "inboxes",
        "me",
        "orderer",
        "past",
        "proposal",
        "proposed",
        "sessions",
        "voters",
    )

    def __init__(self, decision: Decision, me: int, past: DeliveredLog) -> None:
        self.decision = decision
        self.me = me
        self.past = past
        self.base = past.number
        self.inboxes = tuple(
            UnnumberedOperations(seat.author, past.marks.get(seat.author, 0)) for seat in decision.seats
        )
        self._nodes = tuple(seat.node for seat in decision.seats)
        """By place in the view. A tuple, because few members do not need a dictionary."""
        self._proven = ProvenProgress(past, decision.seats)
        self.voters: frozenset[bytes] | None = None
        """The voters of the sessions that this member knows; None before it looked."""
        self._settled: int | None = None
        self._runs: Rows[list[int]] = ()
        self._sequence = 0
        self._numbered = past.number
        self._early: dict[int, tuple[int, Order]] | None = None
        """Orders that arrived before their predecessors."""
        self._order_from = decision.orderer
        self.sessions: tuple[Session, ...] = ()
        """New sessions from orders, not yet processed."""
        self.has_changes = True
        """True if progress or sessions changed since the last look."""
        self.proposal: Session | None = None
        """The session that this member will propose with its next order."""
        self.proposed = 0
        """The serial of the last proposal."""
        self.orderer = self._made_orderer() if self._order_from == me else None

    @property
    def progress(self) -> list[Progress]:
        """The progress of all members, by place."""
        return self._proven.of

    @property
    def mark(self) -> object:
        """A value that changes with each number that is assigned or delivered."""
        return self._sequence, self._numbered, self.past.number

    def node_at(self, place: int) -> int:
        """Return the node of a member."""
        return self._nodes[place]

    def awaited(self) -> list[int]:
        """Return the node without which nothing more is delivered here: an author whose operations have a
        number and did not arrive, or an orderer that numbers nothing although it could."""
        if self._runs:
            place = self._runs[0][0]
        elif self._early is not None or (
            self._has_room and any(inbox.arrived > inbox.through for inbox in self.inboxes)
        ):
            place = self._order_from
        else:
            return []
        return [] if place == self.me else [self._nodes[place]]

    @property
    def _has_room(self) -> bool:
        """True if the orderer does not have to wait for the slowest log, as far as can be seen here."""
        settled = self.settled()
        return self._numbered - settled < WINDOW // 2 and self.past.kept_bytes <= WINDOW_BYTES // 2

    def _made_orderer(self) -> Orderer:
        orderer = Orderer(self._sequence, self.me, [inbox.through for inbox in self.inboxes])
        for place, inbox in enumerate(self.inboxes):
            orderer.count_arrived(place, inbox.arrived)
        return orderer

    def work(self, node: int, work: Work) -> None:
        """Process a member's message. Raises GapError if an earlier one is missing."""
        if node not in self._nodes:
            raise MalformedError("it has no seat in this view")
        place = self._nodes.index(node)
        inbox = self.inboxes[place]
        if work.payloads:
            if not inbox.follows(work.first):
                raise GapError(f"operation {inbox.last + 1} is missing; {work.first} came")
            inbox.put(work.first, work.payloads)
            if self.orderer is not None:
                self.orderer.count_arrived(place, inbox.arrived)
        if work.progress is not None:
            self._settled = None
            self.has_changes = True
            self._proven.put(place, work.progress)
        if work.order is not None:
            self._file(place, work.order)

    def diverged(self) -> list[int]:
        """Check the reports of members. Return the nodes of those that have another history than this one."""
        self._settled = None
        return [self._nodes[place] for place in self._proven.prove()]

    def _file(self, place: int, order: Order) -> None:
        if order.sequence == self._sequence and self._early is None:
            self._apply(place, order)
            return
        early = self._early = self._early or {}
        if order.sequence < self._sequence or len(early) >= _EARLY_MOST:
            raise GapError(f"order {order.sequence} arrived twice or much too early")
        early[order.sequence] = place, order
        while (filed := early.pop(self._sequence, None)) is not None:
            self._apply(*filed)
        self._early = early or None

    def _apply(self, place: int, order: Order) -> None:
        if place != self._order_from:
            raise MalformedError(f"member {place} assigned numbers but is not the orderer")
        for who in (*order.runs[::2], order.successor or 0):
            if who >= len(self.inboxes):
                raise MalformedError(f"an order names member {who} of {len(self.inboxes)}")
        for index in range(0, len(order.runs), 2):
            who, count = order.runs[index : index + 2]
            self._runs = with_row(self._runs, [who, count])
            self.inboxes[who].through += count
            self._numbered += count
        self._sequence += 1
        if order.session is not None:
            self.sessions += (order.session,)
            self.has_changes = True
        if order.successor is not None:
            self._succeed(order.successor)

    def _succeed(self, successor: int) -> None:
        self._order_from = successor
        self.orderer = self._made_orderer() if successor == self.me else None

    @property
    def has_order(self) -> bool:
        """True if numbers were assigned that are not delivered yet."""
        return bool(self._runs)

    def deliver(self) -> Iterator[Run]:
        """Deliver the operations that are next and have arrived."""
        while self._runs:
            run = self._runs[0]
            inbox = self.inboxes[run[0]]
            first, payloads = inbox.take(run[1])
            if not payloads:
                return
            run[1] -= len(payloads)
            if not run[1]:
                self._runs = without_first(self._runs, 1)
            yield self.past.add(inbox.author, first, payloads)

    def _counts(self, seat: Seat) -> bool:
        """True if a member has a vote, as far as this is known."""
        return self.voters is None or not self.voters.isdisjoint(seat.voter.identities)

    def count_on(self, voters: frozenset[bytes]) -> None:
        """Set the voters whose logs must have what is confirmed."""
        if voters != self.voters:
            self.voters, self._settled = voters, None

    def settled(self) -> int:
        """Return the number up to which all logs are complete that must be. A member whose disk takes no
        data counts only while it has a vote."""
        if self._settled is None:
            self._settled = min(
                (
                    progress.number
                    for seat, progress in zip(self.decision.seats, self.progress, strict=True)
                    if progress.stores
                    or self.voters is None
                    or not self.voters.isdisjoint(seat.voter.identities)
                ),
                default=0,
            )
        return self._settled

    def behind(self) -> tuple[int, ...]:
        """Return the nodes whose logs lack operations that are delivered here, and must have them."""
        return tuple(
            seat.node
            for seat, progress in zip(self.decision.seats, self.progress, strict=True)
            if progress.number < self.past.number and (progress.stores or self._counts(seat))
        )

    @property
    def present(self) -> frozenset[bytes]:
        """The identities for which the members of the view vote."""
        return frozenset(voter for seat in self.decision.seats for voter in seat.voter.identities)

    def is_recorded(self, session: Session) -> bool:
        """True if all members of a session that are here have recorded it. Before that, nothing counts that
        they confirm as its members: after a power cut they would be members of the session before."""
        members = set(session.members)
        return all(
            each.serial >= session.serial or members.isdisjoint(seat.voter.identities)
            for seat, each in zip(self.decision.seats, self.progress, strict=True)
        )

    def recorded(self, session: Session, before: Sequence[Session]) -> bool:
        """True if all members of a session have recorded it. If it takes the vote of a member whose disk is
        full, that member must have recorded it as well, unless the others are a majority of the sessions
        before: if they were gone, it would continue alone without what they confirmed."""
        seats = list(zip(self.decision.seats, self.progress, strict=True))
        told = {
            voter for seat, each in seats if each.serial >= session.serial for voter in seat.voter.identities
        }
        untold = {
            voter for seat, each in seats if each.serial < session.serial for voter in seat.voter.identities
        }
        demoted = any(
            not (each.stores or each.leaving)
            and each.serial < session.serial
            and seat.voter.identity not in session.members
            for seat, each in seats
        )
        everybody = self.present.issuperset(session.members) and untold.isdisjoint(session.members)
        return everybody and (not demoted or all(has_majority(each, told) for each in before))

    def wanted(self) -> tuple[bytes, ...]:
        """Return the members of the next session: those that have the state, stay, and store what they
        receive; none if nobody does, because then the present session remains. If all leave, the oldest one
        remains, because an empty session would let anybody continue alone."""
        able = [
            (seat.voter.identity, progress)
            for seat, progress in zip(self.decision.seats, self.progress, strict=True)
            if progress.complete
        ]
        staying = [(voter, progress) for voter, progress in able if not progress.leaving]
        if not staying:
            return tuple(voter for voter, _ in able[:1])
        return tuple(dict.fromkeys(voter for voter, progress in staying if progress.stores))

    @property
    def readers(self) -> tuple[int, ...]:
        """The nodes of members whose disks take no data."""
        seats = zip(self._nodes, self.progress, strict=True)
        return tuple(node for node, progress in seats if not progress.stores)

    def last_with_state(self) -> bool:
        """True if others need the state and this is the only staying member that has it."""
        others = [each for place, each in enumerate(self.progress) if place != self.me]
        needed = self.progress[self.me].complete and any(not each.complete for each in others)
        return needed and not any(each.complete and not each.leaving for each in others)

    def next_order(self, sent: int) -> Order | None:
        """Return the next numbers if this member orders. `sent` counts own operations sent in this view."""
        if self.orderer is None or self.orderer.ended:
            return None
        self.orderer.count_arrived(self.me, sent)
        session, self.proposal = self.proposal, None
        if session is not None:
            self.proposed = session.serial
        elif not self.orderer.waiting:
            return None
        full = self.past.kept_bytes > WINDOW_BYTES
        room = 0 if full else WINDOW - (self._numbered - self.settled())
        return self.orderer.order(room, [each.complete for each in self.progress], session)
