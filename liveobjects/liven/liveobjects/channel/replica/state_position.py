"""The position of a replica's state: its last operation, its epochs, and each author's last number."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import BEGINNING, Epoch, MalformedError, Position, retention, wire
from liven.liveobjects.channel.ordering import Run


@dataclass(slots=True)
class StatePosition:
    """The position of one state, updated with each operation applied."""

    position: Position = BEGINNING
    stable: Position = BEGINNING
    epochs: tuple[Epoch, ...] = ()
    marks: dict[bytes, int] = field(default_factory=dict)
    """Each author's last operation in the state."""

    def copy(self) -> StatePosition:
        """Return a copy."""
        return StatePosition(self.position, self.stable, self.epochs, dict(self.marks))

    def settled(self, stable: Position) -> StatePosition:
        """Add the stable part. Its hash could not be found later, and histories with more stable operations
        win."""
        self.stable = min(stable, self.position, key=lambda place: place.number)
        return self

    def add(self, run: Run, epoch: Epoch | None) -> None:
        """Add applied operations. `epoch` is the one that numbered them, or None for a main epoch of the
        past."""
        if epoch is not None and epoch not in self.epochs:
            self.epochs = retention.with_epoch(self.epochs, epoch)
        identity = BEGINNING.epoch if epoch is None else epoch.identity
        self.position = Position(identity, run.last, run.chains[-1])
        retention.take(self.marks, run.author, run.first, run.payloads)


@dataclass(frozen=True, slots=True)
class Parcel:
    """A state as it is transferred: the state that an object returned, and operations to apply to it.

    A member with objects sends their state; one without sends the content of its log.
    """

    state: bytes | None
    """The state; None is the empty state."""
    after: list[bytes] = field(default_factory=list)

    def packed(self) -> bytes:
        """Encode the parcel."""
        packed: bytes = msgpack.packb([self.state, self.after])
        return packed

    @classmethod
    def unpacked(cls, data: bytes) -> Parcel:
        """Decode a parcel. Raises MalformedError."""
        try:
            state, after = wire.items(msgpack.unpackb(data), "a received state", 2)
        except (ValueError, msgpack.UnpackException) as error:
            raise MalformedError(f"not a state: {error}") from None
        if not (state is None or isinstance(state, bytes)):
            raise MalformedError("a received state is not bytes")
        given = wire.items(after, "a received state", most=1 << 24)
        payloads = [each for each in given if isinstance(each, bytes)]
        if len(payloads) != len(given):
            raise MalformedError("an operation in a received state is not bytes")
        return cls(state, payloads)
