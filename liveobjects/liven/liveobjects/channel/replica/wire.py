"""The messages between the replicas of a channel outside the order, and their encoding.

| message      | content                                                      |
|--------------|--------------------------------------------------------------|
| Ask          | a newcomer asks a member for its state                       |
| Head         | position and size of the state that follows                  |
| Slice        | a part of it                                                 |
| Grant        | the number of parts that the asker grants                    |
| Declined     | the asked member declines; the newcomer asks another         |
| Digest       | the digest of a member's state at an agreed number           |
| ReplayResult | the result of a member's replay of its log                   |

All members receive all messages, so each names the member that it is for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError, Position, wire

SLICE_BYTES: Final = 32 * 1024
STATE_MOST: Final = 512 * 1024 * 1024
"""Bytes of the longest state that is accepted."""
DIGEST_BYTES: Final = 16
STATE_DIGEST_MOST: Final = 64
"""Bytes of the longest digest of an object's state."""
_SLICES_MOST: Final = STATE_MOST // SLICE_BYTES + 1
_TEXT_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to member `whom` for a state at number `least` or later."""

    whom: bytes
    asker: bytes
    serial: int
    least: int


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a transfer: the state after `position` follows."""

    asker: bytes
    serial: int
    position: Position
    size: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Slice:
    """One part of a state."""

    asker: bytes
    serial: int
    index: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Grant:
    """A grant of the parts before this number."""

    whom: bytes
    asker: bytes
    serial: int
    before: int


@dataclass(frozen=True, slots=True)
class Declined:
    """No state comes from this member."""

    asker: bytes
    serial: int
    why: str


@dataclass(frozen=True, slots=True)
class Digest:
    """The sender's state after `number` operations."""

    author: bytes
    number: int
    chain: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The result of the sender's replay, after states differed at a number."""

    author: bytes
    number: int
    outcome: int


Message: TypeAlias = Ask | Head | Slice | Grant | Declined | Digest | ReplayResult


def encode(message: Message) -> bytes:
    """Encode a message."""
    match message:
        case Ask(whom, asker, serial, least):
            fields: list[Any] = [0, whom, asker, serial, least]
        case Head(asker, serial, position, size, digest):
            fields = [1, asker, serial, wire.packed_position(position), size, digest]
        case Slice(asker, serial, index, payload):
            fields = [2, asker, serial, index, payload]
        case Grant(whom, asker, serial, before):
            fields = [3, whom, asker, serial, before]
        case Declined(asker, serial, why):
            fields = [4, asker, serial, why[:_TEXT_MOST]]
        case Digest(author, number, chain, digest):
            fields = [5, author, number, chain, digest]
        case ReplayResult(author, number, outcome):
            fields = [6, author, number, outcome]
    packed: bytes = msgpack.packb(fields)
    return packed


def decode(payload: bytes) -> Message:
    """Decode a message; raise MalformedError if it is not one."""
    try:
        fields = msgpack.unpackb(payload)
    except (ValueError, msgpack.UnpackException) as error:
        raise MalformedError(f"not a replica message: {error}") from None
    kind, *rest = wire.items(fields, "a replica message", most=8) or [None]
    if type(kind) is not int or kind not in _READERS:
        raise MalformedError(f"{kind!r:.20} is not a kind of replica message")
    count, read = _READERS[kind]
    return read(*wire.items(rest, "a replica message", count))


def _ask(whom: object, asker: object, serial: object, least: object) -> Ask:
    return Ask(
        wire.identity(whom, "the asked member"),
        wire.identity(asker, "the asker"),
        wire.number(serial, "the serial"),
        wire.number(least, "the least number"),
    )


def _head(asker: object, serial: object, position: object, size: object, digest: object) -> Head:
    return Head(
        wire.identity(asker, "the asker"),
        wire.number(serial, "the serial"),
        wire.position(position, "the position of a state"),
        wire.number(size, "the size of a state", STATE_MOST),
        wire.octets(digest, "the digest of a state", DIGEST_BYTES),
    )


def _slice(asker: object, serial: object, index: object, payload: object) -> Slice:
    return Slice(
        wire.identity(asker, "the asker"),
        wire.number(serial, "the serial"),
        wire.number(index, "the index of a slice", _SLICES_MOST),
        wire.octets(payload, "a slice", SLICE_BYTES),
    )


def _more(whom: object, asker: object, serial: object, before: object) -> Grant:
    return Grant(
        wire.identity(whom, "the asked member"),
        wire.identity(asker, "the asker"),
        wire.number(serial, "the serial"),
        wire.number(before, "the number of slices", 2 * _SLICES_MOST),
    )


def _unable(asker: object, serial: object, why: object) -> Declined:
    if type(why) is not str or len(why) > _TEXT_MOST:
        raise MalformedError("the reason for declining: expected a text")
    return Declined(wire.identity(asker, "the asker"), wire.number(serial, "the serial"), why)


def _digest(author: object, number: object, chain: object, digest: object) -> Digest:
    return Digest(
        wire.identity(author, "the author of a digest"),
        wire.number(number, "the number of a digest"),
        wire.octets(chain, "the chain hash of a digest", DIGEST_BYTES),
        wire.octets(digest, "a digest", STATE_DIGEST_MOST),
    )


def _log(author: object, number: object, outcome: object) -> ReplayResult:
    return ReplayResult(
        wire.identity(author, "the author of a log result"),
        wire.number(number, "the number of a digest"),
        wire.number(outcome, "a log result", 2),
    )


_READERS: Final[dict[int, tuple[int, Callable[..., Message]]]] = {
    0: (4, _ask),
    1: (5, _head),
    2: (4, _slice),
    3: (4, _more),
    4: (3, _unable),
    5: (4, _digest),
    6: (3, _log),
}
