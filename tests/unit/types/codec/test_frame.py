from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.codec import CodecError
from liven.types.codec.frame import look_over

leaf = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary()
anything = st.recursive(leaf, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


@settings(max_examples=60, deadline=None)
@given(anything)
def test_honest_bytes_pass(value: Any) -> None:
    look_over(msgpack.packb(value))


@pytest.mark.parametrize("length", [40, 300, 70_000])
def test_headers_of_every_width_are_understood(length: int) -> None:
    for value in ([1] * length, {str(n): n for n in range(length)}, "x" * length, b"x" * length):
        look_over(msgpack.packb(value))
    look_over(msgpack.packb(msgpack.ExtType(5, b"x" * length)))


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_fixed_extensions_are_understood(size: int) -> None:
    look_over(msgpack.packb([msgpack.ExtType(5, b"x" * size), msgpack.packb(0.5)]))
    look_over(msgpack.packb(0.5, use_single_float=True))


@settings(max_examples=60, deadline=None)
@given(anything, st.data())
def test_cut_bytes_are_refused(value: Any, data: st.DataObject) -> None:
    wire = msgpack.packb(value)
    cut = data.draw(st.integers(0, len(wire) - 1))
    try:
        look_over(wire[:cut])
    except CodecError:
        return
    # A text or number that is cut keeps an honest header; the unpacker sees that its bytes are missing.
    with pytest.raises(ValueError, match=r"."):
        msgpack.unpackb(wire[:cut])


@pytest.mark.parametrize(
    ("wire", "problem"),
    [
        (b"\xdd\xff\xff\xff\xff\x01", "claims more than the bytes hold"),
        (b"\xdf\x7f\xff\xff\xff\x01", "claims more than the bytes hold"),
        (b"\x92\x01", "claims more than the bytes hold"),
        (b"\xc1", r"byte 0 \(0xc1\) begins no value"),
        (b"", "the bytes end after 0"),
        (b"\x91" * 1500 + b"\x01", "nested more than 1000 levels deep"),
    ],
)
def test_headers_that_lie_are_refused(wire: bytes, problem: str) -> None:
    with pytest.raises(CodecError, match=problem):
        look_over(wire)


def test_claims_are_added_up_over_all_levels() -> None:
    """Each header claims less than there are bytes, all of them together far more."""
    with pytest.raises(CodecError, match="claims more than the bytes hold"):
        look_over(b"\xdc\x10\x00" * 3000)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=30))
def test_whatever_the_unpacker_takes_has_honest_headers(wire: bytes) -> None:
    """The bound never refuses what is sound: it may only come before the unpacker's own refusal."""
    try:
        msgpack.unpackb(wire, strict_map_key=False)
    except (ValueError, TypeError):  # a key of a map may be a list, which no dict takes
        return
    look_over(wire)
