"""Where a replica's state stands: after which operation, in which epochs, with how much of whom."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import BEGINNING, Epoch, MalformedError, Position, retention, wire
from liven.liveobjects.channel.ordering import Run


@dataclass(slots=True)
class Account:
    """The books of one state; each operation that is applied is entered."""

    position: Position = BEGINNING
    stable: Position = BEGINNING
    epochs: tuple[Epoch, ...] = ()
    marks: dict[bytes, int] = field(default_factory=dict)
    """For each author its last operation in the state."""

    def copy(self) -> Account:
        """The books as they are now."""
        return Account(self.position, self.stable, self.epochs, dict(self.marks))

    def settled(self, stable: Position) -> Account:
        """With what is stable of it: behind a state nobody could say which hash that had, and where histories
        meet, the one with more that is stable goes on."""
        self.stable = min(stable, self.position, key=lambda place: place.number)
        return self

    def add(self, run: Run, epoch: Epoch | None) -> None:
        """Operations were applied; `epoch` is the one that numbered them, unless it is a main of old."""
        if epoch is not None and epoch not in self.epochs:
            self.epochs = retention.with_epoch(self.epochs, epoch)
        identity = BEGINNING.epoch if epoch is None else epoch.identity
        self.position = Position(identity, run.last, run.chains[-1])
        retention.mark(self.marks, run.author, run.first + len(run.payloads) - 1)


@dataclass(frozen=True, slots=True)
class Parcel:
    """A state as it travels: one that an object said, and operations that are to be applied to it.

    Who has objects says their state; who has only a log says what is in the log."""

    state: bytes | None
    """None is the beginning of all."""
    after: list[bytes] = field(default_factory=list)

    def packed(self) -> bytes:
        """The parcel as bytes."""
        packed: bytes = msgpack.packb([self.state, self.after])
        return packed

    @classmethod
    def unpacked(cls, data: bytes) -> Parcel:
        """The parcel that these bytes are; MalformedError when they are none."""
        try:
            state, after = wire.items(msgpack.unpackb(data), "a state that came", 2)
        except (ValueError, msgpack.UnpackException) as error:
            raise MalformedError(f"not a state that came: {error}") from None
        if not (state is None or isinstance(state, bytes)):
            raise MalformedError("a state that came is no bytes")
        given = wire.items(after, "a state that came", most=1 << 24)
        payloads = [each for each in given if isinstance(each, bytes)]
        if len(payloads) != len(given):
            raise MalformedError("an operation in a state that came is no bytes")
        return cls(state, payloads)
