"""The form of a history on disk: a state with its position, and the runs of operations after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import Epoch, MalformedError, chained_all, wire
from liven.liveobjects.channel.history.inheritance import WRAPPING_BYTES
from liven.liveobjects.channel.ordering import Run
from liven.liveobjects.channel.ordering.messages import OPERATION_MOST
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition

_PAYLOAD_MOST: Final = OPERATION_MOST + WRAPPING_BYTES


def missing_in(run: Run, marks: Mapping[bytes, int]) -> list[bytes]:
    """Return the operations of a run that a history with these marks lacks."""
    return [
        each.payload
        for place, each in enumerate(run.originals())
        if place not in run.void and marks.get(each.author, 0) < each.number
    ]


def packed_state(state_position: StatePosition, parcel: Parcel) -> bytes:
    """Encode a state with its position."""
    return packed_position(state_position, parcel.packed())


def packed_position(state_position: StatePosition, parcel: bytes) -> bytes:
    """Encode a packed parcel with its position."""
    fields: list[Any] = [
        wire.packed_position(state_position.position),
        wire.packed_position(state_position.stable),
        [wire.packed_epoch(each) for each in state_position.epochs],
        state_position.marks,
        parcel,
    ]
    packed: bytes = msgpack.packb(fields)
    return packed


def unpacked_state(data: bytes) -> tuple[StatePosition, Parcel]:
    """Decode a state with its position. Raises MalformedError."""
    fields = msgpack.unpackb(data, strict_map_key=False)
    position, stable, epochs, marks, parcel = wire.items(fields, "a stored state", 5)
    if not isinstance(marks, dict) or not isinstance(parcel, bytes):
        raise MalformedError("a stored state has no position")
    state_position = StatePosition(
        wire.position(position, "its position"),
        wire.position(stable, "its stable position"),
        wire.each(epochs, "its epochs", wire.epoch),
        {wire.identity(who, "an author"): wire.number(last, "a mark") for who, last in marks.items()},
    )
    return state_position, Parcel.unpacked(parcel)


def packed_run(run: Run, epoch: Epoch | None, stable: int) -> bytes:
    """Encode a run, the epoch that begins with it, and the number that is stable."""
    told = None if epoch is None else wire.packed_epoch(epoch)
    packed: bytes = msgpack.packb([run.number, run.author, run.first, run.payloads, run.void, told, stable])
    return packed


def unpacked_run(data: bytes, number: int, chain: bytes) -> tuple[Run, Epoch | None, int]:
    """Decode a run, its epoch, and the stable number. The run must follow the operation with this number and
    chain hash. Raises MalformedError."""
    fields = msgpack.unpackb(data)
    first_number, who, first, payloads, void, epoch, stable = wire.items(fields, "a stored run", 7)
    if first_number != number + 1:
        raise MalformedError(f"operation {number + 1} is not in the log")
    author = wire.identity(who, "an author")
    own = wire.number(first, "an own number")
    given = [
        wire.octets(each, "an operation", _PAYLOAD_MOST) for each in wire.items(payloads, "a stored run")
    ]
    known = None if epoch is None else wire.epoch(epoch, "its epoch")
    places = wire.each(void, "void places", wire.number)
    chains = chained_all(chain, author, own, given, places)
    return Run(number + 1, author, own, given, chains, places), known, wire.number(stable, "a stable number")
