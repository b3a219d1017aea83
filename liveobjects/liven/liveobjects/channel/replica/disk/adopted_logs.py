"""Bringing together what several processes of one user kept of a channel.

Whoever opens a channel finds what earlier processes left of it, in whichever folder that is. Of several
histories the one goes on that would if they met in a group. What was submitted and is not stable is brought
in. A process that runs keeps its name and what it has to bring in; only its history is looked at.

| what the other is | its history                     | its name         | what it has to bring in |
|-------------------|---------------------------------|------------------|-------------------------|
| one that ended    | the better one goes on here     | if we have none  | is brought in here      |
| one that runs     | if it is ours and more          | never            | is its own affair       |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import Claim, Fork, Operation, Recovery, choose, recovery
from liven.liveobjects.channel.ordering import Returned
from liven.liveobjects.channel.ordering.delivered_log import Past
from liven.liveobjects.channel.replica.disk.disk_protocol import Disk
from liven.liveobjects.channel.replica.disk.journal import MARK, Lines
from liven.liveobjects.channel.replica.disk.persistence import Keeping, new_identity, put_aside

_MOVED = ("sessions", "stable")
_OF_BRANCHES = ("forked", "apart")
"""Where a branch begins, and whether it has another state though it lacks no operation."""


class Legacy(Protocol):
    """The log of another process."""

    @property
    def free(self) -> bool:
        """Whether that process has ended."""

    def open(self, name: str) -> Disk:
        """What it has of one channel."""

    def close(self) -> None:
        """Lets go of it."""


def inherit(store: Disk, opened: Callable[[str], Disk], legacy: Legacy) -> str:
    """Takes over what another process has of a channel; lets go of its log once that is on our disk. What is
    wrong with the other's, if anything is: it is left as it is then. StoreFullError when our disk does not
    take it: the other has it still, and its log is not let go of."""
    one, other = _Kept(store, opened), _Kept(legacy.open(store.name), legacy.open)
    if other.keeping.trouble or one.keeping.trouble:
        legacy.close()
        return other.keeping.trouble
    if one.has_name_of(other) and not legacy.free:
        _take_another_name(one)
        legacy.close()
        return ""
    goes_on = _goes_on(one, other)
    if goes_on:
        _take_history(one, other, free=legacy.free)
    if not legacy.free:
        legacy.close()
        return ""
    if not goes_on:
        _leave_history(one, other)
    _take_branches(one, other)
    _give_up(one, other, legacy)
    return ""


class _Kept:
    """What is kept of a channel in one place."""

    def __init__(self, disk: Disk, opened: Callable[[str], Disk]) -> None:
        self.disk = disk
        self.opened = opened
        self.keeping = Keeping(disk, opened, reading=True)
        self.kept = disk.kept()
        self.returned: Returned | None = self.keeping.returned

    def has_name_of(self, other: _Kept) -> bool:
        """Whether both are one replica."""
        names = self.kept.notes.get("author"), other.kept.notes.get("author")
        return names[0] is not None and names[0] == names[1]

    @property
    def waiting(self) -> list[Operation]:
        """All that it was to bring in."""
        known = {(each.author, each.number) for each in self.keeping.journal.found}
        rows = () if self.returned is None else self.returned.own
        own = [Operation(self.keeping.author, *row) for row in rows]
        return [
            *self.keeping.journal.found,
            *(each for each in own if (each.author, each.number) not in known),
        ]

    @property
    def unplaced(self) -> list[Operation]:
        """Those of them that have no place in its history."""
        marks = {} if self.returned is None else self.returned.marks
        return [each for each in self.waiting if marks.get(each.author, 0) < each.number]

    def claim(self) -> Claim:
        """What its history is worth."""
        assert self.returned is not None
        return self._past.claim

    def holds(self, other: _Kept, *, stable: bool = False) -> bool:
        """Whether the history of another is part of this, or what is stable of it."""
        claim = other.claim()
        return self._past.holds(claim.stable if stable else claim.tip, self.keeping.chain_at)

    @property
    def _past(self) -> Past:
        assert self.returned is not None
        return Past(self.returned.tip, self.returned.stable, self.returned.epochs, self.returned.marks)

    @property
    def founding(self) -> bytes:
        """Where its channel began."""
        assert self.returned is not None
        sessions = (*self.returned.attempts[-1:], self.returned.stable_session)
        return sessions[0].founding

    def lose_to(self, winner: _Kept) -> Recovery:
        """What becomes of this history when that goes on."""
        kept = winner.holds(self, stable=True) and winner.founding == self.founding
        return recovery(Fork(winner.holds(self), kept))


def _goes_on(one: _Kept, other: _Kept) -> bool:
    """Whether the history of the other goes on, and not our own."""
    if other.returned is None or one.returned is None:
        return other.returned is not None
    pair = one, other
    return choose([one.claim(), other.claim()], lambda a, b: pair[b].holds(pair[a])) == 1


def _take_history(one: _Kept, other: _Kept, *, free: bool) -> None:
    """Another's history goes on here. Who has none of its own, and takes that of a process that ended, is
    that replica from now on."""
    assert other.returned is not None
    assert other.kept.checkpoint is not None
    fate = Recovery.NOTHING if one.returned is None else one.lose_to(other)
    if fate is not Recovery.NOTHING and not free:
        return  # whoever runs goes on with what it has, and so do we; they meet in the group
    if fate is Recovery.BRANCH:
        put_aside(one.kept, other.returned.marks, one.disk, one.opened)
    ours = one.unplaced if fate is Recovery.BRANCH else one.waiting
    _bring_in(one, [*ours, *(other.waiting if free else ())])
    moved = _MOVED if one.returned is not None or not free else (*_MOVED, "author", "lives")
    one.disk.start_over(other.kept.checkpoint, other.kept.entries)
    one.disk.note(**{key: other.kept.notes[key] for key in moved if key in other.kept.notes})


def _leave_history(one: _Kept, other: _Kept) -> None:
    """Our own history goes on; what the other had and this has not is kept aside, or brought in."""
    theirs = other.waiting
    if one.returned is not None and other.returned is not None and other.lose_to(one) is Recovery.BRANCH:
        put_aside(other.kept, one.returned.marks, one.disk, one.opened)
        theirs = other.unplaced
    _bring_in(one, [*one.waiting, *theirs])


def _bring_in(one: _Kept, operations: list[Operation]) -> None:
    """Has these in our journal, each once; StoreFullError."""
    by_name = {(each.author, each.number): each for each in operations}
    lines = [Lines(author, [(number, each.payload)]) for (author, number), each in by_name.items()]
    one.keeping.journal.replace(lines)


def _take_branches(one: _Kept, other: _Kept) -> None:
    """Histories that the other put aside wait here for a person's decision."""
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


def _take_another_name(one: _Kept) -> None:
    """A process that runs has our name: it has what we submitted, too."""
    found = [each for each in one.keeping.journal.found if each.author != one.keeping.author]
    one.keeping.journal.replace([Lines(each.author, [(each.number, each.payload)]) for each in found])
    one.disk.note(author=new_identity(), lives=b"")


def _give_up(one: _Kept, other: _Kept, legacy: Legacy) -> None:
    """The other's log has it no longer, once it is on our own disk."""

    def durable() -> None:
        try:
            for name in (*_branches(other.kept.notes), MARK + one.disk.name, one.disk.name):
                legacy.open(name).forget()
            other.disk.when_durable(lambda: None)
        finally:
            legacy.close()  # where it could not be forgotten, it is taken over once more, to no effect

    one.disk.when_durable(durable)
