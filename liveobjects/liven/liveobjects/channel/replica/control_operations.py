"""Control operations: operations of the channel itself. They are ordered like all others, but objects never
see them.

| operation | meaning                                                                |
|-----------|------------------------------------------------------------------------|
| Mark      | members compare their states at this place                             |
| Claims    | the author is about to merge a branch; only the first claim does so    |
| Settles   | the whole branch is in the order now, and nobody needs to keep it      |
| Nothing   | in place of an operation that the history had already, and where an    |
|           | epoch must begin at once                                               |

They begin with a byte that begins no MessagePack value, and so no operation of an object.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError, wire
from liven.liveobjects.channel.ordering import ChannelBusyError, Installed, OrderedChannel, Run

SIGN: Final = b"\xc1"
"""The only byte that MessagePack never uses: https://github.com/msgpack/msgpack/blob/master/spec.md#formats"""
_NAME_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Mark:
    """Members compare their states here."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The author is about to merge this branch."""

    branch: str


@dataclass(frozen=True, slots=True)
class Settles:
    """The whole branch is in the order."""

    branch: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """The operation that stood here was in the history already."""


Control: TypeAlias = Mark | Claims | Settles | Nothing
_KINDS: Final[tuple[type[Control], ...]] = (Mark, Claims, Settles, Nothing)


def encode(control: Control) -> bytes:
    """Encode a control operation."""
    fields: list[Any] = [_KINDS.index(type(control))]
    if isinstance(control, Claims | Settles):
        fields.append(control.branch)
    packed: bytes = msgpack.packb(fields)
    return SIGN + packed


def decode(payload: bytes) -> Control:
    """Decode a control operation; raise MalformedError if it is not one."""
    try:
        fields = msgpack.unpackb(payload[len(SIGN) :])
    except (ValueError, msgpack.UnpackException) as error:
        raise MalformedError(f"not a control operation: {error}") from None
    match wire.items(fields, "a control operation", most=2):
        case [0]:
            return Mark()
        case [1, str(name)] if len(name) <= _NAME_MOST:
            return Claims(name)
        case [2, str(name)] if len(name) <= _NAME_MOST:
            return Settles(name)
        case [3]:
            return Nothing()
    raise MalformedError("this kind of control operation is unknown")


def is_control(payload: bytes) -> bool:
    """True for a control operation."""
    return payload.startswith(SIGN)


def for_objects(payloads: Sequence[bytes]) -> list[bytes]:
    """Return the operations without control operations."""
    return [payload for payload in payloads if not payload.startswith(SIGN)]


def begin_epoch(installed: Installed, channel: OrderedChannel) -> None:
    """Order a first operation in an epoch that takes over some of the former one, so that all logs have it.
    If the channel is busy, any operation that waits does it."""
    if installed.takes_over and installed.orderer == channel.author:
        with suppress(ChannelBusyError):
            channel.submit(encode(Nothing()))


def special_places(run: Run, every: int) -> list[int]:
    """Return the places of control operations in a run, and of operations whose number is a multiple of
    `every` (none for 0)."""
    found = [place for place, each in enumerate(run.taken) if each.startswith(SIGN)]
    if every and run.last // every > (run.number - 1) // every:
        found = sorted({*found, *range(-run.number % every, len(run.payloads), every)})
    return found
