"""The messages between replicas, and the refusal of malformed ones."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import MalformedError, Position
from liven.liveobjects.channel.replica import wire

ANN, BOB = b"a" * 16, b"b" * 16
PLACE = Position(b"e" * 16, 7, b"c" * 16)
MESSAGES = [
    wire.Ask(ANN, BOB, 1, 5),
    wire.Head(BOB, 1, PLACE, 100, b"d" * 16),
    wire.Slice(BOB, 1, 0, b"part"),
    wire.Grant(ANN, BOB, 1, 32),
    wire.Declined(BOB, 1, "no state"),
    wire.Digest(ANN, 1000, b"c" * 16, b"d" * 16),
]


@pytest.mark.parametrize("message", MESSAGES)
def test_encoded_messages_decode_to_the_same(message: wire.Message) -> None:
    assert wire.decode(wire.encode(message)) == message


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_malformed(payload: bytes) -> None:
    try:
        wire.decode(payload)
    except MalformedError as error:
        assert str(error)


@pytest.mark.parametrize("message", MESSAGES)
@given(
    place=st.integers(0, 5), value=st.one_of(st.none(), st.integers(-2, 2**64 - 1), st.binary(), st.text())
)
def test_a_field_of_another_kind_is_refused_or_is_a_message(
    message: wire.Message, place: int, value: object
) -> None:
    fields = msgpack.unpackb(wire.encode(message))
    fields[place % len(fields)] = value
    try:
        found = wire.decode(msgpack.packb(fields))
    except MalformedError:
        return
    assert wire.decode(wire.encode(found)) == found


@pytest.mark.parametrize(
    "fields",
    [[], [9], ["x"], [0], [1, BOB, 1, [b"", 1, b""], 1, b""], [2, BOB, 1, 0, bytes(wire.SLICE_BYTES + 1)]],
)
def test_exceeded_bounds_are_named(fields: list[object]) -> None:
    with pytest.raises(MalformedError):
        wire.decode(msgpack.packb(fields))
