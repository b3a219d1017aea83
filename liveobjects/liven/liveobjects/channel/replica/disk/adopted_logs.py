"""Adopting logs: merging what several processes of one user stored of a channel.

A process that opens a channel finds what earlier processes left of it, in any folder. Of several histories
the one wins that would win in a group. Operations that were submitted but are not stable are submitted again.
A running process keeps its identity and its operations; only its history is read.

| the other process | its history                    | its identity       | its own operations   |
|-------------------|--------------------------------|--------------------|----------------------|
| has ended         | adopted if it wins             | if we have none    | are submitted here   |
| is running        | copied if it extends ours      | never              | are not touched      |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import (
    Claim,
    Comparison,
    Fork,
    Operation,
    Recovery,
    Session,
    Voter,
    choose,
    latest_members,
    recovery,
    replaces,
)
from liven.liveobjects.channel.history.quorum import FORMERLY_MOST
from liven.liveobjects.channel.ordering import Returned
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog
from liven.liveobjects.channel.replica.disk.disk_protocol import Disk
from liven.liveobjects.channel.replica.disk.journal import MARK
from liven.liveobjects.channel.replica.disk.notes import packed_sessions, packed_voter
from liven.liveobjects.channel.replica.disk.persistence import Persistence, put_aside

_MOVED = ("sessions", "stable", "members")
_OF_BRANCHES = ("forked", "apart")
"""The fork of a branch, and a note that its state differs although it lacks no operation."""

_UNUSED_MOST = 64
"""Limit of votes that are carried although no known session needs them."""


class OtherLog(Protocol):
    """The log of another process."""

    @property
    def free(self) -> bool:
        """True if that process has ended."""

    def open(self, name: str) -> Disk:
        """Return its store of one channel."""

    def close(self) -> None:
        """Release it."""


def adopt(store: Disk, opened: Callable[[str], Disk], other_log: OtherLog) -> str:
    """Adopt what another process stored of a channel, and release its log once that is on our disk.

    Returns an error text if the other log is damaged; it is then left alone. Raises StoreFullError if our
    disk cannot take it; the other log then keeps everything and stays held.
    """
    one, other = _Kept(store, opened), _Kept(other_log.open(store.name), other_log.open)
    if other.persistence.trouble or one.persistence.trouble:
        other_log.close()
        return other.persistence.trouble
    goes_on = _other_wins(one, other)
    carried = _carried(one, other, goes_on=goes_on) if other_log.free else None
    if goes_on:
        _adopt_history(one, other, free=other_log.free)
    if not other_log.free:
        other_log.close()
        return ""
    if not goes_on:
        _keep_own_history(one, other)
    if carried is not None:
        _carry(one, other, *carried)
    elif not goes_on and _is_part(one, other):
        _remember_former(one, other)
    _adopt_branches(one, other)
    _remove_from_other(one, other, other_log)
    return ""


class _Kept:
    """The stored data of a channel in one place."""

    def __init__(self, disk: Disk, opened: Callable[[str], Disk]) -> None:
        self.disk = disk
        self.opened = opened
        self.persistence = Persistence(disk, opened, reading=True)
        self.kept = disk.kept()
        self.returned: Returned | None = self.persistence.returned

    @property
    def waiting(self) -> list[Operation]:
        """All operations that it had still to bring into the order."""
        return self.persistence.inherited

    @property
    def unplaced(self) -> list[Operation]:
        """Those of them without a place in its history."""
        marks = {} if self.returned is None else self.returned.marks
        return [each for each in self.waiting if marks.get(each.author, 0) < each.number]

    def claim(self) -> Claim:
        """Return the claim of its history."""
        assert self.returned is not None
        return self._past.claim

    def holds(self, other: _Kept, *, stable: bool = False) -> bool:
        """True if another history, or its stable part, is part of this one."""
        claim = other.claim()
        compared = Comparison(self.founding, other.founding)
        positions = (claim.stable,) if stable else (claim.stable, claim.tip)
        return all(self._past.holds(each, self.persistence.chain_at, compared) for each in positions)

    def has_all_main_of(self, other: _Kept) -> bool:
        """True if this history has everything that a main epoch ordered in another one."""
        number = other.claim().main_number
        last = other._past.known_chain(number, other.persistence.chain_at)
        return last is not None and last == self._past.known_chain(number, self.persistence.chain_at)

    @property
    def _past(self) -> DeliveredLog:
        assert self.returned is not None
        return DeliveredLog(
            self.returned.tip, self.returned.stable, self.returned.epochs, self.returned.marks
        )

    @property
    def founding(self) -> bytes:
        """The founding epoch of its history."""
        assert self.returned is not None
        if self.returned.history_founding is not None:
            return self.returned.history_founding
        sessions = (*self.returned.attempts[-1:], self.returned.stable_session)
        return sessions[0].founding

    @property
    def in_sessions(self) -> bool:
        """True if its history is the one of its sessions: it was not about to follow another one."""
        return self.returned is not None and self.returned.history_founding is None

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions that it knows."""
        assert self.returned is not None
        return self.returned.stable_session, *self.returned.attempts

    def recovery_against(self, winner: _Kept) -> Recovery:
        """Return the treatment of this history if `winner` wins."""
        kept = winner.holds(self, stable=True) and winner.founding == self.founding
        return recovery(Fork(winner.holds(self), kept))


def _other_wins(one: _Kept, other: _Kept) -> bool:
    """True if the other history wins over our own."""
    if other.returned is None or one.returned is None:
        return other.returned is not None
    pair = one, other
    winner = choose(
        [each.claim() for each in pair],
        lambda a, b: pair[b].holds(pair[a]),
        lambda a, b: pair[b].holds(pair[a], stable=True),
        _votes(one, other),
    )
    return winner == 1


def _votes(one: _Kept, other: _Kept) -> list[bool]:
    """Return for both logs if they are of members of the latest session."""
    latest = latest_members(session for each in (one, other) for session in each.sessions)
    return [not latest.isdisjoint(each.persistence.voter.identities) for each in (one, other)]


def _adopt_history(one: _Kept, other: _Kept, *, free: bool) -> None:
    """Adopt another history. A replica without a history that adopts one of an ended process also takes over
    its identity."""
    assert other.returned is not None
    assert other.kept.checkpoint is not None
    fate = Recovery.NOTHING if one.returned is None else one.recovery_against(other)
    if fate is not Recovery.NOTHING and not free:
        return  # a running process keeps its history and we keep ours; they meet in the group
    if fate is Recovery.BRANCH:
        put_aside(one.kept, other.returned.marks, one.disk, one.opened)
    ours = one.unplaced if fate is Recovery.BRANCH else one.waiting
    _add_to_journal(one, [*ours, *(other.waiting if free else ())])
    one.disk.start_over(other.kept.checkpoint, other.kept.entries)
    notes = other.kept.notes
    one.disk.note(history=notes.get("history", b""), **{key: notes[key] for key in _MOVED if key in notes})
    if one.returned is None and free:
        may = _may_inherit(one, other)
        _name_heir(one, other)
        voter = other.persistence.voter
        if "voter" in one.kept.notes:  # it lost its history, perhaps because its disk was full
            mine = one.persistence.voter
            former = tuple(dict.fromkeys((*mine.identities, *voter.formerly, *mine.formerly)))
            voter = voter._replace(formerly=former[:FORMERLY_MOST])
        one.disk.note(place=one.disk.place if may else b"", **packed_voter(voter))


def _keep_own_history(one: _Kept, other: _Kept) -> None:
    """Keep our own history, and store what it lacks of the other as a branch or in the journal."""
    theirs = other.waiting
    if (
        one.returned is not None
        and other.returned is not None
        and other.recovery_against(one) is Recovery.BRANCH
    ):
        put_aside(other.kept, one.returned.marks, one.disk, one.opened)
        theirs = other.unplaced
    _add_to_journal(one, [*one.waiting, *theirs])


def _carried(
    one: _Kept, other: _Kept, *, goes_on: bool
) -> tuple[Voter, tuple[Session, tuple[Session, ...]]] | None:
    """Return the votes and the sessions of both together; None if we cannot vote for the other.

    We can if our history will have all of its history that may be confirmed, and we know all sessions that it
    had recorded. We then agree to nothing that it could not have agreed to.
    """
    if not (one.in_sessions and other.in_sessions):
        return None
    founded = max(one.founding, other.founding, key=len)  # with all declarations that members are gone
    if not all(founded == each or replaces(founded, each) for each in (one.founding, other.founding)):
        if not goes_on or one.recovery_against(other) is not Recovery.NOTHING:
            return None
        founded = (
            other.founding
        )  # ours had nothing of its own: from now on we are a member of the other channel
    mine, theirs = one.persistence.voter, other.persistence.voter
    if not (_has_what_is_confirmed(one, other, goes_on=goes_on) and _may_remember(one, other)):
        return None
    latest = [each for each in (one, other) if each.founding == founded]
    known = {session for each in latest for session in each.sessions}
    stable = max((each.sessions[0] for each in latest), key=lambda each: each.serial)
    later = sorted((each for each in known if each.serial > stable.serial), key=lambda each: each.serial)
    in_use = {member for session in (stable, *later) for member in session.members}
    lost = () if theirs.identity in in_use else theirs.formerly
    # The votes of a copied log are lost. If ours is a copy, too, we begin as somebody who formerly had all.
    if _is_in_place(other) or not _is_in_place(one):
        taken = theirs.identities
    else:
        taken, lost = (), (*theirs.identities, *lost)
    carried = tuple(dict.fromkeys((*mine.carried, *taken)))
    formerly = tuple(dict.fromkeys((*lost, *mine.formerly)))[:FORMERLY_MOST]
    # Members elsewhere may know a later session of the other, which its disk lost: its vote stays needed.
    recent = (*taken, *mine.carried)[:_UNUSED_MOST]
    votes = tuple(each for each in carried if each != mine.identity and (each in in_use or each in recent))
    return Voter(mine.identity, formerly, votes), (stable, tuple(later))


def _has_what_is_confirmed(one: _Kept, other: _Kept, *, goes_on: bool) -> bool:
    """True if the history that wins has everything of the other log that may be confirmed: because it is that
    one, or has all of it, or all but what a side epoch ordered, or is of a member of the latest session,
    without which nothing is confirmed."""
    if goes_on:
        return one.recovery_against(other) is not Recovery.BRANCH
    kept = other.recovery_against(one)
    if kept is not Recovery.SUBMIT_AGAIN:
        return kept is Recovery.NOTHING
    return _votes(one, other)[0] or one.has_all_main_of(other)


def _may_inherit(one: _Kept, other: _Kept) -> bool:
    """True if the other log is where it was written, and no other program was about to take its votes."""
    return _is_in_place(other) and _is_heir(one, other)


def _is_in_place(log: _Kept) -> bool:
    """True if a log is where it was written: it is no copy."""
    return log.kept.notes.get("place") == log.disk.place


def _is_heir(one: _Kept, other: _Kept) -> bool:
    """True if no other program was about to take the votes of the other log."""
    return other.kept.notes.get("heir", b"") in (b"", one.disk.place)


def _may_remember(one: _Kept, other: _Kept) -> bool:
    """True if a replica may say that it has the votes of the other log, or had them: no other program does.
    The heir that a copied log names may be a copy, too, made before it took them over."""
    return _is_heir(one, other) or not _is_in_place(other)


def _name_heir(one: _Kept, other: _Kept) -> None:
    other.disk.note(heir=one.disk.place)
    other.disk.when_durable(lambda: None)


def _carry(one: _Kept, other: _Kept, voter: Voter, sessions: tuple[Session, tuple[Session, ...]]) -> None:
    """Take over the votes of the other. Its own log names the heir first, on the disk, so that no second
    program does the same if this one ends here."""
    _name_heir(one, other)
    one.disk.note(**packed_sessions(*sessions), **packed_voter(voter))


def _is_part(one: _Kept, other: _Kept) -> bool:
    """True if the other log has no history, or only a part of ours."""
    if one.returned is None or other.returned is None:
        return one.returned is not None
    return other.recovery_against(one) is Recovery.NOTHING


def _remember_former(one: _Kept, other: _Kept) -> None:
    """Remember the votes of a log whose history has nothing that ours lacks, but whose sessions we cannot
    take over: it lost them, or they are those of another founding."""
    if "voter" not in other.kept.notes or not _may_remember(one, other):
        return
    mine, theirs = one.persistence.voter, other.persistence.voter
    former = (*theirs.identities, *theirs.formerly)
    if _is_in_place(one):
        voter = mine._replace(formerly=tuple(dict.fromkeys((*former, *mine.formerly)))[:FORMERLY_MOST])
    else:  # it begins as somebody who formerly had all these votes
        voter = mine._replace(carried=tuple(dict.fromkeys((*mine.carried, *former)))[:FORMERLY_MOST])
    _name_heir(one, other)
    one.disk.note(**packed_voter(voter))


def _add_to_journal(one: _Kept, operations: list[Operation]) -> None:
    """Write these operations to our journal, each once. Raises StoreFullError."""
    by_name = {(each.author, each.number): each for each in operations}
    one.persistence.journal.replace(list(by_name.values()))


def _adopt_branches(one: _Kept, other: _Kept) -> None:
    """Adopt the branches of the other, which wait for a person's decision."""
    known = _branches(one.disk.kept().notes)
    for name in _branches(other.kept.notes):
        kept = other.opened(name).kept()
        if kept.checkpoint is not None:
            branch = one.opened(name)
            branch.start_over(kept.checkpoint, kept.entries)
            branch.note(**{key: value for key, value in kept.notes.items() if key in _OF_BRANCHES})
            known = [*(each for each in known if each != name), name]
    if known:
        one.disk.note(branches=msgpack.packb(known))


def _branches(notes: dict[str, bytes]) -> list[str]:
    names: list[str] = msgpack.unpackb(notes.get("branches", b"\x90"))
    return names


def _remove_from_other(one: _Kept, other: _Kept, other_log: OtherLog) -> None:
    """Remove the channel from the other log, once it is on our own disk."""

    def durable() -> None:
        try:
            for name in (*_branches(other.kept.notes), MARK + one.disk.name, one.disk.name):
                other_log.open(name).forget()
            other.disk.when_durable(lambda: None)
        finally:
            other_log.close()  # if removing failed, the log is adopted once more, without effect

    one.disk.when_durable(durable)
