"""Inherited operations: those of former lives that the present life of a replica submits.

Every start of a replica is a new *life*: a random identity that authors its operations. No two starts share
one, so a log that was copied or restored from a backup repeats no identity of an operation, whatever it has
forgotten. Operations that a former life submitted keep their identity (life, number). The present life
submits them inside operations of its own with numbers below `FIRST_OWN`. Others with a copy of the log may do
the same: a history takes each inherited operation only once, and it is void when it comes again.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.history.operation import Operation
from liven.liveobjects.channel.history.position import IDENTITY_BYTES

FIRST_OWN: Final = (1 << 32) + 1
"""The first number that a life gives to operations of its own. Smaller ones are for inherited operations."""
VOID: Final = b"\xc1\x91\x03"
"""The control operation that stands in place of an operation which the history has already."""
WRAPPING_BYTES: Final = IDENTITY_BYTES + 8
"""Bytes by which an inherited operation is longer than the original."""


def wrapped(operation: Operation) -> bytes:
    """Return the payload of an inherited operation."""
    return operation.author + operation.number.to_bytes(8, "big") + operation.payload


def unwrapped(payload: bytes) -> Operation:
    """Return the original operation. Bytes that are none give one that every history has already."""
    number = int.from_bytes(payload[IDENTITY_BYTES:WRAPPING_BYTES], "big")
    if len(payload) < WRAPPING_BYTES or number >= 1 << 63:
        return Operation(bytes(IDENTITY_BYTES), 0, b"")
    return Operation(payload[:IDENTITY_BYTES], number, payload[WRAPPING_BYTES:])


def original(author: bytes, number: int, payload: bytes) -> Operation:
    """Return an operation under the identity that it got when it was submitted first."""
    return unwrapped(payload) if number < FIRST_OWN else Operation(author, number, payload)
