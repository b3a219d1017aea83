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
    Epoch,
    MalformedError,
    Operation,
    Position,
    Session,
    chained,
    founding,
    wire,
)
from liven.liveobjects.channel.history.position import IDENTITY_BYTES
from liven.liveobjects.channel.ordering import Returned, Run
from liven.liveobjects.channel.ordering.decision import NOBODY
from liven.liveobjects.channel.replica.disk.disk_protocol import Disk
from liven.liveobjects.channel.replica.disk.journal import MARK, Journal, Lines
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition
from liven.liveobjects.channel.store.records import Kept, StoreFullError

_NONE: Final[Mapping[Any, Any]] = MappingProxyType({})
_DAMAGED_MOST: Final = 3
"""Copies of damaged data that are kept; a further one replaces the last."""
_PAYLOAD_MOST: Final = 16 * 1024 * 1024


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
    """The disk of one replica. A read-only one does not begin a new incarnation."""

    __slots__ = (
        "_anew",
        "_branches",
        "_chains",
        "_identity",
        "_later",
        "_lives",
        "_owed",
        "_places",
        "_recorded",
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
        "trouble",
    )

    def __init__(
        self,
        store: Disk | None,
        opened: Callable[[str], Disk] | None,
        *,
        reading: bool = False,
        identity: Callable[[], bytes] = new_identity,
    ) -> None:
        self._store = store
        self._branches = opened
        self.journal = Journal(None if store is None or opened is None else opened(MARK + store.name))
        self._identity = identity
        self.author = identity()
        self.found: FoundData | None = None
        self.trouble = ""
        """The reason why something of an earlier incarnation could not be read."""
        self.aside = ""
        """The name under which damaged data is kept unchanged."""
        self._places: Mapping[int, tuple[int, bytes]] = _NONE
        self._sessions: tuple[Session, tuple[Session, ...]] = (NOBODY, ())
        self._recorded: Callable[[int], object] = lambda _: None
        self._lives = self._since = self._turn = 0
        self._later: Rows[bytes] = ()
        """Operations after the state with which an incomplete log starts over."""
        self.lacks = self._well = self._anew = False
        """True if the log is incomplete, because the disk was full for a long time."""
        self._owed: tuple[dict[bytes, int], bool] | None = None
        self._stable = BEGINNING.number
        self._chains: Mapping[int, bytes] = _NONE
        if store is not None:
            self._read(store.kept())
            if not reading:
                self._begin(store)

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
        own = tuple(self._own())
        return Returned(
            state_position.position, stable, state_position.epochs, marks, *self._sessions, self._lives, own
        )

    def chain_at(self, number: int) -> bytes | None:
        """Return the chain hash after an operation of the earlier incarnation."""
        return self._chains.get(number)

    def _begin(self, store: Disk) -> None:
        if self.trouble and self._branches is not None:
            self._put_aside(store, self._branches)
        if self.found is None:
            self.author, self._lives = self._identity(), 0  # its numbers may have been used
        self.journal.last = max((number for number, _ in self._own()), default=0)
        store.note(author=self.author, lives=(self._lives + 1).to_bytes(8, "big"))

    def when_begun(
        self,
        begun: Callable[[], object],
        logged: Callable[[int], object],
        recorded: Callable[[int], object],
    ) -> None:
        """Call back when the new incarnation is on disk, so that no other one uses its numbers. Call back at
        once if nothing is stored, or if there was nothing: a new identity need not wait. Data that was found
        may not have been forced to the disk either, so it is reported as logged at the same time."""
        store, returned = self._store, self.returned
        if store is None:
            begun()
            return
        store.when_durable(begun)
        if returned is not None:
            self._when_logged(store, returned.tip.number, logged)
            self._when_recorded(store, recorded)

    def _when_logged(self, store: Disk, last: int, logged: Callable[[int], object]) -> None:
        """Call back when everything written is on disk, unless another history replaced it by then."""
        turn = self._turn
        store.when_durable(lambda: logged(last) if turn == self._turn else None)

    def _when_recorded(self, store: Disk, recorded: Callable[[int], object]) -> None:
        """Call back when the sessions are on disk, unless their founding changed by then."""
        serial, began = self.serial, founding(*self._sessions)
        store.when_durable(lambda: recorded(serial) if began == founding(*self._sessions) else None)

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
    def orphans(self) -> list[Operation]:
        """Operations of former replicas of this machine that this one must submit, in order."""
        return [each for each in self.journal.found if each.author != self.author]

    def _own(self) -> list[tuple[int, bytes]]:
        """Return own operations that are not known to be stable, in order."""
        if self.found is None:
            return []
        state_position = self.found.state_position
        stable, mark = (
            max(self._stable, state_position.stable.number),
            state_position.marks.get(self.author, 0),
        )
        rows = {each.number: each.payload for each in self.journal.found if each.author == self.author}
        rows |= {number: payload for number, (_, payload) in self._places.items()}
        known = {number: place for number, (place, _) in self._places.items()}
        return [
            (number, rows[number])
            for number in sorted(rows)
            if known.get(number, state_position.position.number if number <= mark else stable + 1) > stable
        ]

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
        if "author" in notes:
            self.author = wire.identity(notes["author"], "the author")
        if "sessions" in notes:
            stable, attempts = wire.items(msgpack.unpackb(notes["sessions"]), "sessions", 2)
            self._sessions = (
                wire.session(stable, "a session"),
                wire.each(attempts, "sessions", wire.session),
            )
        self._lives = int.from_bytes(notes.get("lives", b""), "big")
        if "stable" in notes:
            self._stable = int.from_bytes(notes["stable"], "big")

    def _read_history(self, checkpoint: bytes, entries: list[bytes]) -> None:
        state_position, parcel = unpacked_state(checkpoint)
        chain, number = state_position.position.chain, state_position.position.number
        chains, places = {number: chain}, dict[int, tuple[int, bytes]]()
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
            if run.author == self.author:
                for index, payload in enumerate(run.payloads):
                    places[run.first + index] = run.number + index, payload
        self.found = FoundData(state_position, parcel, runs)

    # The present incarnation

    @property
    def wants_checkpoint(self) -> bool:
        """True if the log is long, or if it is incomplete and can be rewritten."""
        return self._store is not None and (self._well if self.lacks else self._store.wants_checkpoint)

    def add(self, run: Run, epoch: Epoch | None, logged: Callable[[int], object]) -> None:
        """Append operations. Calls `logged` when they are on disk."""
        store = self._store
        if store is None:
            return
        packed, last = _packed_run(run, epoch, self._stable), run.last
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
        state = _packed_position(state_position, parcel)
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
        self.begin_checkpoint()
        store = self._store
        if store is not None and self._write_anew(store, packed_state(state_position, parcel)):
            self._when_logged(store, state_position.position.number, logged)

    def _write_anew(self, store: Disk, state: bytes) -> bool:
        """Rewrite the log with a state and the operations after it. Return True if the disk took it."""
        self.lacks = False
        if self._owed is not None:
            marks, apart = self._owed
            self.branch(marks, apart=apart)
        later, self._later = self._later, ()
        self._try_write(lambda: store.start_over(state, later))
        if not self.lacks:
            self._note_sessions(store)
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
            after += run.payloads
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
        self, stable: Session, attempts: tuple[Session, ...], recorded: Callable[[int], object]
    ) -> None:
        """Store the sessions. Calls `recorded` when they are on disk."""
        self._sessions, self._recorded = (stable, attempts), recorded
        if self._store is not None and not self.lacks:
            self._note_sessions(self._store)

    def _note_sessions(self, store: Disk) -> None:
        told = self._packed_sessions()
        if self._try_write(lambda: store.note(sessions=told)):
            self._when_recorded(store, self._recorded)

    def _packed_sessions(self) -> bytes:
        stable, attempts = self._sessions
        told = [wire.packed_session(stable), [wire.packed_session(each) for each in attempts]]
        packed: bytes = msgpack.packb(told)
        return packed

    def stable(self, number: int) -> None:
        """Note that everything up to `number` is stable. Stored with the next record, or when the process
        ends."""
        self._stable = number

    def leave(self) -> None:
        """Write the final notes, as the process ends."""
        store = self._store
        if store is not None and not self.lacks:
            self._try_write(lambda: store.note(stable=self._stable.to_bytes(8, "big")))

    def enter(self, rows: list[tuple[int, bytes]]) -> None:
        """Store own operations that wait for their place."""
        self.journal.enter(self.author, rows)

    def settle(self, rows: tuple[tuple[int, bytes], ...], orphans: Sequence[Operation]) -> None:
        """Reduce the journal to these own and orphaned operations. If the disk is full, missing ones are
        entered later."""
        foreign = [Lines(each.author, [(each.number, each.payload)]) for each in orphans]
        with suppress(StoreFullError):
            self.journal.replace([*foreign, Lines(self.author, rows)])
            self.journal.last = max(self.journal.last, rows[-1][0] if rows else 0)

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
        lost += max(0, run.first + len(run.payloads) - 1 - max(run.first - 1, marks.get(run.author, 0)))
    name = f"{store.name}~{chain.hex()[:8]}"
    branch = opened(name)
    branch.start_over(kept.checkpoint, kept.entries)
    branch.note(forked=msgpack.packb(marks), apart=b"1" if apart else b"")
    known = msgpack.unpackb(store.kept().notes.get("branches", b"\x90"))
    store.note(branches=msgpack.packb([*(each for each in known if each != name), name]))
    return name, lost


def packed_state(state_position: StatePosition, parcel: Parcel) -> bytes:
    """Encode a state with its position."""
    return _packed_position(state_position, parcel.packed())


def _packed_position(state_position: StatePosition, parcel: bytes) -> bytes:
    fields: list[Any] = [
        wire.packed_position(state_position.position),
        wire.packed_position(state_position.stable),
        [wire.packed_epoch(each) for each in state_position.epochs],
        state_position.marks,
        parcel,
    ]
    packed: bytes = msgpack.packb(fields)
    return packed


def unpacked_state(data: bytes) -> tuple[StatePosition, Parcel]:
    """Decode a state with its position. Raises MalformedError."""
    fields = msgpack.unpackb(data, strict_map_key=False)
    position, stable, epochs, marks, parcel = wire.items(fields, "a stored state", 5)
    if not isinstance(marks, dict) or not isinstance(parcel, bytes):
        raise MalformedError("a stored state has no position")
    state_position = StatePosition(
        wire.position(position, "its position"),
        wire.position(stable, "its stable position"),
        wire.each(epochs, "its epochs", wire.epoch),
        {wire.identity(who, "an author"): wire.number(last, "a mark") for who, last in marks.items()},
    )
    return state_position, Parcel.unpacked(parcel)


def _packed_run(run: Run, epoch: Epoch | None, stable: int) -> bytes:
    told = None if epoch is None else wire.packed_epoch(epoch)
    packed: bytes = msgpack.packb([run.number, run.author, run.first, run.payloads, told, stable])
    return packed


def unpacked_run(data: bytes, number: int, chain: bytes) -> tuple[Run, Epoch | None, int]:
    """Decode a run, its epoch, and the stable number. The run must follow the operation with this number and
    chain hash. Raises MalformedError."""
    fields = msgpack.unpackb(data)
    first_number, who, first, payloads, epoch, stable = wire.items(fields, "a stored run", 6)
    if first_number != number + 1:
        raise MalformedError(f"operation {number + 1} is not in the log")
    author = wire.identity(who, "an author")
    own = wire.number(first, "an own number")
    chains: list[bytes] = []
    given = [
        wire.octets(each, "an operation", _PAYLOAD_MOST) for each in wire.items(payloads, "a stored run")
    ]
    for index, payload in enumerate(given):
        chain = chained(chain, author, own + index, payload)
        chains.append(chain)
    known = None if epoch is None else wire.epoch(epoch, "its epoch")
    return Run(number + 1, author, own, given, chains), known, wire.number(stable, "the stable number")


def _epoch_at(epochs: tuple[Epoch, ...], number: int) -> bytes:
    for epoch in reversed(epochs):
        if epoch.parent.number < number:
            return epoch.identity
    return BEGINNING.epoch
