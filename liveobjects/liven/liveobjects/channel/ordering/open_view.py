"""An open view, in which all members share one history: operations and orders come in, ordered runs
come out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from liven.liveobjects.channel.compact_rows import Rows, with_row, without_first
from liven.liveobjects.channel.history import MalformedError, Session
from liven.liveobjects.channel.ordering.decision import Decision
from liven.liveobjects.channel.ordering.delivered_log import DeliveredLog, Run
from liven.liveobjects.channel.ordering.messages import Order, Progress, Work
from liven.liveobjects.channel.ordering.orderer import WINDOW, WINDOW_BYTES, Orderer
from liven.liveobjects.channel.ordering.unnumbered import UnnumberedOperations

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
        "progress",
        "proposal",
        "proposed",
        "sessions",
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
        self.progress = [Progress(0, 0, seat.complete, False) for seat in decision.seats]
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
    def numbered(self) -> int:
        """The last number that was assigned."""
        return self._numbered

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
            self.progress[place] = work.progress
            self._settled = None
            self.has_changes = True
        if work.order is not None:
            self._file(place, work.order)

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
        for index in range(0, len(order.runs), 2):
            who, count = order.runs[index : index + 2]
            if who >= len(self.inboxes):
                raise MalformedError(f"an order names member {who} of {len(self.inboxes)}")
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
        if successor >= len(self.inboxes):
            raise MalformedError(f"an order names member {successor} of {len(self.inboxes)}")
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

    def settled(self) -> int:
        """Return the number up to which all logs are complete."""
        if self._settled is None:
            self._settled = min(progress.number for progress in self.progress)
        return self._settled

    def recorded(self, session: Session) -> bool:
        """True if all members of a session have recorded it."""
        asked = [
            progress
            for seat, progress in zip(self.decision.seats, self.progress, strict=True)
            if seat.author in session.members
        ]
        return len(asked) == len(session.members) and all(each.serial >= session.serial for each in asked)

    def wanted(self) -> tuple[bytes, ...]:
        """Return the members of the next session: those that have the state and stay. If all leave, the
        oldest one remains, because an empty session would let anybody continue alone."""
        able = [
            (seat.author, progress.leaving)
            for seat, progress in zip(self.decision.seats, self.progress, strict=True)
            if progress.complete
        ]
        return tuple(author for author, leaving in able if not leaving) or tuple(each[0] for each in able[:1])

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
