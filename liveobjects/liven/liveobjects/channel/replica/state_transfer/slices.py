"""Slices of a state: cut by the donor, reassembled by the receiver.

The receiver grants slices in a window, so a long state never fills the line and operations pass between the
slices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from liven.liveobjects.channel.history import MalformedError, Position
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.wire import DIGEST_BYTES, SLICE_BYTES, Head, Slice

WINDOW: Final = 16
"""Slices that may be in transit."""


def digest_of(state: bytes) -> bytes:
    """Return the digest that identifies a state."""
    return blake2b(state, digest_size=DIGEST_BYTES, person=b"liven-state").digest()


def slices_in(size: int) -> int:
    """Return the number of slices of a state."""
    return -(-size // SLICE_BYTES)


@dataclass(frozen=True, slots=True)
class EncodedState:
    """A parcel ready to send. Encoding a long state takes time, so a worker may do it."""

    parcel: Parcel
    data: bytes
    digest: bytes

    @classmethod
    def of(cls, parcel: Parcel) -> EncodedState:
        """Encode a parcel."""
        data = parcel.packed()
        return cls(parcel, data, digest_of(data))


@dataclass(slots=True)
class OutgoingState:
    """A state that is being sent to another replica."""

    asker: bytes
    serial: int
    state: bytes
    digest: bytes
    position: Position
    _sent: int = 0

    def head(self) -> Head:
        """Return the first message."""
        return Head(self.asker, self.serial, self.position, len(self.state), self.digest)

    def slices(self, before: int) -> Iterator[Slice]:
        """Return the unsent slices before number `before`."""
        while self._sent < min(before, slices_in(len(self.state))):
            start = self._sent * SLICE_BYTES
            payload = self.state[start : start + SLICE_BYTES]
            yield Slice(self.asker, self.serial, self._sent, payload)
            self._sent += 1

    @property
    def over(self) -> bool:
        """True if everything was sent."""
        return self._sent >= slices_in(len(self.state))


@dataclass(slots=True)
class IncomingState:
    """A state that is being received from another replica."""

    head: Head
    _parts: list[bytes] = field(default_factory=list)
    _asked: int = WINDOW

    @property
    def got(self) -> int:
        """Number of bytes received."""
        return min(len(self._parts) * SLICE_BYTES, self.head.size)

    @property
    def whole(self) -> bool:
        """True if all slices have arrived."""
        return len(self._parts) >= slices_in(self.head.size)

    def put(self, part: Slice) -> None:
        """Add the next slice. Raises MalformedError if it is another one."""
        if self.whole or part.index != len(self._parts):
            raise MalformedError(f"slice {part.index} arrived instead of {len(self._parts)}")
        self._parts.append(part.payload)

    def wants(self) -> int | None:
        """Return the number before which slices are granted, if a new grant is due."""
        if self.whole or self._asked - len(self._parts) > WINDOW // 2:
            return None
        self._asked = len(self._parts) + WINDOW
        return self._asked

    def state(self) -> bytes:
        """Return the whole state. Raises MalformedError if its size or digest is wrong."""
        state = b"".join(self._parts)
        if len(state) != self.head.size or digest_of(state) != self.head.digest:
            raise MalformedError("the state differs from the announced one")
        return state
