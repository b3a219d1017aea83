"""A state in slices arrives whole, a few slices at a time, and no other bytes pass for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import BEGINNING, MalformedError
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import (
    WINDOW,
    EncodedState,
    IncomingState,
    OutgoingState,
    digest_of,
    slices_in,
)
from liven.liveobjects.channel.replica.wire import SLICE_BYTES, Slice

BOB = b"b" * 16


def given_by(state: bytes) -> OutgoingState:
    return OutgoingState(BOB, 1, state, digest_of(state), BEGINNING)


def carried(state: bytes) -> tuple[IncomingState, int]:
    """Transfer a state, and return it with the greatest number of slices in transit."""
    giving = given_by(state)
    taking, most = IncomingState(giving.head()), 0
    waiting = list(giving.slices(WINDOW))
    while waiting:
        most = max(most, len(waiting))
        taking.put(waiting.pop(0))
        before = taking.wants()
        if before is not None:
            waiting += giving.slices(before)
    assert giving.over
    return taking, most


@given(st.integers(0, 40 * SLICE_BYTES))
def test_a_state_arrives_whole_whatever_its_length(size: int) -> None:
    state = bytes(size)
    taking, most = carried(state)
    assert taking.whole
    assert taking.got == size
    assert taking.state() == state
    assert most <= WINDOW


def test_an_encoded_state_has_the_hash_of_its_bytes() -> None:
    wrapped = EncodedState.of(Parcel(b"state", [b"one"]))
    assert Parcel.unpacked(wrapped.data) == wrapped.parcel == Parcel(b"state", [b"one"])
    assert wrapped.digest == digest_of(wrapped.data) != EncodedState.of(Parcel(b"state")).digest


def test_a_slice_out_of_its_place_is_refused() -> None:
    giving = given_by(bytes(3 * SLICE_BYTES))
    taking = IncomingState(giving.head())
    first, second, _ = giving.slices(3)
    with pytest.raises(MalformedError, match="slice 1 arrived instead of 0"):
        taking.put(second)
    taking.put(first)
    with pytest.raises(MalformedError):
        taking.put(first)


def test_a_state_that_differs_from_what_was_announced_is_refused() -> None:
    giving = given_by(b"right")
    taking = IncomingState(giving.head())
    taking.put(Slice(BOB, 1, 0, b"wrong"))
    with pytest.raises(MalformedError, match="differs from the announced one"):
        taking.state()


def test_slices_are_counted_up() -> None:
    assert [slices_in(size) for size in (0, 1, SLICE_BYTES, SLICE_BYTES + 1)] == [0, 1, 1, 2]
