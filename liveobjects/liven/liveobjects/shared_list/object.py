"""The shared list: lines in an order that is the same at every replica."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from liven.liveobjects.channel.api.backpressure import why_full
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.runtime.errors import CallFailedError
from liven.runtime.fold.state_proof import Proof
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, interface, proxy, value

MOST = 100_000
LONGEST = 10_000
_DIGEST_BYTES = 16


@value
class Line:
    """One line. Its author gave it the key."""

    key: uuid.UUID
    text: str


@value
class Append:
    line: Line


@value
class Change:
    """Replace the text of a line."""

    line: Line


@value
class Drop:
    """Remove a line. A removed line stays removed."""

    key: uuid.UUID


Edit: TypeAlias = Append | Change | Drop


@interface
class Lines(Protocol):
    """The commands of a list."""

    def append(self, text: str) -> uuid.UUID:
        """Add a line at the end and return its key."""

    def change(self, key: uuid.UUID, text: str) -> None:
        """Replace the text of a line."""

    def drop(self, key: uuid.UUID) -> None:
        """Remove a line."""

    def lines(self) -> list[Line]:
        """Return all lines in order."""


@interface
class LinesClient(Protocol):
    """The events of a list."""

    def listed(self, lines: list[Line]) -> None:
        """Receive all lines after a change."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The lines at one moment."""

    lines: tuple[Line, ...]

    def checkpoint(self) -> list[Line]:
        """Return the lines as a checkpoint."""
        return [*self.lines]


class ListFold:
    """The lines alone, as the channel orders the changes.

    The digest is incremental: a change hashes only the old and the new text of one line."""

    def __init__(self) -> None:
        self.rows: dict[uuid.UUID, Line] = {}
        self._sum: int | None = 0
        """The sum of the hashes of all lines; None after all lines were replaced, until it is needed."""
        self._order: hashlib.blake2b | None = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        """The hash of the keys in order; None after a line was removed, until it is needed."""

    def initialize(self, checkpoint: list[Line] | None) -> None:
        self.rows = {line.key: line for line in checkpoint or ()}
        self._sum = self._order = None

    def receive(self, message: Edit) -> None:
        """Apply a change. Every replica ignores a change that does not apply."""
        match message:
            case Append(line) if len(self.rows) < MOST and line.key not in self.rows:
                self._put(None, line)
                if self._order is not None:
                    self._order.update(line.key.bytes)
            case Change(line) if line.key in self.rows:
                before = self.rows[line.key]
                self._put(before, replace(before, text=line.text))
            case Drop(key) if key in self.rows:
                gone = self.rows.pop(key)
                self._order = None
                if self._sum is not None:
                    self._sum -= _hash_of(gone)

    def digest(self) -> bytes:
        """Return a hash of all lines in order."""
        if self._sum is None:
            self._sum = sum(map(_hash_of, self.rows.values()))
        if self._order is None:
            keys = b"".join(key.bytes for key in self.rows)
            self._order = hashlib.blake2b(keys, digest_size=_DIGEST_BYTES)
        lines = self._sum % (1 << 8 * _DIGEST_BYTES)
        return self._order.digest() + lines.to_bytes(_DIGEST_BYTES, "big")

    def snapshot(self) -> Snapshot:
        """Return the current lines."""
        return Snapshot(tuple(self.rows.values()))

    def _put(self, before: Line | None, line: Line) -> None:
        self.rows[line.key] = line
        if self._sum is not None:
            self._sum += _hash_of(line) - (0 if before is None else _hash_of(before))


def _hash_of(line: Line) -> int:
    told = line.key.bytes + line.text.encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=_DIGEST_BYTES).digest(), "big")


@proxy(id="0C7E6D7C1C2F4E44B3B57B3C8D9A5E10", alias="liven:shared-list")
class ListObject:
    """A list of lines. A message on its channel changes one line; a checkpoint holds all lines."""

    content: Dual[Lines, LinesClient]
    channel: Dual[
        CheckpointedClient[Append | Change | Drop, list[Line]], ChannelService[Append | Change | Drop]
    ]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.state = ListFold()
        self.ready = False

    def channel_connected(self) -> None:
        proof = Proof(lambda: self.state.digest(), ListFold, lambda: self.state.snapshot())
        self.context.show_beside("channel", proof)

    def append(self, text: str) -> uuid.UUID:
        self._check(text)
        line = Line(uuid.uuid4(), text)
        self.channel.peer.send(Append(line))
        return line.key

    def change(self, key: uuid.UUID, text: str) -> None:
        self._check(text)
        self.channel.peer.send(Change(Line(key, text)))

    def drop(self, key: uuid.UUID) -> None:
        self._check("")
        self.channel.peer.send(Drop(key))

    def lines(self) -> list[Line]:
        return [*self.state.rows.values()]

    def initialize(self, checkpoint: list[Line] | None) -> None:
        self.state.initialize(checkpoint)
        self.ready = True
        self._tell()

    def receive(self, message: Edit) -> None:
        self.state.receive(message)
        self._tell()

    def checkpoint(self) -> list[Line]:
        return self.lines()

    def content_connected(self) -> None:
        self._tell()

    def channel_disconnected(self) -> None:
        self.ready = False

    def _check(self, text: str) -> None:
        if not self.ready:
            raise CallFailedError("the list is not ready yet: its channel is not connected")
        if why := why_full(self.context, "channel"):
            raise CallFailedError(why)
        if len(text) > LONGEST:
            raise CallFailedError(f"a line has at most {LONGEST:,} characters")

    def _tell(self) -> None:
        if self.context.connected("content"):
            self.content.peer.listed(self.lines())
