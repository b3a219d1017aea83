"""What a replica keeps on disk: the state at a position, the runs of operations after it, and who it is.

Whoever keeps nothing is a `Keeping` without a store: it answers every question with nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from os import urandom
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import (
    BEGINNING,
    Epoch,
    MalformedError,
    Position,
    Session,
    chained,
    wire,
)
from liven.liveobjects.channel.history.position import IDENTITY_BYTES
from liven.liveobjects.channel.ordering import Returned, Run
from liven.liveobjects.channel.ordering.flush import NOBODY
from liven.liveobjects.channel.replica.account import Account, Parcel
from liven.liveobjects.channel.store import ChannelStore
from liven.liveobjects.channel.store.fields import Kept

_PAYLOAD_MOST: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Found:
    """What an earlier life left."""

    account: Account
    parcel: Parcel
    runs: list[tuple[Run, Epoch | None]]


class Keeping:
    """The disk of one replica."""

    def __init__(self, store: ChannelStore | None, branches: Callable[[str], ChannelStore] | None) -> None:
        self._store = store
        self._branches = branches
        self.author = urandom(IDENTITY_BYTES)
        self.found: Found | None = None
        self.unordered: list[tuple[int, bytes]] = []
        self.trouble = ""
        """What could not be read of an earlier life."""
        self._earlier: list[tuple[int, bytes]] = []
        self._sessions: tuple[Session, tuple[Session, ...]] = (NOBODY, ())
        self._since = self._lives = 0
        self._stable = BEGINNING.number
        self._chains: dict[int, bytes] = {}
        if store is not None:
            self._read(store.kept())
            if self.found is None:
                self.author, self._lives = urandom(IDENTITY_BYTES), 0  # its numbers may have been given
            store.note(author=self.author, lives=(self._lives + 1).to_bytes(8, "big"))

    # An earlier life

    @property
    def returned(self) -> Returned | None:
        """What the ordered channel is told of it."""
        if self.found is None:
            return None
        account = self.found.account.copy()
        for run, epoch in self.found.runs:
            account.add(run, epoch)
        stable_number = min(max(self._stable, account.stable.number), account.position.number)
        chain = self._chains.get(stable_number, account.stable.chain)
        if stable_number not in self._chains:
            stable_number = account.stable.number
        stable = Position(_epoch_at(account.epochs, stable_number), stable_number, chain)
        marks = dict(account.marks)
        return Returned(account.position, stable, account.epochs, marks, *self._sessions, self._lives)

    def chain_at(self, number: int) -> bytes | None:
        """The chain hash after an operation of an earlier life."""
        return self._chains.get(number)

    def resubmit(self, mark: int) -> Iterable[bytes]:
        """Own operations of an earlier life after `mark`, once; in their order."""
        earlier, self._earlier = self._earlier, []
        return [payload for number, payload in earlier if number > mark]

    def _read(self, kept: Kept) -> None:
        self.trouble = kept.damage
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
        if "unordered" in notes:
            rows = wire.items(msgpack.unpackb(notes["unordered"]), "what waits", most=1 << 20)
            self._earlier = [_own(row) for row in rows]

    def _read_history(self, checkpoint: bytes, entries: list[bytes]) -> None:
        account, parcel = unpacked_state(checkpoint)
        chain, number = account.position.chain, account.position.number
        self._chains[number] = chain
        runs: list[tuple[Run, Epoch | None]] = []
        own: list[tuple[int, bytes]] = []
        for entry in entries:
            run, epoch, stable = unpacked_run(entry, number, chain)
            runs.append((run, epoch))
            self._chains.update(zip(range(run.number, run.last + 1), run.chains, strict=True))
            self._stable = max(self._stable, stable)
            chain, number = run.chains[-1], run.last
            if run.author == self.author:
                own += [(run.first + index, payload) for index, payload in enumerate(run.payloads)]
        self.found = Found(account, parcel, runs)
        self._earlier = own + [each for each in self._earlier if not own or each[0] > own[-1][0]]

    # This life

    @property
    def wants_checkpoint(self) -> bool:
        """Whether the log has become long."""
        return self._store is not None and self._store.wants_checkpoint

    def add(self, run: Run, epoch: Epoch | None, logged: Callable[[int], object]) -> None:
        """Keeps operations; `logged` is called when they are on the disk."""
        if self._store is None:
            return
        self._store.append([_packed_run(run, epoch, self._stable)])
        self._since += 1
        last = run.last
        self._store.when_durable(lambda: logged(last))

    def begin_checkpoint(self) -> None:
        """The state as it is now is being taken."""
        self._since = 0

    def checkpoint(self, account: Account, parcel: Parcel) -> None:
        """Keeps a state in place of all up to it."""
        if self._store is not None:
            self._store.checkpoint(packed_state(account, parcel), behind=self._since)

    def start_over(self, account: Account, parcel: Parcel) -> None:
        """Keeps another history."""
        self._since = 0
        if self._store is not None:
            self._store.start_over(packed_state(account, parcel))

    def parcel(self) -> tuple[Position, Parcel] | None:
        """The state as the log has it, for others, and where it stands."""
        if self._store is None:
            return None
        kept = self._store.kept()
        if kept.checkpoint is None or kept.damage:
            return None
        account, parcel = unpacked_state(kept.checkpoint)
        after, position = list(parcel.after), account.position
        for entry in kept.entries:
            run, epoch, _ = unpacked_run(entry, position.number, position.chain)
            account.add(run, epoch)
            position = account.position
            after += run.payloads
        return position, Parcel(parcel.state, after)

    def sessions(self, stable: Session, attempts: tuple[Session, ...]) -> None:
        """Keeps who may go on alone."""
        if self._store is not None:
            told = [wire.packed_session(stable), [wire.packed_session(each) for each in attempts]]
            self._store.note(sessions=msgpack.packb(told))

    def stable(self, number: int) -> None:
        """All up to `number` is stable; kept with what comes next, or when the process ends."""
        self._stable = number

    def leave(self, unordered: deque[tuple[int, bytes]]) -> None:
        """The process ends."""
        if self._store is not None:
            waits = msgpack.packb([list(each) for each in unordered]) if unordered else b""
            self._store.note(stable=self._stable.to_bytes(8, "big"), unordered=waits)

    def branch(self, marks: dict[bytes, int]) -> tuple[str, int] | None:
        """Keeps aside the history that is kept now; its name, and how much of it the other has not."""
        if self._store is None or self._branches is None:
            return None
        kept = self._store.kept()
        if kept.checkpoint is None:
            return None
        account, _ = unpacked_state(kept.checkpoint)
        chain, number, lost = account.position.chain, account.position.number, 0
        for entry in kept.entries:
            run, _, _ = unpacked_run(entry, number, chain)
            chain, number = run.chains[-1], run.last
            lost += max(0, run.first + len(run.payloads) - 1 - max(run.first - 1, marks.get(run.author, 0)))
        name = f"{self._store.name}~{chain.hex()[:8]}"
        branch = self._branches(name)
        branch.start_over(kept.checkpoint, kept.entries)
        branch.note(forked=msgpack.packb(marks))
        known = msgpack.unpackb(kept.notes.get("branches", b"\x90"))
        self._store.note(branches=msgpack.packb([*(each for each in known if each != name), name]))
        return name, lost


def packed_state(account: Account, parcel: Parcel) -> bytes:
    """A state and its books as bytes."""
    fields: list[Any] = [
        wire.packed_position(account.position),
        wire.packed_position(account.stable),
        [wire.packed_epoch(each) for each in account.epochs],
        account.marks,
        parcel.packed(),
    ]
    packed: bytes = msgpack.packb(fields)
    return packed


def unpacked_state(data: bytes) -> tuple[Account, Parcel]:
    """A state and its books; MalformedError."""
    fields = msgpack.unpackb(data, strict_map_key=False)
    position, stable, epochs, marks, parcel = wire.items(fields, "a kept state", 5)
    if not isinstance(marks, dict) or not isinstance(parcel, bytes):
        raise MalformedError("a kept state has no books")
    account = Account(
        wire.position(position, "its position"),
        wire.position(stable, "its stable position"),
        wire.each(epochs, "its epochs", wire.epoch),
        {wire.identity(who, "an author"): wire.number(last, "a mark") for who, last in marks.items()},
    )
    return account, Parcel.unpacked(parcel)


def _packed_run(run: Run, epoch: Epoch | None, stable: int) -> bytes:
    told = None if epoch is None else wire.packed_epoch(epoch)
    packed: bytes = msgpack.packb([run.number, run.author, run.first, run.payloads, told, stable])
    return packed


def unpacked_run(data: bytes, number: int, chain: bytes) -> tuple[Run, Epoch | None, int]:
    """A kept run, the epoch that numbered it, and what was stable; it follows an operation that had this
    number and chain hash. MalformedError."""
    fields = msgpack.unpackb(data)
    first_number, who, first, payloads, epoch, stable = wire.items(fields, "a kept run", 6)
    if first_number != number + 1:
        raise MalformedError(f"operation {number + 1} is not in the log")
    author = wire.identity(who, "an author")
    own = wire.number(first, "an own number")
    chains: list[bytes] = []
    given = [wire.octets(each, "an operation", _PAYLOAD_MOST) for each in wire.items(payloads, "a kept run")]
    for index, payload in enumerate(given):
        chain = chained(chain, author, own + index, payload)
        chains.append(chain)
    known = None if epoch is None else wire.epoch(epoch, "its epoch")
    return Run(number + 1, author, own, given, chains), known, wire.number(stable, "the stable number")


def _own(row: object) -> tuple[int, bytes]:
    ticket, payload = wire.items(row, "an operation that waits", 2)
    return wire.number(ticket, "its ticket"), wire.octets(payload, "an operation", _PAYLOAD_MOST)


def _epoch_at(epochs: tuple[Epoch, ...], number: int) -> bytes:
    for epoch in reversed(epochs):
        if epoch.parent.number < number:
            return epoch.identity
    return BEGINNING.epoch
