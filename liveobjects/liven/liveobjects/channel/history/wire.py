"""Validation of messages and records: typed values out of decoded MessagePack.

`msgpack` returns plain lists. Each function here takes one value and returns it with its type, or raises a
MalformedError that names the field. Messages are decoded field by field, so nothing unchecked passes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from liven.liveobjects.channel.history.declarations import FOUNDING_MOST
from liven.liveobjects.channel.history.operation import Operation
from liven.liveobjects.channel.history.position import CHAIN_BYTES, IDENTITY_BYTES, Epoch, Position
from liven.liveobjects.channel.history.quorum import Session, Voter

NUMBER_MOST: Final = 2**63 - 1
SESSION_MOST: Final = 4096
"""Members of one session; a longer list is malformed."""

_T = TypeVar("_T")


class MalformedError(ValueError):
    """Bytes that are not a message or record of a channel, or that exceed a bound."""


def number(value: object, what: str, most: int = NUMBER_MOST) -> int:
    """Return a whole number from 0 to `most`."""
    if type(value) is not int or not 0 <= value <= most:
        raise MalformedError(f"{what}: expected a number from 0 to {most}, not {value!r:.40}")
    return value


def flag(value: object, what: str) -> bool:
    """Return a truth value."""
    if type(value) is not bool:
        raise MalformedError(f"{what}: expected true or false, not {value!r:.40}")
    return value


def octets(value: object, what: str, most: int) -> bytes:
    """Return bytes of at most the given length."""
    if type(value) is not bytes or len(value) > most:
        raise MalformedError(f"{what}: expected at most {most} bytes")
    return value


def identity(value: object, what: str) -> bytes:
    """Return the identity of a replica or an epoch."""
    if type(value) is not bytes or len(value) != IDENTITY_BYTES:
        raise MalformedError(f"{what}: expected an identity of {IDENTITY_BYTES} bytes")
    return value


def items(value: object, what: str, count: int | None = None, most: int = 1 << 20) -> list[object]:
    """Return a list of exactly `count` items, or of at most `most`."""
    if type(value) is not list or len(value) > most or (count is not None and len(value) != count):
        expected = f"at most {most}" if count is None else f"{count}"
        raise MalformedError(f"{what}: expected a list of {expected} items")
    return value


def each(value: object, what: str, read: Callable[[object, str], _T], most: int = 1 << 20) -> tuple[_T, ...]:
    """Return a tuple of values that are all decoded by `read`."""
    return tuple(read(item, what) for item in items(value, what, most=most))


def packed_position(position: Position) -> list[object]:
    """Return a position as plain values."""
    return [position.epoch, position.number, position.chain]


def position(value: object, what: str) -> Position:
    """Decode a position."""
    epoch, count, chain = items(value, what, 3)
    if type(chain) is not bytes or len(chain) != CHAIN_BYTES:
        raise MalformedError(f"{what}: expected a chain hash of {CHAIN_BYTES} bytes")
    return Position(identity(epoch, what), number(count, what), chain)


def packed_epoch(epoch: Epoch) -> list[object]:
    """Return an epoch as plain values."""
    return [epoch.identity, packed_position(epoch.parent), epoch.main, epoch.certain]


def epoch(value: object, what: str) -> Epoch:
    """Decode an epoch. Older logs do not say what is certain."""
    found = list(items(value, what, most=4))
    name, parent, main, certain = items(found + [None] * (4 - len(found)), what, 4)
    known = None if certain is None else number(certain, what)
    return Epoch(identity(name, what), position(parent, what), flag(main, what), known)


def packed_session(session: Session) -> list[object]:
    """Return a session as plain values."""
    return [session.serial, list(session.members), session.founding]


def session(value: object, what: str) -> Session:
    """Decode a session. No member may appear twice."""
    serial, members, founding = items(value, what, 3)
    read = each(members, what, identity, SESSION_MOST)
    if len(set(read)) != len(read):
        raise MalformedError(f"{what}: a replica is named twice in a session")
    return Session(number(serial, what), read, octets(founding, what, FOUNDING_MOST))


def voter(value: object, what: str) -> Voter:
    """Decode a voter."""
    present, formerly, carried = items(value, what, 3)
    return Voter(
        identity(present, what),
        each(formerly, what, identity, SESSION_MOST),
        each(carried, what, identity, SESSION_MOST),
    )


def packed_operation(operation: Operation) -> list[object]:
    """Return an operation as plain values."""
    return list(operation)


def operation(value: object, what: str) -> Operation:
    """Decode an operation."""
    author, count, payload = items(value, what, 3)
    if type(payload) is not bytes:
        raise MalformedError(f"{what}: an operation's payload must be bytes")
    return Operation(identity(author, what), number(count, what), payload)
