from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.codec import Codec, CodecError, Limits
from liven.types.codec.prescan import demand_few_items, demand_honest_headers, outer_container
from liven.types.terms.value_types import (
    INT64,
    TEXT,
    ListOf,
    Loop,
    MapOf,
    Recursive,
    ValueType,
    optional,
    record,
)

leaf = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary()
anything = st.recursive(leaf, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


@settings(max_examples=60, deadline=None)
@given(anything)
def test_well_formed_bytes_pass_the_prescan(value: Any) -> None:
    demand_honest_headers(msgpack.packb(value))


@pytest.mark.parametrize("length", [40, 300, 70_000])
def test_headers_of_every_width_are_understood(length: int) -> None:
    for value in ([1] * length, {str(n): n for n in range(length)}, "x" * length, b"x" * length):
        demand_honest_headers(msgpack.packb(value))
    demand_honest_headers(msgpack.packb(msgpack.ExtType(5, b"x" * length)))


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_fixed_extensions_are_understood(size: int) -> None:
    demand_honest_headers(msgpack.packb([msgpack.ExtType(5, b"x" * size), msgpack.packb(0.5)]))
    demand_honest_headers(msgpack.packb(0.5, use_single_float=True))


@settings(max_examples=60, deadline=None)
@given(anything, st.data())
def test_truncated_bytes_are_refused(value: Any, data: st.DataObject) -> None:
    wire = msgpack.packb(value)
    cut = data.draw(st.integers(0, len(wire) - 1))
    with pytest.raises(CodecError, match=f"the bytes end after {cut}"):
        demand_honest_headers(wire[:cut])


@pytest.mark.parametrize(
    ("wire", "problem"),
    [
        (b"\xdd\xff\xff\xff\xff\x01", "a header claims more than they hold"),
        (b"\xdf\x7f\xff\xff\xff\x01", "a header claims more than they hold"),
        (b"\x92\x01", "the bytes end after 2, in the middle of a value"),
        (b"\x91\xc1", "no value begins with the byte 0xc1"),
        (b"", "the bytes end after 0"),
        (b"\x91" * 1500 + b"\x01", "nested too deep"),
    ],
)
def test_headers_that_claim_too_much_are_refused(wire: bytes, problem: str) -> None:
    with pytest.raises(CodecError, match=problem):
        demand_honest_headers(wire)


def test_nested_headers_must_all_be_honest() -> None:
    """Each header claims less than there are bytes, but together they claim far more."""
    with pytest.raises(CodecError, match="a header claims more than they hold"):
        demand_honest_headers(b"\xdc\x10\x00" * 900)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=30))
def test_every_input_that_unpacks_passes_the_prescan(wire: bytes) -> None:
    """The prescan never refuses valid input; it may only refuse before the unpacker does."""
    try:
        msgpack.unpackb(wire, strict_map_key=False)
    except (ValueError, TypeError):  # a key of a map may be a list, which no dict takes
        return
    demand_honest_headers(wire)


def allocated(refused: Callable[[], object]) -> int:
    """Return the peak of Python's memory during the refusal, in bytes."""
    tracemalloc.start()
    try:
        with pytest.raises(CodecError, match="expected"):
            refused()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("kind", "head", "words"),
    [
        (record(a=INT64), b"\xdd", "expected record, got list"),
        (MapOf(INT64), b"\xdd", "got list"),
        (Recursive("T", record(rest=optional(Loop("T")))), b"\xdd", "expected record, got list"),
        (ListOf(INT64), b"\xdf", "expected list, got record or map"),
        (TEXT, b"\xdd", "expected text, got list"),
    ],
)
def test_a_useless_container_is_refused_before_it_is_unpacked(
    kind: ValueType, head: bytes, words: str
) -> None:
    each = b"\x80" if head == b"\xdd" else b"\xc0\x80"
    wire = head + (100_000).to_bytes(4, "big") + each * 100_000
    codec = Codec(kind)
    with pytest.raises(CodecError, match=words):
        codec.decode(wire)
    assert allocated(lambda: codec.decode(wire)) < 1_000_000


def test_a_record_in_compact_form_is_a_list_on_the_wire() -> None:
    kind = optional(record(a=TEXT, b=INT64))
    codec, value = Codec(kind), {"a": "x" * 10_000, "b": 5}
    assert codec.decode_compact(codec.encode_compact(value)) == value
    assert outer_container(kind, arrays=True) is list
    assert outer_container(kind, arrays=False) is dict


def test_prescanning_a_long_list_allocates_nothing() -> None:
    """A walk over a list of a million items needs no memory beyond a copy of its bytes."""
    wire = msgpack.packb([7] * 200_000)
    tracemalloc.start()
    try:
        demand_honest_headers(wire)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(wire)
    finally:
        tracemalloc.stop()


MANY = 100_000


@pytest.mark.parametrize(
    "wire",
    [
        msgpack.packb([[]] * MANY),
        msgpack.packb([[-32] * 1000] * (MANY // 1000)),
        msgpack.packb([{"a": 1, "b": 2}] * MANY),
        msgpack.packb([1] * MANY),
        b"\xdc\xff\xff" * (MANY // 3),  # headers that claim what is not there
    ],
)
def test_many_items_are_refused_before_they_need_memory(wire: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(CodecError):
            demand_few_items(wire, MANY // 2)
        assert tracemalloc.get_traced_memory()[1] < 32 * len(wire)
    finally:
        tracemalloc.stop()


@settings(max_examples=60, deadline=None)
@given(anything)
def test_few_items_pass(value: Any) -> None:
    demand_few_items(msgpack.packb(value), 1000)


def test_a_codec_bounds_the_items_of_what_it_reads() -> None:
    nested = ListOf(ListOf(INT64))
    few = Codec(nested, Limits(most_items=5000))
    for read, write in ((few.decode, few.encode), (few.decode_compact, few.encode_compact)):
        assert len(read(write([[]] * 5000))) == 5000
        with pytest.raises(CodecError, match="more than 5,000 items"):
            read(write([[]] * 5001))
