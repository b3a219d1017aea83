"""A view in which the members agreed on what was before: operations come in, orders come in, runs go out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from liven.liveobjects.channel.compact_rows import Rows, with_row, without_first
from liven.liveobjects.channel.history import MalformedError, Session
from liven.liveobjects.channel.ordering.decision import Decision
from liven.liveobjects.channel.ordering.delivered_log import Past, Run
from liven.liveobjects.channel.ordering.messages import Order, Progress, Work
from liven.liveobjects.channel.ordering.orderer import WINDOW, WINDOW_BYTES, Orderer
from liven.liveobjects.channel.ordering.unnumbered import Inbox

_EARLY_MOST: Final = 4096


class GapError(Exception):
    """A message of a living member is missing: this member must come in again."""


class Regime:
    """The open regime of one member; only it adds to the past."""

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
        "inboxes",
        "me",
        "news",
        "orderer",
        "past",
        "progress",
        "proposal",
        "proposed",
        "sessions",
    )

    def __init__(self, decision: Decision, me: int, past: Past) -> None:
        self.decision = decision
        self.me = me
        self.past = past
        self.base = past.number
        self.inboxes = tuple(Inbox(seat.author, past.marks.get(seat.author, 0)) for seat in decision.seats)
        self._nodes = tuple(seat.node for seat in decision.seats)
        """In the order of their places. Few, so that no dictionary pays."""
        self.progress = [Progress(0, 0, seat.complete, False) for seat in decision.seats]
        self._settled: int | None = None
        self._runs: Rows[list[int]] = ()
        self._sequence = 0
        self._numbered = past.number
        self._early: dict[int, tuple[int, Order]] | None = None
        """Orders that came before others that precede them."""
        self._order_from = decision.orderer
        self.sessions: tuple[Session, ...] = ()
        """Sessions that orders brought and nobody has looked at yet."""
        self.news = True
        """Whether there is something to take stock of."""
        self.proposal: Session | None = None
        """The session that this member will propose with its next order."""
        self.proposed = 0
        """The serial of the last that it did."""
        self.orderer = self._made_orderer() if self._order_from == me else None

    @property
    def numbered(self) -> int:
        """The last number that is known to be given."""
        return self._numbered

    def _made_orderer(self) -> Orderer:
        orderer = Orderer(self._sequence, self.me, [inbox.through for inbox in self.inboxes])
        for place, inbox in enumerate(self.inboxes):
            orderer.saw(place, inbox.arrived)
        return orderer

    def work(self, node: int, work: Work) -> None:
        """Files what a member sent; GapError when something before it is missing."""
        if node not in self._nodes:
            raise MalformedError("it has no seat in this view")
        place = self._nodes.index(node)
        inbox = self.inboxes[place]
        if work.payloads:
            if not inbox.follows(work.first):
                raise GapError(f"operation {inbox.last + 1} is missing; {work.first} came")
            inbox.put(work.first, work.payloads)
            if self.orderer is not None:
                self.orderer.saw(place, inbox.arrived)
        if work.progress is not None:
            self.progress[place] = work.progress
            self._settled = None
            self.news = True
        if work.order is not None:
            self._file(place, work.order)

    def _file(self, place: int, order: Order) -> None:
        if order.sequence == self._sequence and self._early is None:
            self._apply(place, order)
            return
        early = self._early = self._early or {}
        if order.sequence < self._sequence or len(early) >= _EARLY_MOST:
            raise GapError(f"order {order.sequence} came twice, or much too early")
        early[order.sequence] = place, order
        while (filed := early.pop(self._sequence, None)) is not None:
            self._apply(*filed)
        self._early = early or None

    def _apply(self, place: int, order: Order) -> None:
        if place != self._order_from:
            raise MalformedError(f"member {place} gave numbers, and it is not the one who orders")
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
            self.news = True
        if order.successor is not None:
            self._succeed(order.successor)

    def _succeed(self, successor: int) -> None:
        if successor >= len(self.inboxes):
            raise MalformedError(f"an order names member {successor} of {len(self.inboxes)}")
        self._order_from = successor
        self.orderer = self._made_orderer() if successor == self.me else None

    @property
    def has_order(self) -> bool:
        """Whether numbers were given for which nothing was delivered yet."""
        return bool(self._runs)

    def deliver(self) -> Iterator[Run]:
        """The operations whose turn has come and that are here."""
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
        """The number up to which every member has everything in its log."""
        if self._settled is None:
            self._settled = min(progress.number for progress in self.progress)
        return self._settled

    def recorded(self, session: Session) -> bool:
        """Whether all its members have recorded a session."""
        asked = [
            progress
            for seat, progress in zip(self.decision.seats, self.progress, strict=True)
            if seat.author in session.members
        ]
        return len(asked) == len(session.members) and all(each.serial >= session.serial for each in asked)

    def wanted(self) -> tuple[bytes, ...]:
        """Who should be in the session: those who have the state and do not leave; if all of them leave, the
        oldest, as a session of nobody would let anybody go on."""
        able = [
            (seat.author, progress.leaving)
            for seat, progress in zip(self.decision.seats, self.progress, strict=True)
            if progress.complete
        ]
        return tuple(author for author, leaving in able if not leaving) or tuple(each[0] for each in able[:1])

    def last_with_state(self) -> bool:
        """Whether others need the state, and nobody else who stays has it."""
        others = [each for place, each in enumerate(self.progress) if place != self.me]
        needed = self.progress[self.me].complete and any(not each.complete for each in others)
        return needed and not any(each.complete and not each.leaving for each in others)

    def next_order(self, sent: int) -> Order | None:
        """The numbers to send now, if this member orders; `sent` own operations left in this regime."""
        if self.orderer is None or self.orderer.ended:
            return None
        self.orderer.saw(self.me, sent)
        session, self.proposal = self.proposal, None
        if session is not None:
            self.proposed = session.serial
        elif not self.orderer.waiting:
            return None
        full = self.past.kept_bytes > WINDOW_BYTES
        room = 0 if full else WINDOW - (self._numbered - self.settled())
        return self.orderer.order(room, [each.complete for each in self.progress], session)
