"""Catching up: between the decision and the first order, members receive the operations that they lack.

The donor sends operations to members who are behind, announces which operations of absent authors come first
(`Plan`), and tells newcomers where they begin (`Start`). A member that holds operations of absent authors
which the plan names sends them to all. Every message carries its number, so senders and repetitions do not
matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from liven.liveobjects.channel.ordering.member_state import Orphans
from liven.liveobjects.channel.ordering.messages import Fill, Message, Plan, Report, Start, Tail
from liven.liveobjects.channel.ordering.opening.decision import Decision, EntryKind, Seat
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog, Run
from liven.liveobjects.channel.ordering.operations.missing_operations import MissingOperations, loose, slices


class CatchUp:
    """One member's way to the position where the view begins."""

    def __init__(self, decision: Decision, me: int, reports: Mapping[int, Report], orphans: Orphans) -> None:
        self.decision = decision
        self.place, self.seat = next(
            (place, seat) for place, seat in enumerate(decision.seats) if seat.node == me
        )
        self.start: Start | None = None
        """The position where this member begins, once the donor has sent it."""
        self.again = True
        """True if own operations that lose their places are sent again."""
        self._me = me
        self._reports = reports
        self._orphans = orphans
        self._fills = MissingOperations()
        self._plan: Plan | None = None
        self._base: int | None = None

    @property
    def begins(self) -> bool:
        """True if this member begins without any of this history."""
        return self.seat.part is EntryKind.BEGINS

    def lacks_start_of(self, node: int) -> bool:
        """True if this member needs its starting position and `node` is the donor who has not sent it."""
        return self.begins and self.start is None and node == self.decision.donor

    def awaited(self, past: DeliveredLog | None) -> set[int]:
        """Return the members whose messages this member still needs here."""
        decision = self.decision
        if decision.donor is None:
            return set()
        planned = self._plan is not None or not decision.absent
        if self.begins or past is None or not planned or past.number < decision.tip.number:
            return {decision.donor} - {self._me}
        return {tail.holder for tail in (self._plan.tails if self._plan else ())} - {self._me}

    @property
    def gives(self) -> bool:
        """True if this member is the donor."""
        return self.decision.donor == self._me

    def put(self, node: int, message: Plan | Start | Fill, past: DeliveredLog | None) -> None:
        """Store a message. Plans and starts count only from the donor."""
        match message:
            case Fill():
                if past is not None:
                    past.expect(message.epochs)
                self._fills.put(message)
            case Plan() if node == self.decision.donor:
                self._plan = message
            case Start() if node == self.decision.donor and self.begins:
                self.start = message

    def missing(self, past: DeliveredLog) -> Iterator[Message]:
        """Return the messages that the donor sends at once."""
        decision = self.decision
        behind = [self._number_of(seat) for seat in decision.seats if seat.part is EntryKind.BEHIND]
        yield from slices(decision.view_id, past, min(behind, default=past.number) + 1, past.number)
        if decision.absent:
            yield Plan(decision.view_id, tuple(self._tails(past)))

    def _number_of(self, seat: Seat) -> int:
        report = self._reports[seat.node]
        if report.complete or report.following is None:
            assert report.claim is not None
            return report.claim.tip.number
        return report.following.number

    def _tails(self, past: DeliveredLog) -> Iterator[Tail]:
        """Return the last known operations of each absent author, in stretches, because each of the author's
        incarnations may have left one."""
        for author in self.decision.absent:
            mark = past.marks.get(author, 0)
            held = [
                (max(each.last for each in there), seat.node, there)
                for seat in self.decision.seats
                if seat.part is not EntryKind.BEGINS
                and (there := [each for each in self._reports[seat.node].held if each.author == author])
            ]
            _, holder, stretches = max(held, key=lambda each: each[0], default=(0, 0, []))
            for each in stretches:
                if each.last > mark:
                    yield Tail(author, max(each.first, mark + 1), each.last, holder)

    def take(self, past: DeliveredLog) -> Iterator[Run]:
        """Append the received operations that come next to a history."""
        return self._fills.take(past)

    def caught_up(self, past: DeliveredLog) -> bool:
        """True if everything before the first order was taken."""
        if not self.decision.absent:
            return past.number >= self.decision.tip.number
        return self._base is not None and past.number >= self._base

    def tails(self, past: DeliveredLog) -> list[Message]:
        """Return the operations of absent authors that this member sends: once, when it has the plan and has
        reached the tip."""
        if self._plan is None or self._base is not None or past.number < self.decision.tip.number:
            return []
        given: list[Message] = []
        number = self.decision.tip.number + 1
        for tail in self._plan.tails:
            if tail.holder == self._me:
                given += self._tail(tail, number)
            number += tail.last + 1 - tail.first
        self._base = number - 1
        return given

    def _tail(self, tail: Tail, number: int) -> Iterator[Fill]:
        if tail.author not in self._orphans:
            return
        _, inbox = self._orphans[tail.author]
        for first, payloads in inbox.waiting():
            if first <= tail.first < first + len(payloads):
                waiting = payloads[tail.first - first : tail.last + 1 - first]
                yield from loose(self.decision.view_id, number, tail.author, tail.first, waiting)
