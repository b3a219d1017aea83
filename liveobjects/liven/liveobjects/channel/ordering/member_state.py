"""What one member stands for: its history, what it knows of sessions, and an older history put aside.

While a member waits for the state of a history, it keeps the one it had before on the *shelf*: should all be
gone who have the new one, the old one can go on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liven.liveobjects.channel.history import Epoch, Position, Session
from liven.liveobjects.channel.ordering.decision import Decision, Seat
from liven.liveobjects.channel.ordering.delivered_log import Older, Past
from liven.liveobjects.channel.ordering.messages import Held, Judged, Life, Report, Start
from liven.liveobjects.channel.ordering.quorum_sessions import Sessions
from liven.liveobjects.channel.ordering.unnumbered import Inbox


@dataclass(frozen=True, slots=True)
class Returned:
    """What a store kept of an earlier life."""

    tip: Position
    stable: Position
    epochs: tuple[Epoch, ...]
    marks: dict[bytes, int]
    stable_session: Session
    attempts: tuple[Session, ...]
    lives: int
    """How many lives it had, of which this was the last; kept before anything is submitted in a life."""
    own: tuple[tuple[int, bytes], ...] = ()
    """What it submitted and was not told to be stable, each with its number, in order."""


Orphans = Mapping[bytes, tuple[int, Inbox]]
"""For each author its node in the last regime, and what of its operations has no number."""


class Stand:
    """The history of a member, and how it came to it."""

    __slots__ = (
        "_life",
        "_older",
        "_shelf",
        "_since",
        "_turn",
        "_turns",
        "complete",
        "past",
        "sessions",
    )

    def __init__(self, returned: Returned | None, older: Older) -> None:
        self.past: Past | None = None
        self.complete = False
        """Whether the state is here."""
        self.sessions = Sessions()
        self._older = older
        self._shelf: tuple[Past, bytes] | None = None
        self._life = Life.FRESH
        self._turn = b""
        self._turns = self._since = 0
        if returned is not None:
            self.past = Past(returned.tip, returned.stable, returned.epochs, returned.marks)
            self.complete = True
            self.sessions = Sessions(returned.stable_session, returned.attempts)
            self._life = Life.RETURNED

    def kept(self, lives: int, own: tuple[tuple[int, bytes], ...]) -> Returned | None:
        """What a store should keep of this; None while there is nothing."""
        past = self.past if self.complete or self._shelf is None else self._shelf[0]
        if past is None or not (self.complete or self._shelf):
            return None
        return Returned(
            past.tip,
            past.stable,
            past.epochs,
            dict(past.marks),
            self.sessions.stable,
            self.sessions.attempts,
            lives,
            own,
        )

    def report(self, regime: bytes, author: bytes, view: tuple[int, ...], orphans: Orphans) -> Report:
        """What is here, for the others of a view."""
        past = self.past
        shelf, shelf_turn = (None, b"") if self._shelf is None else self._shelf
        stands = past if self.complete else shelf
        following = None if self.complete or past is None else past.tip
        return Report(
            regime=regime,
            author=author,
            life=Life.LIVE if following is not None or shelf is not None else self._life,
            complete=self.complete,
            turn=self._turn if past is not None or shelf is None else shelf_turn,
            turns=self._turns,
            since=self._since,
            claim=None if stands is None else stands.claim,
            following=following,
            kept_from=0 if stands is None else stands.kept_from,
            held=self._held(view, orphans),
            stable_session=self.sessions.stable,
            attempts=self.sessions.attempts,
        )

    def _held(self, view: tuple[int, ...], orphans: Orphans) -> tuple[Held, ...]:
        """What is here of members that are gone, from the first that has no number on."""
        marks = {} if self.past is None else self.past.marks
        return tuple(
            Held(author, max(marks.get(author, 0) + 1, first), first + len(payloads) - 1)
            for author, (node, inbox) in orphans.items()
            if node not in view
            for first, payloads in inbox.waiting()
            if marks.get(author, 0) < first + len(payloads) - 1
        )

    def judge(self, reports: Mapping[int, Report]) -> tuple[Judged, ...]:
        """How the reported histories stand to the one that this member can stand for."""
        own = self.past if self.complete or self._shelf is None else self._shelf[0]
        assert own is not None

        def holds(position: Position | None) -> bool:
            return position is not None and own.holds(position, self._older)

        return tuple(
            Judged(
                report.claim is not None and holds(report.claim.tip),
                report.claim is not None and holds(report.claim.stable),
                holds(report.following),
            )
            for report in reports.values()
        )

    @property
    def follows(self) -> bool:
        """Whether this member is in a history of which it has no state yet."""
        return not self.complete and self.past is not None

    def enter(self, decision: Decision, seat: Seat) -> None:
        """A decision holds; which history goes on here is said by one of the three below."""
        self._turns, self._since = decision.turns, seat.since

    def put_aside(self) -> None:
        """Another history goes on, of which nothing is here yet."""
        if self.complete and self.past is not None:
            self._shelf = self.past, self._turn
        self.past = None
        self.complete = False

    def disown(self) -> None:
        """What is here counts no more. Of sessions this member knows what it knew."""
        self.past = self._shelf = None
        self.complete = False
        self._life, self._turn = Life.FRESH, b""

    def begin_anew(self, regime: bytes) -> Past:
        """Nobody has a history."""
        self.past = Past()
        self._shelf = None
        return self.go_on(regime, complete=True)

    def take_up(self) -> Past | None:
        """The history on the shelf goes on, if this member waits for another; None if it does not."""
        if self.complete or self._shelf is None:
            return None
        self.past, _ = self._shelf
        self._shelf = None
        return self.past

    def go_on(self, regime: bytes, *, complete: bool) -> Past:
        """The history that is here goes on."""
        past = self.past
        assert past is not None
        self.complete = complete
        self._life = Life.LIVE
        self._turn = regime
        return past

    def begin_at(self, start: Start) -> None:
        """The history that goes on begins here, without its state."""
        self.past = Past(start.position, start.stable, start.epochs, dict(start.marks))
        self.go_on(start.regime, complete=False)

    def completed(self) -> None:
        """The state is here."""
        self.complete = True
        self._shelf = None
