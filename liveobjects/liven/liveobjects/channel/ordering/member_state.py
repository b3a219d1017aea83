"""The state of one member: its history, the sessions that it knows, and a previous history set aside.

While a member waits for the state of a new history, it keeps the previous one aside. If all members with the
new one are gone, the previous one continues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from liven.liveobjects.channel.history import Comparison, Epoch, Position, Session, Voter, founding, replaces
from liven.liveobjects.channel.ordering.messages import Held, HistorySource, Judged, Report, Start
from liven.liveobjects.channel.ordering.opening.decision import Decision, EntryKind, Seat
from liven.liveobjects.channel.ordering.opening.quorum_sessions import QuorumSessions
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog, Older, unknown
from liven.liveobjects.channel.ordering.operations.unnumbered import UnnumberedOperations


@dataclass(frozen=True, slots=True)
class Returned:
    """Data of an earlier incarnation of this member, from its store."""

    tip: Position
    stable: Position
    epochs: tuple[Epoch, ...]
    marks: dict[bytes, int]
    stable_session: Session
    attempts: tuple[Session, ...]
    history_founding: bytes | None = None
    """The founding of the history, if that is not the one of the sessions."""


Orphans = Mapping[bytes, tuple[int, UnnumberedOperations]]
"""For each author, its node in the last view and its operations without a number."""


@dataclass(frozen=True, slots=True)
class _Previous:
    """A history that was set aside."""

    past: DeliveredLog
    turn: bytes
    from_disk: bool
    founding: bytes
    older: Older


class MemberState:
    """The history of a member, and how it got it."""

    __slots__ = (
        "_founding",
        "_history",
        "_older",
        "_previous",
        "_since",
        "_turn",
        "_turns",
        "_unproven",
        "complete",
        "past",
        "sessions",
    )

    def __init__(self, returned: Returned | None, older: Older) -> None:
        self.past: DeliveredLog | None = None
        self.complete = False
        """True if the member has the state."""
        self.sessions = QuorumSessions()
        self._older = older
        self._previous: _Previous | None = None
        self._history = HistorySource.FRESH
        self._turn = b""
        self._founding = b""
        """The founding of the present history."""
        self._turns = self._since = 0
        self._unproven: int | None = None
        """The number up to which the history came from a disk, or at which an epoch opened that has no
        operation yet; None if an epoch or a majority followed."""
        if returned is not None:
            self.past = DeliveredLog(returned.tip, returned.stable, returned.epochs, returned.marks)
            self.complete = True
            self.sessions = QuorumSessions(returned.stable_session, returned.attempts)
            self._history = HistorySource.RETURNED
            self._unproven = returned.tip.number
            known = returned.history_founding
            self._founding = self.sessions.founding if known is None else known

    def kept(self) -> Returned | None:
        """Return what a store should keep; None while there is nothing."""
        past = self.past if self.complete or self._previous is None else self._previous.past
        if past is None or not (self.complete or self._previous):
            return None
        return Returned(
            past.tip,
            past.stable,
            past.epochs,
            dict(past.marks),
            self.sessions.stable,
            self.sessions.attempts,
            self.history_founding,
        )

    @property
    def history_founding(self) -> bytes | None:
        """The founding of the history that this member offers, if that is not the one of its sessions."""
        offers_previous = not self.complete and self._previous is not None
        found = self._previous.founding if offers_previous and self._previous else self._founding
        return None if found == self.sessions.founding else found

    def report(
        self,
        view_id: bytes,
        author: bytes,
        voter: Voter,
        view: tuple[int, ...],
        orphans: Orphans,
        *,
        stores: bool,
    ) -> Report:
        """Return this member's report for a view."""
        past = self.past
        previous = self._previous
        aside = None if previous is None else previous.past
        stands = past if self.complete else aside
        following = None if self.complete or past is None else past.tip
        return Report(
            view_id=view_id,
            author=author,
            voter=voter,
            history=HistorySource.LIVE if following is not None or previous is not None else self._history,
            from_disk=self._is_from_disk or (previous is not None and previous.from_disk),
            complete=self.complete,
            turn=self._turn if past is not None or previous is None else previous.turn,
            turns=self._turns,
            since=self._since,
            claim=None if stands is None else stands.claim,
            following=following,
            kept_from=0 if stands is None else stands.kept_from,
            held=self._held(view, orphans),
            stable_session=self.sessions.stable,
            attempts=self.sessions.attempts,
            stores=stores,
            history_founding=self.history_founding,
        )

    @property
    def _is_from_disk(self) -> bool:
        """True if others may have continued the last epoch of the present history."""
        return self._unproven is not None and (self.past is None or self.past.number <= self._unproven)

    def _held(self, view: tuple[int, ...], orphans: Orphans) -> tuple[Held, ...]:
        """Return the operations held here of members that are gone, from the first without a number."""
        marks = {} if self.past is None else self.past.marks
        return tuple(
            Held(author, max(marks.get(author, 0) + 1, first), first + len(payloads) - 1)
            for author, (node, inbox) in orphans.items()
            if node not in view
            for first, payloads in inbox.waiting()
            if marks.get(author, 0) < first + len(payloads) - 1
        )

    def judge(self, reports: Mapping[int, Report]) -> tuple[Judged, ...]:
        """Return the relation of the reported histories to this member's own."""
        own, older = self.past, self._older
        if not self.complete and self._previous is not None:
            own, older = self._previous.past, self._previous.older
        assert own is not None

        founded = self.sessions.founding if self.history_founding is None else self.history_founding

        def judged(report: Report) -> Judged:
            compared = Comparison(founded, report.offered_founding)

            def holds(position: Position | None) -> bool:
                return position is not None and own.holds(position, older, compared)

            claim = report.claim
            if claim is None:
                return Judged(False, False, holds(report.following))
            # A hash proves everything before it. An epoch alone may mislead, so the confirmed part of a
            # history must be here as well.
            same = own.known_chain(claim.tip.number, older) == claim.tip.chain
            stable = holds(claim.stable) or (same and own.known_chain(claim.stable.number, older) is None)
            return Judged(stable and (same or holds(claim.tip)), stable, holds(report.following))

        return tuple(map(judged, reports.values()))

    @property
    def follows(self) -> bool:
        """True if this member follows a history whose state it does not have yet."""
        return not self.complete and self.past is not None

    def enter(self, decision: Decision, seat: Seat) -> None:
        """Enter a view, after one of `put_aside`, `begin_anew` and `continue_history`."""
        self._turns, self._since = decision.turns, seat.since
        founded = founding(decision.stable_session, decision.attempts)
        begins = seat.part is EntryKind.BEGINS or not self._founding
        if begins or decision.standing.confirms or replaces(founded, self._founding):
            self._founding = founded
        # An epoch that opens here exists with its first operation only. Until then the next view must open
        # one again: if it continued the former epoch, so might others elsewhere, with other operations.
        # So must it if an older member has our vote, too, until we have another one: our disk is a copy.
        first = next(each for each in decision.seats if each.voter.identity == seat.voter.identity)
        opens = decision.opened is not None or first.author != seat.author
        self._unproven = decision.tip.number if opens else None

    def distrust(self) -> None:
        """Begin another epoch with the next view, even with a majority: others may continue this one."""
        if self.past is not None:
            self._unproven = self.past.number
        if self._previous is not None:
            self._previous = replace(self._previous, from_disk=True)

    def history_goes_on(self, before: bytes) -> None:
        """Note that members were declared gone, and that the present history goes on without them."""
        if self._founding == before:
            self._founding = self.sessions.founding

    def put_aside(self) -> None:
        """Set the present history aside, because another one won."""
        if self.complete and self.past is not None:
            self._previous = _Previous(self.past, self._turn, self._is_from_disk, self._founding, self._older)
        self.past, self._older = None, unknown
        self.complete = False

    def discard_history(self) -> None:
        """Discard the history. The known sessions stay."""
        self.past = self._previous = None
        self._older = unknown
        self.complete = False
        self._history, self._turn, self._founding = HistorySource.FRESH, b"", b""

    def begin_anew(self, view_id: bytes) -> DeliveredLog:
        """Begin an empty history, because nobody has one."""
        self.past, self._older = DeliveredLog(), unknown
        self._previous = None
        return self.continue_history(view_id, complete=True)

    def restore_previous(self) -> DeliveredLog | None:
        """Resume the history that was set aside, if this member waits for another one; else return None."""
        if self.complete or self._previous is None:
            return None
        self._founding, self._older = self._previous.founding, self._previous.older
        self.past, self._previous = self._previous.past, None
        return self.past

    def continue_history(self, view_id: bytes, *, complete: bool) -> DeliveredLog:
        """Continue the present history."""
        past = self.past
        assert past is not None
        self.complete = complete
        self._history = HistorySource.LIVE
        self._turn = view_id
        return past

    def begin_at(self, start: Start) -> None:
        """Begin the winning history here, without its state."""
        self.past = DeliveredLog(start.position, start.stable, start.epochs, dict(start.marks))
        self.continue_history(start.view_id, complete=False)

    def completed(self) -> None:
        """Record that the state is in place."""
        self.complete = True
        self._previous = None
