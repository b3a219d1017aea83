"""The disk of a replica: its state at a position, the runs of operations after it, and its identity.

A replica without a disk uses the same class without a store; every answer is then empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import urandom
from types import MappingProxyType
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.compact_rows import Rows, with_rows
from liven.liveobjects.channel.history import (
    BEGINNING,
    FIRST_OWN,
    Epoch,
    MalformedError,
    Operation,
    Position,
    Session,
    Voter,
    founding,
    wire,
)
from liven.liveobjects.channel.history.position import IDENTITY_BYTES
from liven.liveobjects.channel.history.quorum import FORMERLY_MOST
from liven.liveobjects.channel.ordering import Returned, Run
from liven.liveobjects.channel.ordering.opening.decision import NOBODY
from liven.liveobjects.channel.replica.disk.disk_protocol import Disk
from liven.liveobjects.channel.replica.disk.journal import MARK, Journal
from liven.liveobjects.channel.replica.disk.notes import (
    history_founding_in,
    numbers_in,
    packed_numbers,
    packed_sessions,
    packed_voter,
    voter_in,
)
from liven.liveobjects.channel.replica.disk.stored_history import (
    missing_in,
    packed_position,
    packed_run,
    packed_state,
    unpacked_run,
    unpacked_state,
)
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition
from liven.liveobjects.channel.store.records import Kept, StoreFullError

_NONE: Final[Mapping[Any, Any]] = MappingProxyType({})
_DAMAGED_MOST: Final = 3
"""Copies of damaged data that are kept; a further one replaces the last."""


@dataclass(frozen=True, slots=True)
class FoundData:
    """Data of an earlier incarnation."""

    state_position: StatePosition
    parcel: Parcel
    runs: list[tuple[Run, Epoch | None]]


def new_identity() -> bytes:
    """Return a new identity."""
    return urandom(IDENTITY_BYTES)


class Persistence:
    """The disk of one replica. A read-only one does not begin a new incarnation. A replica that lacks a store
    is a reader; one that needs none, as in tests, votes."""

    __slots__ = (
        "_anew",
        "_branches",
        "_chains",
        "_founded",
        "_history_founding",
        "_identity",
        "_lacks_store",
        "_later",
        "_left",
        "_owed",
        "_place",
        "_places",
        "_recorded",
        "_replaced",
        "_sessions",
        "_since",
        "_stable",
        "_store",
        "_turn",
        "_well",
        "aside",
        "author",
        "found",
        "journal",
        "lacks",
        "lives",
        "members",
        "trouble",
        "voter",
        "when_branched",
        "when_changed",
    )

    def __init__(
        self,
        store: Disk | None,
        opened: Callable[[str], Disk] | None,
        *,
        reading: bool = False,
        lacks_store: bool = False,
        identity: Callable[[], bytes] = new_identity,
    ) -> None:
        self._store = store
        self._lacks_store = lacks_store
        self._branches = opened
        self.journal = Journal(None if store is None or opened is None else opened(MARK + store.name))
        self._identity = identity
        self.author = identity()
        """The life that begins now. No other one, here or on a copy of this disk, ever has its identity."""
        self.lives: tuple[bytes, ...] = (self.author,)
        """This life, and former ones that left operations."""
        self._left: Mapping[bytes, int] = _NONE
        """The last number that the previous life inherited of each life before it. Later operations of those
        are not ours: another replica submitted them, on the original or another copy of this disk."""
        self.voter = Voter(self.author)
        """The member of the channel's sessions that this replica is."""
        self._place = b""
        self.found: FoundData | None = None
        self.trouble = ""
        """The reason why something of an earlier incarnation could not be read."""
        self.aside = ""
        """The name under which damaged data is kept unchanged."""
        self._places: Mapping[tuple[bytes, int], tuple[int, bytes]] = _NONE
        """The place and the payload of each operation in the log that a life of this replica submitted."""
        self._sessions: tuple[Session, tuple[Session, ...]] = (NOBODY, ())
        self._founded = b""
        """The founding of the sessions on disk."""
        self._history_founding: bytes | None = None
        """The founding of the history on disk, if that is not the one of the sessions."""
        self._recorded: Callable[[int], object] = lambda _: None
        self._since = self._turn = 0
        self._later: Rows[bytes] = ()
        """Operations after the state with which an incomplete log starts over."""
        self.lacks = self._well = self._anew = False
        """True if the log is incomplete, because the disk was full for a long time."""
        self._replaced = False
        """True if another history replaces the one on disk as soon as there is room."""
        self.when_changed: Callable[[], object] = lambda: None
        """Called when `stores` may have changed."""
        self._owed: tuple[dict[bytes, int], bool] | None = None
        self.when_branched: Callable[[str], object] = lambda _: None
        """Called with the name of a branch that a full disk did not take at first."""
        self.members = b""
        """The known members as they were stored last."""
        self._stable = BEGINNING.number
        self._chains: Mapping[int, bytes] = _NONE
        if store is not None:
            self._read(store.kept())
            if not reading:
                self._begin(store)
                store.watch(self._disk_changed)

    # The earlier incarnation

    @property
    def returned(self) -> Returned | None:
        """The data of the earlier incarnation that the ordered channel needs."""
        if self.found is None:
            return None
        state_position = self.found.state_position.copy()
        for run, epoch in self.found.runs:
            state_position.add(run, epoch)
        stable_number = min(max(self._stable, state_position.stable.number), state_position.position.number)
        chain = self._chains.get(stable_number, state_position.stable.chain)
        if stable_number not in self._chains:
            stable_number = state_position.stable.number
        stable = Position(_epoch_at(state_position.epochs, stable_number), stable_number, chain)
        marks = dict(state_position.marks)
        tip, epochs = state_position.position, state_position.epochs
        return Returned(tip, stable, epochs, marks, *self._sessions, self._history_founding)

    @property
    def found_marks(self) -> dict[bytes, int]:
        """The number of each author's last operation in the history of the earlier incarnation."""
        returned = self.returned
        return {} if returned is None else returned.marks

    def chain_at(self, number: int) -> bytes | None:
        """Return the chain hash after an operation of the earlier incarnation."""
        return self._chains.get(number)

    def _begin(self, store: Disk) -> None:
        if self.trouble and self._branches is not None:
            self._put_aside(store, self._branches)
        if self.found is None or self._place != store.place:
            self.voter = self._another_voter()
        inherited = self.inherited
        entered = {(each.author, each.number) for each in self.journal.found}
        if all((each.author, each.number) in entered for each in inherited):
            self.journal.last = FIRST_OWN - 1
        left = {each.author: each.number for each in inherited}
        lives = {each: left[each] for each in self.lives if each in left}
        self.lives = (*lives, self.author)
        told = {"lives": b"".join(self.lives), "left": packed_numbers(lives)}
        store.note(**told, place=store.place, heir=b"", **packed_voter(self.voter))

    def found_is_durable(self, logged: Callable[[int], object], recorded: Callable[[int], object]) -> None:
        """Report the data that was found as logged when it is on disk: the earlier incarnation may not have
        forced it."""
        store, returned = self._store, self.returned
        if store is not None and returned is not None:
            self._when_logged(store, returned.tip.number, logged)
            self._when_recorded(store, recorded)

    def _another_voter(self) -> Voter:
        """Return a new identity in the sessions, for a replica that may have forgotten what it agreed to."""
        if self.voter.identity == self.author:
            return Voter(self._identity())  # nothing was stored
        known = {each for session in (self._sessions[0], *self._sessions[1]) for each in session.members}
        former = self.voter.identities
        if self.voter.identity not in known:
            former += self.voter.formerly
        return Voter(self._identity(), tuple(dict.fromkeys(former))[:FORMERLY_MOST])

    def become_another_voter(self) -> None:
        """Take a new identity in the sessions: another replica runs with a copy of this log."""
        self.voter = self._another_voter()
        if self._store is not None and not self.lacks:
            told = packed_voter(self.voter)
            self._try_write(lambda: None if self._store is None else self._store.note(**told))

    def _when_logged(self, store: Disk, last: int, logged: Callable[[int], object]) -> None:
        """Call back when everything written is on disk, unless another history replaced it by then."""
        turn = self._turn
        store.when_durable(lambda: logged(last) if turn == self._turn else None)

    def _when_recorded(self, store: Disk, recorded: Callable[[int], object]) -> None:
        """Call back when the sessions are on disk, unless their founding changed by then."""
        store.when_durable(self._told_recorded(recorded))

    def _told_recorded(self, recorded: Callable[[int], object]) -> Callable[[], object]:
        serial, began = self.serial, founding(*self._sessions)
        return lambda: recorded(serial) if began == founding(*self._sessions) else None

    def _put_aside(self, store: Disk, opened: Callable[[str], Disk]) -> None:
        """Copy damaged data before anything replaces it, and continue with the readable part."""
        kept = store.kept()
        names = [f"{store.name}~damaged{number}" for number in range(1, _DAMAGED_MOST + 1)]
        self.aside = next((name for name in names if opened(name).kept().empty), names[-1])
        aside = opened(self.aside)
        aside.start_over(kept.checkpoint or b"", kept.entries)
        aside.note(why=self.trouble.encode(), **kept.notes)
        if self.found is not None and kept.checkpoint is not None:
            store.start_over(kept.checkpoint, kept.entries[: len(self.found.runs)])

    @property
    def inherited(self) -> list[Operation]:
        """Operations of former lives, and of other replicas of this machine that are gone, that are not known
        to be stable. Each author's are in order."""
        kept = {(each.author, each.number): each for each in self.journal.found}
        kept |= {key: Operation(*key, payload) for key, (_, payload) in self._places.items()}
        authors = dict.fromkeys([each.author for each in self.journal.found if each.author not in self.lives])
        order = {author: turn for turn, author in enumerate((*authors, *self.lives))}
        found = sorted(kept.values(), key=lambda each: (order.get(each.author, 0), each.number))
        if self.found is None:
            return found
        state_position = self.found.state_position
        stable = max(self._stable, state_position.stable.number)
        marks, last = state_position.marks, state_position.position.number

        def place(each: Operation) -> int:
            placed = last if each.number <= marks.get(each.author, 0) else stable + 1
            return self._places.get((each.author, each.number), (placed, b""))[0]

        return [each for each in found if place(each) > stable]

    def _read(self, kept: Kept) -> None:
        self.trouble = kept.damage or self.journal.trouble
        try:
            self._read_notes(kept.notes)
            if kept.checkpoint is not None:
                self._read_history(kept.checkpoint, kept.entries)
        except (MalformedError, ValueError, msgpack.UnpackException) as error:
            self.trouble = str(error)
            self.found = None

    def _read_notes(self, notes: dict[str, bytes]) -> None:
        self.members = notes.get("members", b"")
        lives = notes.get("lives", b"")
        if lives:
            former = range(0, len(lives), IDENTITY_BYTES)
            self.lives = tuple(wire.identity(lives[at : at + IDENTITY_BYTES], "a life") for at in former)
            self._left = numbers_in(notes.get("left", b""))
        self.voter = voter_in(notes) or self.voter
        # the votes of a log that has an heir are not ours, even if this is its folder
        self._place = b"" if notes.get("heir") else notes.get("place", b"")
        if "sessions" in notes:
            stable, attempts = wire.items(msgpack.unpackb(notes["sessions"]), "sessions", 2)
            self._sessions = (
                wire.session(stable, "a session"),
                wire.each(attempts, "sessions", wire.session),
            )
            self._founded = founding(*self._sessions)
            self._history_founding = history_founding_in(notes)
        if "stable" in notes:
            self._stable = int.from_bytes(notes["stable"], "big")

    def _read_history(self, checkpoint: bytes, entries: list[bytes]) -> None:
        state_position, parcel = unpacked_state(checkpoint)
        chain, number = state_position.position.chain, state_position.position.number
        chains, places = {number: chain}, dict[tuple[bytes, int], tuple[int, bytes]]()
        self._chains, self._places = chains, places
        runs: list[tuple[Run, Epoch | None]] = []
        for entry in entries:
            try:
                run, epoch, stable = unpacked_run(entry, number, chain)
            except (MalformedError, ValueError, msgpack.UnpackException) as error:
                self.trouble = f"the data after operation {number}: {error}"
                break
            runs.append((run, epoch))
            chains.update(zip(range(run.number, run.last + 1), run.chains, strict=True))
            self._stable = max(self._stable, stable)
            chain, number = run.chains[-1], run.last
            if run.author in self.lives or run.first < FIRST_OWN:
                for place, each in enumerate(run.originals(), run.number):
                    if each.author in self.lives and each.number <= self._left.get(each.author, each.number):
                        places.setdefault((each.author, each.number), (place, each.payload))
        self.found = FoundData(state_position, parcel, runs)

    # The present incarnation

    @property
    def stores(self) -> bool:
        """False while the disk takes no data, or the log lacks something because it took none."""
        if self._store is None:
            return not self._lacks_store
        return not (self.lacks or self._store.is_failing)

    def _disk_changed(self) -> None:
        store = self._store
        if store is None:
            return
        if store.is_failing:
            self._note_sessions(store)  # they may be among what the disk refused
        else:
            self._replaced = False
            self._well = True
            store.when_durable(lambda: self.when_changed())
        self.when_changed()

    @property
    def wants_checkpoint(self) -> bool:
        """True if the log is long, or if it is incomplete and can be rewritten."""
        return self._store is not None and (self._well if self.lacks else self._store.wants_checkpoint)

    def add(self, run: Run, epoch: Epoch | None, logged: Callable[[int], object]) -> None:
        """Append operations. Calls `logged` when they are on disk."""
        store = self._store
        if store is None:
            return
        packed, last = packed_run(run, epoch, self._stable), run.last
        self._since += 1
        if self.lacks:
            self._later = with_rows(self._later, [packed] if self._anew else [])
        elif self._try_write(lambda: store.append([packed])):
            self._when_logged(store, last, logged)

    def begin_checkpoint(self) -> None:
        """Note that a checkpoint of the present state is being taken."""
        self._since, self._anew = 0, self.lacks
        self._later = ()

    def checkpoint(
        self, state_position: StatePosition, parcel: bytes, logged: Callable[[int], object]
    ) -> None:
        """Replace everything up to `account` with a state, given as a packed parcel."""
        store = self._store
        if store is None:
            return
        state = packed_position(state_position, parcel)
        if not self.lacks:
            self._try_write(lambda: store.checkpoint(state, behind=self._since))
        elif self._anew:
            last = state_position.position.number + sum(len(msgpack.unpackb(each)[3]) for each in self._later)
            if self._write_anew(store, state):
                self._when_logged(store, last, logged)

    def start_over(
        self, state_position: StatePosition, parcel: Parcel, logged: Callable[[int], object]
    ) -> None:
        """Store another history. Calls `logged` when its state is on disk, and no longer for the previous
        history."""
        self._turn += 1
        self._history_founding = None
        self.begin_checkpoint()
        store = self._store
        self._replaced = store is not None and (self._replaced or store.is_failing)
        self._stable = state_position.stable.number
        if store is not None and self._write_anew(store, packed_state(state_position, parcel)):
            self._note_stable()
            self._when_logged(store, state_position.position.number, logged)

    def _write_anew(self, store: Disk, state: bytes) -> bool:
        """Rewrite the log with a state and the operations after it. Return True if the disk took it."""
        self.lacks = False
        if self._owed is not None:
            marks, apart = self._owed
            stored = self.branch(marks, apart=apart)
            if stored is not None:
                self.when_branched(stored[0])
        later, self._later = self._later, ()
        self._try_write(lambda: store.start_over(state, later))
        if not self.lacks:
            self._note_sessions(store)
            store.when_durable(lambda: self.when_changed())
        return not self.lacks

    def _try_write(self, write: Callable[[], object]) -> bool:
        """Write to the disk and return True if it took the data. If the disk is full and too much waits for
        it, the log becomes incomplete, and is rewritten when the disk has room."""
        try:
            write()
        except StoreFullError:
            self.lacks, self._well = True, False
            assert self._store is not None
            self._store.when_durable(self._disk_recovered)
            return False
        return True

    def _disk_recovered(self) -> None:
        self._well = True
        self.when_changed()

    def parcel(self) -> tuple[Position, Parcel] | None:
        """Return the state in the log and its position, for other members."""
        if self._store is None:
            return None
        kept = self._store.kept()
        if kept.checkpoint is None or kept.damage:
            return None
        state_position, parcel = unpacked_state(kept.checkpoint)
        after, position = list(parcel.after), state_position.position
        for entry in kept.entries:
            run, epoch, _ = unpacked_run(entry, position.number, position.chain)
            state_position.add(run, epoch)
            position = state_position.position
            after += run.taken
        return position, Parcel(parcel.state, after)

    @property
    def on_disk(self) -> bool:
        """True if there is a store."""
        return self._store is not None

    @property
    def serial(self) -> int:
        """The serial of the latest session."""
        stable, attempts = self._sessions
        return max((each.serial for each in attempts), default=stable.serial)

    def sessions(
        self,
        stable: Session,
        attempts: tuple[Session, ...],
        recorded: Callable[[int], object],
        history_founding: bytes | None = None,
    ) -> None:
        """Store the sessions, and the founding of the history on disk if that is not theirs. Calls `recorded`
        when they are on disk."""
        self._sessions, self._recorded = (stable, attempts), recorded
        self._history_founding = history_founding
        if self._store is not None:
            self._note_sessions(self._store)

    def _note_sessions(self, store: Disk) -> None:
        told = packed_sessions(*self._sessions, self._history_founding)
        founded = founding(*self._sessions)
        if store.is_failing and (founded == self._founded or not self._replaced):
            done = self._told_recorded(self._recorded)
            self._try_write(lambda: store.note_at_once(done, **told))
        elif not (store.is_failing and self.lacks) and self._try_write(lambda: store.note(**told)):
            self._when_recorded(store, self._recorded)
            if not store.is_failing:
                self._founded = founded

    def note_members(self, packed: bytes) -> None:
        """Store the known members, unless the disk is full: they are only names."""
        if self._store is not None and packed != self.members and self.stores:
            self.members = packed
            with suppress(StoreFullError):
                self._store.note(members=packed)

    def stable(self, number: int) -> None:
        """Note that everything up to `number` is stable. Stored with the next record, or when the process
        ends."""
        self._stable = number

    def leave(self) -> None:
        """Write the final notes, as the process ends."""
        self._note_stable()

    def _note_stable(self) -> None:
        store = self._store
        if store is not None and not self.lacks:
            self._try_write(lambda: store.note(stable=self._stable.to_bytes(8, "big")))

    def settle(self, own: Sequence[Operation], last: int) -> None:
        """Reduce the journal to these operations, which are all up to the own number `last`. If the disk is
        full, missing ones are entered later. The disk must know before that the others are stable: if their
        history loses after a restart, they are in no branch otherwise, and nobody submits them again."""
        if not self.journal.is_empty:
            self._note_stable()
        with suppress(StoreFullError):
            self.journal.replace(own)
            self.journal.last = last

    def release(self) -> None:
        """Free the data that was found at the start."""
        self.found = None
        self._places = _NONE
        self.journal.found.clear()

    def branch(self, marks: dict[bytes, int], *, apart: bool = False) -> tuple[str, int] | None:
        """Store the present history as a branch. Return its name and the number of operations that the winner
        lacks. `apart` means that its state differs although its operations do not."""
        if self._store is None or self._branches is None:
            return None
        self._owed = None
        try:
            return put_aside(self._store.kept(), marks, self._store, self._branches, apart=apart)
        except StoreFullError:
            self._owed = marks, apart  # while the disk is full, nothing can replace it either
            return None


def put_aside(
    kept: Kept,
    marks: dict[bytes, int],
    store: Disk,
    opened: Callable[[str], Disk],
    *,
    apart: bool = False,
) -> tuple[str, int] | None:
    """Store a history as a branch of the channel of `store`. Return its name and the number of operations
    that a history with these marks lacks."""
    if kept.checkpoint is None:
        return None
    state_position, _ = unpacked_state(kept.checkpoint)
    chain, number, lost = state_position.position.chain, state_position.position.number, 0
    for entry in kept.entries:
        run, _, _ = unpacked_run(entry, number, chain)
        chain, number = run.chains[-1], run.last
        lost += len(missing_in(run, marks))
    name = f"{store.name}~{chain.hex()[:8]}"
    branch = opened(name)
    branch.start_over(kept.checkpoint, kept.entries)
    branch.note(forked=msgpack.packb(marks), apart=b"1" if apart else b"")
    known = msgpack.unpackb(store.kept().notes.get("branches", b"\x90"))
    store.note(branches=msgpack.packb([*(each for each in known if each != name), name]))
    return name, lost


def _epoch_at(epochs: tuple[Epoch, ...], number: int) -> bytes:
    for epoch in reversed(epochs):
        if epoch.after < number:
            return epoch.identity
    return BEGINNING.epoch
