"""Decoding gives exactly what was encoded, or an error that names the field."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import Epoch, MalformedError, Operation, Position, Session, wire

identities = st.binary(min_size=16, max_size=16)
positions = st.builds(Position, identities, st.integers(0, wire.NUMBER_MOST), identities)
epochs = st.builds(Epoch, identities, positions, st.booleans())
sessions = st.builds(Session, st.integers(0, 2**40), st.lists(identities, unique=True, max_size=5).map(tuple))
operations = st.builds(Operation, identities, st.integers(0, 2**40), st.binary(max_size=20))
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**64) | st.binary(max_size=20) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.integers(), inner, max_size=2),
    max_leaves=8,
)


def carried(value: object) -> object:
    return msgpack.unpackb(msgpack.packb(value))


@given(positions, epochs, sessions, operations)
def test_encoded_values_decode_to_the_same(
    position: Position, epoch: Epoch, session: Session, operation: Operation
) -> None:
    assert wire.position(carried(wire.packed_position(position)), "it") == position
    assert wire.epoch(carried(wire.packed_epoch(epoch)), "it") == epoch
    assert wire.session(carried(wire.packed_session(session)), "it") == session
    assert wire.operation(carried(wire.packed_operation(operation)), "it") == operation


@given(anything)
def test_other_values_decode_or_raise_an_error_that_names_the_field(value: object) -> None:
    for read in (wire.position, wire.epoch, wire.session, wire.operation, wire.identity, wire.flag):
        try:
            read(value, "the tip")
        except MalformedError as error:
            assert str(error).startswith("the tip: ")


@pytest.mark.parametrize("value", [-1, 2**63, True, 1.0, "1", None])
def test_a_number_is_a_whole_number_within_its_bound(value: object) -> None:
    with pytest.raises(MalformedError, match="a number from 0"):
        wire.number(value, "number")


def test_a_session_with_a_repeated_member_is_refused() -> None:
    with pytest.raises(MalformedError, match="twice"):
        wire.session([1, [b"a" * 16, b"a" * 16], b""], "session")


def test_a_session_beyond_its_bound_is_refused() -> None:
    many = [index.to_bytes(16, "big") for index in range(wire.SESSION_MOST + 1)]
    with pytest.raises(MalformedError, match="at most"):
        wire.session([1, many, b""], "session")


def test_a_list_of_another_length_is_refused() -> None:
    assert wire.items([1, 2], "pair", 2) == [1, 2]
    with pytest.raises(MalformedError, match="2 items"):
        wire.items([1], "pair", 2)
