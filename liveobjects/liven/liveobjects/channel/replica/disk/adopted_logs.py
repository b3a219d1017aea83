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

from liven.liveobjects.channel.history import Claim, Fork, Operation, Recovery, choose, recovery
from liven.liveobjects.channel.ordering import Returned
from liven.liveobjects.channel.ordering.delivered_log import DeliveredLog
from liven.liveobjects.channel.replica.disk.disk_protocol import Disk
from liven.liveobjects.channel.replica.disk.journal import MARK, Lines
from liven.liveobjects.channel.replica.disk.persistence import Persistence, new_identity, put_aside

_MOVED = ("sessions", "stable")
_OF_BRANCHES = ("forked", "apart")
"""The fork of a branch, and a note that its state differs although it lacks no operation."""


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
    if one.has_same_identity(other) and not other_log.free:
        _take_new_identity(one)
        other_log.close()
        return ""
    goes_on = _other_wins(one, other)
    if goes_on:
        _adopt_history(one, other, free=other_log.free)
    if not other_log.free:
        other_log.close()
        return ""
    if not goes_on:
        _keep_own_history(one, other)
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

    def has_same_identity(self, other: _Kept) -> bool:
        """True if both have the same replica identity."""
        names = self.kept.notes.get("author"), other.kept.notes.get("author")
        return names[0] is not None and names[0] == names[1]

    @property
    def waiting(self) -> list[Operation]:
        """All operations that it had still to bring into the order."""
        known = {(each.author, each.number) for each in self.persistence.journal.found}
        rows = () if self.returned is None else self.returned.own
        own = [Operation(self.persistence.author, *row) for row in rows]
        return [
            *self.persistence.journal.found,
            *(each for each in own if (each.author, each.number) not in known),
        ]

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
        return self._past.holds(claim.stable if stable else claim.tip, self.persistence.chain_at)

    @property
    def _past(self) -> DeliveredLog:
        assert self.returned is not None
        return DeliveredLog(
            self.returned.tip, self.returned.stable, self.returned.epochs, self.returned.marks
        )

    @property
    def founding(self) -> bytes:
        """The founding epoch of its channel."""
        assert self.returned is not None
        sessions = (*self.returned.attempts[-1:], self.returned.stable_session)
        return sessions[0].founding

    def recovery_against(self, winner: _Kept) -> Recovery:
        """Return the treatment of this history if `winner` wins."""
        kept = winner.holds(self, stable=True) and winner.founding == self.founding
        return recovery(Fork(winner.holds(self), kept))


def _other_wins(one: _Kept, other: _Kept) -> bool:
    """True if the other history wins over our own."""
    if other.returned is None or one.returned is None:
        return other.returned is not None
    pair = one, other
    return choose([one.claim(), other.claim()], lambda a, b: pair[b].holds(pair[a])) == 1


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
    moved = _MOVED if one.returned is not None or not free else (*_MOVED, "author", "lives")
    one.disk.start_over(other.kept.checkpoint, other.kept.entries)
    one.disk.note(**{key: other.kept.notes[key] for key in moved if key in other.kept.notes})


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


def _add_to_journal(one: _Kept, operations: list[Operation]) -> None:
    """Write these operations to our journal, each once. Raises StoreFullError."""
    by_name = {(each.author, each.number): each for each in operations}
    lines = [Lines(author, [(number, each.payload)]) for (author, number), each in by_name.items()]
    one.persistence.journal.replace(lines)


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


def _take_new_identity(one: _Kept) -> None:
    """Take a new identity, because a running process has ours; it also keeps our operations."""
    found = [each for each in one.persistence.journal.found if each.author != one.persistence.author]
    one.persistence.journal.replace([Lines(each.author, [(each.number, each.payload)]) for each in found])
    one.disk.note(author=new_identity(), lives=b"")


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
