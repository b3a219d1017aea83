"""The decision of a view: which history continues, who lacks what, and who orders first.

Each member reports what it has. When all have reported, every member computes the same decision from the
reports alone. If histories met that are not plain prefixes of each other, each member with one first judges
the others (`Verdict`).

A crash in between needs no special handling: the next view starts with reports again.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from liven.liveobjects.channel.history import (
    BEGINNING,
    Claim,
    Epoch,
    Fork,
    Position,
    Recovery,
    Session,
    Standing,
    Voter,
    choose,
    epoch_identity,
    founding,
    latest_members,
    recovery,
    replaces,
    standing,
)
from liven.liveobjects.channel.ordering.messages import HistorySource, Judged, Report

NOBODY = Session(0, ())
"""The session before the first one."""
ATTEMPTS_MOST = 32
"""Limit of sessions that are not stable. Beyond it none is added; the older ones suffice for majorities."""


class EntryKind(enum.Enum):
    """The way a member enters a view."""

    STAYS = "stays"
    """It has the whole history."""
    BEHIND = "behind"
    """It has a prefix and receives the rest as operations."""
    BEGINS = "begins"
    """It begins where the others are and needs their state."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A member's place in a view."""

    node: int
    author: bytes
    voter: Voter
    part: EntryKind
    complete: bool
    """True if it has the state."""
    recovery: Recovery
    """The treatment of its previous history; NOTHING if it had none."""
    since: int
    stores: bool = True
    """False while its disk takes no data."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything that follows from the reports of a view."""

    view_id: bytes
    seats: tuple[Seat, ...]
    """All members, the oldest first. The first complete one orders."""
    tip: Position
    turns: int
    standing: Standing
    waits: bool
    """True if everybody had left, or nobody could found the channel because a member was left out: those who
    are here wait briefly for others."""
    opened: Epoch | None
    """The epoch that begins here, if any."""
    donor: int | None
    """The node that sends the others what they lack; None if nobody has a history."""
    absent: tuple[bytes, ...]
    """Authors that are gone and of whom a member still holds operations without a number."""
    stable_session: Session
    attempts: tuple[Session, ...]
    """Sessions that may be stable. One that begins here is the last."""
    lost: bool
    """True if members waited for a state that nobody here has: what they begin meanwhile is tentative."""

    @property
    def orderer(self) -> int:
        """The place of the member that orders first."""
        return next((place for place, seat in enumerate(self.seats) if seat.complete), 0)

    @property
    def starts(self) -> bool:
        """True if some member begins and needs its starting position."""
        return self.donor is not None and any(seat.part is EntryKind.BEGINS for seat in self.seats)


def contenders(reports: Mapping[int, Report]) -> list[int]:
    """Return the nodes whose histories may win: those with a state, or else those that set one aside."""
    complete = [node for node, report in reports.items() if report.complete and report.claim is not None]
    return complete or [node for node, report in reports.items() if report.claim is not None]


def needs_verdicts(reports: Mapping[int, Report]) -> bool:
    """True if the numbers alone do not decide how the histories relate."""
    known = [report for report in reports.values() if report.claim or report.following]
    shelved = any(not report.complete and report.claim is not None for report in known)
    chains: dict[int, bytes] = {}
    tips = [report.claim.tip for report in known if report.claim is not None]
    diverged = any(chains.setdefault(tip.number, tip.chain) != tip.chain for tip in tips)
    turns = {report.turn for report in known}
    several = len(turns) > 1 or (turns == {b""} and len(known) > 1)  # returning members have no turn
    return shelved or diverged or several


def _plain(report: Report, judge: Report) -> Judged:
    """Return the relation of a history to another of the same turn: the lower number is a prefix."""
    assert judge.claim is not None
    top = judge.claim.tip.number
    claim, following = report.claim, report.following
    return Judged(
        claim is not None and claim.tip.number <= top,
        claim is not None and claim.stable.number <= top,
        following is not None and following.number <= top,
    )


class _Meeting:
    """The histories that meet in a view, and their relations."""

    def __init__(self, reports: Mapping[int, Report], verdicts: Mapping[int, Sequence[Judged]]) -> None:
        self.reports = reports
        self.nodes = list(reports)
        self.contenders = contenders(reports)
        self._verdicts = verdicts

    def judged(self, node: int, judge: int) -> Judged:
        """Return the relation of a node's history to that of a contender."""
        if judge in self._verdicts:
            return self._verdicts[judge][self.nodes.index(node)]
        return _plain(self.reports[node], self.reports[judge])

    def claim(self, node: int) -> Claim:
        """Return a contender's claim."""
        claim = self.reports[node].claim
        assert claim is not None
        return claim

    def winner(self) -> int | None:
        """Return the contender whose history wins: the oldest of those that have it."""
        if not self.contenders:
            return None
        who = self.contenders
        index = choose(
            [self.claim(node) for node in who],
            lambda a, b: self.judged(who[a], who[b]).tip,
            lambda a, b: self.judged(who[a], who[b]).stable,
            self._votes(),
        )
        tip = self.claim(who[index]).tip
        same = [node for node in who if self.claim(node).tip == tip]
        return min(same, key=lambda node: (self.reports[node].since, node))

    def _votes(self) -> list[bool]:
        """Return for each contender if it is a member of the latest session. A member that waits for a state
        does not offer what it has on disk."""
        sessions = (
            session
            for report in self.reports.values()
            for session in (report.stable_session, *report.attempts)
        )
        latest = latest_members(sessions)
        reports = [self.reports[node] for node in self.contenders]
        return [each.complete and not latest.isdisjoint(each.voter.identities) for each in reports]


def _seat(meeting: _Meeting, node: int, donor: int | None) -> Seat:
    report = meeting.reports[node]
    if donor is None:
        return Seat(
            node, report.author, report.voter, EntryKind.STAYS, True, Recovery.NOTHING, 0, report.stores
        )
    judged = meeting.judged(node, donor)
    contends = node in meeting.contenders
    gives = meeting.reports[donor]
    tip = meeting.claim(donor).tip.number
    part = EntryKind.BEGINS
    at = None
    if contends and judged.tip:
        at = meeting.claim(node).tip.number
    elif not contends and judged.following and report.following is not None:
        at = report.following.number
    if at == tip:
        part = EntryKind.STAYS
    elif at is not None and at + 1 >= gives.kept_from:
        part = EntryKind.BEHIND
    fate = Recovery.NOTHING
    if report.claim is not None:
        # With different foundings, operations may have become stable without this member's knowing. Without a
        # founding, none can be.
        one_channel = report.offered_founding in (b"", gives.offered_founding)
        fate = recovery(Fork(judged.tip, judged.stable and one_channel))
    since = (
        report.since
        if part is not EntryKind.BEGINS and report.history is HistorySource.LIVE
        else _turns(meeting)
    )
    complete = contends and part is not EntryKind.BEGINS
    return Seat(node, report.author, report.voter, part, complete, fate, since, report.stores)


def _turns(meeting: _Meeting) -> int:
    """Return the ordinal of this view in its history."""
    return 1 + max((report.turns for report in meeting.reports.values()), default=0)


def _latest_founding(meeting: _Meeting, founded: bytes) -> bytes:
    """Return the founding with all declarations that members present know of: people said that others will
    not come back."""
    found = (report.founding for report in meeting.reports.values())
    later = [each for each in found if replaces(each, founded)]
    return max(later, key=lambda each: (len(each), each), default=founded)


def _sessions(meeting: _Meeting, donor: int | None) -> tuple[Session, tuple[Session, ...]]:
    """Return the last session known to be stable and all later attempts, for the winning history. Sessions of
    channels with another founding do not count."""
    founded = None if donor is None else _latest_founding(meeting, meeting.reports[donor].founding)
    reports = [
        report
        for report in meeting.reports.values()
        if report.history is not HistorySource.FRESH and founded in (None, report.founding)
    ]
    stable = max((report.stable_session for report in reports), key=lambda each: each.serial, default=NOBODY)
    tried = {session for report in reports for session in (*report.attempts, report.stable_session)}
    later = sorted(
        (session for session in tried if session.serial > stable.serial),
        key=lambda each: (each.serial, each.members),
    )
    return stable, tuple(later)


def _next_session(
    stable: Session, attempts: tuple[Session, ...], members: tuple[bytes, ...], founded: bytes
) -> tuple[Session, ...]:
    """Return the attempts of a main view: one more, unless the last stable session has just these members."""
    if (not attempts and stable.members == members) or len(attempts) >= ATTEMPTS_MOST:
        return attempts
    last = max(attempts, key=lambda each: each.serial, default=stable)
    return (*attempts, Session(last.serial + 1, members, last.founding or founded))


def _is_certain(
    stable: Session, attempts: Sequence[Session], reports: Mapping[int, Report], on_chain: Collection[int]
) -> bool:
    """True if nobody else may continue the main epoch: those who lived in it until now, and need not trust a
    disk, have the majority. A disk may have been copied, or set back with the whole machine, and then two
    replicas have one vote. Who comes from another history cannot tell who continued this one. Nor is it
    certain when somebody just said that members will not come back: they may be at work elsewhere."""
    if any(replaces(founding(stable, attempts), report.founding) for report in reports.values()):
        return False
    here = [reports[node].voter for node in on_chain if not reports[node].from_disk]
    return standing(stable, attempts, here) is Standing.CONTINUES


def _opened(view_id: bytes, claim: Claim | None, *, main: bool, new: bool) -> Epoch | None:
    """Return the epoch that begins, unless the previous one continues. If a main epoch is `new` because
    others may continue the previous one, what was not confirmed in that one counts as part of it."""
    if claim is not None and claim.tip != BEGINNING and main and claim.main and not new:
        return None
    parent = BEGINNING if claim is None else claim.tip
    certain = claim.stable.number if claim is not None and main and new else None
    return Epoch(epoch_identity(view_id, parent, main=main), parent, main, certain)


def _voters(seats: Iterable[Seat]) -> tuple[bytes, ...]:
    """Return the identities of seats in sessions, each once."""
    return tuple(dict.fromkeys(seat.voter.identity for seat in seats))


def _rights(
    stable: Session, attempts: Sequence[Session], voters: Sequence[Voter], *, returned: bool
) -> Standing:
    """Return the rights of the members present. If all of them have just `returned`, they need no majority:
    the others may all be off, and only a person could tell (`docs/decisions/0021-returning-alone.md`)."""
    return Standing.CONTINUES if returned else standing(stable, attempts, voters)


def decide(
    view_id: bytes,
    reports: Mapping[int, Report],
    verdicts: Mapping[int, Sequence[Judged]],
    *,
    everybody: bool = True,
) -> Decision:
    """Compute the decision of a view. Reports and verdicts are in the order of the view. Without `everybody`,
    a member of the group was left out: it may have a history, so nobody founds the channel."""
    meeting = _Meeting(reports, verdicts)
    donor = meeting.winner()
    claim = None if donor is None else meeting.claim(donor)
    seats = sorted(
        (_seat(meeting, node, donor) for node in reports),
        key=lambda seat: (not seat.complete, seat.since, seat.node),
    )
    waits = donor is not None and all(report.history is not HistorySource.LIVE for report in reports.values())
    stable, attempts = _sessions(meeting, donor)
    authors = {report.author for report in reports.values()}
    voters = [report.voter for report in reports.values()]
    # A member that was about to begin another history has none, but it knows the sessions of that one.
    lost = donor is None and any(report.history is HistorySource.LIVE for report in reports.values())
    begins = donor is None and not lost
    unfounded = not stable.serial and not attempts and not lost
    if unfounded and not everybody:
        how = Standing.TENTATIVE
    else:
        how = Standing.CONTINUES if begins else _rights(stable, attempts, voters, returned=waits)
    gone = not {one for each in voters for one in each.identities}.issuperset(stable.members)
    main = how.confirms
    complete = [seat for seat in seats if seat.complete]
    # An attempt of members that all cannot store it would be in the way of the first one that can again.
    able = [seat for seat in complete if seat.stores or unfounded]
    on_chain = {seat.node for seat in seats if seat.part is not EntryKind.BEGINS}
    certain = _is_certain(stable, attempts, reports, on_chain)
    opened = _opened(view_id, claim, main=main, new=waits or not certain)
    founded = b"" if opened is None else opened.identity
    held = {each.author for node in on_chain for each in reports[node].held}
    return Decision(
        view_id=view_id,
        seats=tuple(seats),
        tip=BEGINNING if claim is None else claim.tip,
        turns=_turns(meeting),
        standing=how,
        waits=(waits and gone) or (unfounded and everybody and not begins),
        opened=opened,
        donor=donor,
        absent=() if donor is None else tuple(sorted(held - authors)),
        stable_session=stable,
        attempts=_next_session(stable, attempts, _voters(able), founded) if main and able else attempts,
        lost=lost,
    )
