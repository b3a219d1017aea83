"""A state on its way from one replica to another: cut into slices by one, put together by the other.

The one that takes says how many slices it wants by now, so a long state never fills the line: operations go
between the slices.
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
"""Slices that may be on their way."""


def digest_of(state: bytes) -> bytes:
    """The hash by which a state is known."""
    return blake2b(state, digest_size=DIGEST_BYTES, person=b"liven-state").digest()


def slices_in(size: int) -> int:
    """How many slices a state has."""
    return -(-size // SLICE_BYTES)


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A parcel made ready to travel. That takes long for a long state, so it may be made by a worker."""

    parcel: Parcel
    data: bytes
    digest: bytes

    @classmethod
    def of(cls, parcel: Parcel) -> Wrapped:
        """The parcel, ready."""
        data = parcel.packed()
        return cls(parcel, data, digest_of(data))


@dataclass(slots=True)
class Giving:
    """A state that another replica gets from here."""

    asker: bytes
    serial: int
    state: bytes
    digest: bytes
    position: Position
    _sent: int = 0

    def head(self) -> Head:
        """What is said first."""
        return Head(self.asker, self.serial, self.position, len(self.state), self.digest)

    def slices(self, before: int) -> Iterator[Slice]:
        """The slices before this one that were not sent yet."""
        while self._sent < min(before, slices_in(len(self.state))):
            start = self._sent * SLICE_BYTES
            payload = self.state[start : start + SLICE_BYTES]
            yield Slice(self.asker, self.serial, self._sent, payload)
            self._sent += 1

    @property
    def over(self) -> bool:
        """Whether all was sent."""
        return self._sent >= slices_in(len(self.state))


@dataclass(slots=True)
class Taking:
    """A state that comes from another replica."""

    head: Head
    _parts: list[bytes] = field(default_factory=list)
    _asked: int = WINDOW

    @property
    def got(self) -> int:
        """How many bytes are here."""
        return min(len(self._parts) * SLICE_BYTES, self.head.size)

    @property
    def whole(self) -> bool:
        """Whether all slices are here."""
        return len(self._parts) >= slices_in(self.head.size)

    def put(self, part: Slice) -> None:
        """The next slice; MalformedError when it is not."""
        if self.whole or part.index != len(self._parts):
            raise MalformedError(f"slice {part.index} came where {len(self._parts)} is next")
        self._parts.append(part.payload)

    def wants(self) -> int | None:
        """Before which slice more may be sent, if that is to be said now."""
        if self.whole or self._asked - len(self._parts) > WINDOW // 2:
            return None
        self._asked = len(self._parts) + WINDOW
        return self._asked

    def state(self) -> bytes:
        """The whole; MalformedError when it is not what was announced."""
        state = b"".join(self._parts)
        if len(state) != self.head.size or digest_of(state) != self.head.digest:
            raise MalformedError("the state is not the one that was announced")
        return state
