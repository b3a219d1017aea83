"""Between a decision and the first order: who misses something gets it.

The donor gives operations to those who are behind, says which operations of absent authors come first
(`Plan`), and where those begin who have nothing (`Start`). Whoever holds operations of absent authors that
the plan names gives them to all. Everything carries its number, so nobody minds who gives what, or how often.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from liven.liveobjects.channel.ordering.decision import Decision, Part, Seat
from liven.liveobjects.channel.ordering.delivered_log import Past, Run
from liven.liveobjects.channel.ordering.member_state import Orphans
from liven.liveobjects.channel.ordering.messages import Fill, Message, Plan, Report, Start, Tail
from liven.liveobjects.channel.ordering.missing_operations import Fills, loose, slices


class Opening:
    """One member's way to the place where a regime begins."""

    def __init__(self, decision: Decision, me: int, reports: Mapping[int, Report], orphans: Orphans) -> None:
        self.decision = decision
        self.place, self.seat = next(
            (place, seat) for place, seat in enumerate(decision.seats) if seat.node == me
        )
        self.start: Start | None = None
        """Where this member begins, once it was told."""
        self.again = True
        """Whether own operations that lose their places are sent again."""
        self._me = me
        self._reports = reports
        self._orphans = orphans
        self._fills = Fills()
        self._plan: Plan | None = None
        self._base: int | None = None

    @property
    def begins(self) -> bool:
        """Whether this member begins, with nothing of this history."""
        return self.seat.part is Part.BEGINS

    def lacks_start_of(self, node: int) -> bool:
        """Whether this member begins, and has not been told where by this one, the donor."""
        return self.begins and self.start is None and node == self.decision.donor

    @property
    def gives(self) -> bool:
        """Whether this member is the donor."""
        return self.decision.donor == self._me

    def put(self, node: int, message: Plan | Start | Fill, past: Past | None) -> None:
        """Files what a member sent; plan and start count from the donor alone."""
        match message:
            case Fill():
                if past is not None:
                    past.expect(message.epochs)
                self._fills.put(message)
            case Plan() if node == self.decision.donor:
                self._plan = message
            case Start() if node == self.decision.donor and self.begins:
                self.start = message

    def missing(self, past: Past) -> Iterator[Message]:
        """What the donor has to give at once."""
        decision = self.decision
        behind = [self._number_of(seat) for seat in decision.seats if seat.part is Part.BEHIND]
        yield from slices(decision.regime, past, min(behind, default=past.number) + 1, past.number)
        if decision.absent:
            yield Plan(decision.regime, tuple(self._tails(past)))

    def _number_of(self, seat: Seat) -> int:
        report = self._reports[seat.node]
        if report.complete or report.following is None:
            assert report.claim is not None
            return report.claim.tip.number
        return report.following.number

    def _tails(self, past: Past) -> Iterator[Tail]:
        """For each author who is gone, what it sent last of all that anybody has; in stretches, as each of
        its lives may have left one."""
        for author in self.decision.absent:
            mark = past.marks.get(author, 0)
            held = [
                (max(each.last for each in there), seat.node, there)
                for seat in self.decision.seats
                if seat.part is not Part.BEGINS
                and (there := [each for each in self._reports[seat.node].held if each.author == author])
            ]
            _, holder, stretches = max(held, key=lambda each: each[0], default=(0, 0, []))
            for each in stretches:
                if each.last > mark:
                    yield Tail(author, max(each.first, mark + 1), each.last, holder)

    def take(self, past: Past) -> Iterator[Run]:
        """Adds to a past what follows it."""
        return self._fills.take(past)

    def caught_up(self, past: Past) -> bool:
        """Whether all that comes before the first order was taken."""
        if not self.decision.absent:
            return past.number >= self.decision.tip.number
        return self._base is not None and past.number >= self._base

    def tails(self, past: Past) -> list[Message]:
        """What this member has to give of absent authors: once, when it knows the plan and has reached the
        tip."""
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
                yield from loose(self.decision.regime, number, tail.author, tail.first, waiting)
