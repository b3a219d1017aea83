from __future__ import annotations

import ctypes
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.multicast.group import Delivery
from liven.multicast.message_batch import BLOCK_MOST, MANY_MOST, Batch, check_block

_DELIVERIES = st.lists(
    st.builds(
        Delivery,
        sender=st.integers(0, 2**32 - 1),
        number=st.integers(0, 2**64 - 1),
        payload=st.binary(max_size=50),
        at=st.just(0.0),
    ),
    min_size=1,
)


@given(_DELIVERIES)
def test_a_batch_equals_its_single_messages(deliveries: list[Delivery]) -> None:
    batch = Batch.of(deliveries)
    assert len(batch) == len(deliveries)
    assert batch.senders.tolist() == [each.sender for each in deliveries]
    assert batch.numbers.tolist() == [each.number for each in deliveries]
    assert batch.lengths.tolist() == [len(each.payload) for each in deliveries]
    assert [*batch.payloads()] == [each.payload for each in deliveries]
    assert batch.payload(len(deliveries) - 1) == deliveries[-1].payload
    assert batch.size == sum(len(each.payload) for each in deliveries)


def test_native_code_finds_the_bytes_at_the_addresses() -> None:
    batch = Batch.of([Delivery(1, 1, b"one", 0.0), Delivery(1, 2, b"two", 0.0)])
    assert [ctypes.string_at(address, 3) for address in batch.addresses] == [b"one", b"two"]


def test_an_ended_batch_is_unusable() -> None:
    batch = Batch.of([Delivery(1, 1, b"one", 0.0)])
    batch.end()
    with pytest.raises(ValueError, match="released"):
        batch.payload(0)
    with pytest.raises(ValueError, match="released"):
        batch.numbers  # noqa: B018  # reading it is what fails


@pytest.mark.parametrize(
    ("block", "lengths", "complaint"),
    [
        (b"abc", [1, 1], "the lengths are 2 together, and the block has 3 bytes"),
        (b"abc", [], f"one call sends from 1 to {MANY_MOST} messages"),
        (b"", [0] * (MANY_MOST + 1), f"one call sends from 1 to {MANY_MOST} messages"),
        (bytes(BLOCK_MOST + 1), [BLOCK_MOST + 1], f"at most {BLOCK_MOST} bytes"),
    ],
)
def test_a_block_that_does_not_fit_is_refused(block: bytes, lengths: list[int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        check_block(block, array("I", lengths))


def test_lengths_of_another_width_are_refused() -> None:
    with pytest.raises(TypeError, match="typecode 'I', not 'Q'"):
        check_block(b"abc", array("Q", [3]))


def test_an_empty_message_is_allowed() -> None:
    check_block(b"abc", array("I", [0, 3, 0]))
