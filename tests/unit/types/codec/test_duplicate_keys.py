"""A map with a duplicate key is refused, at any place in the value."""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.codec import Codec, CodecError
from liven.types.codec.duplicate_keys import unpacker_for
from liven.types.terms.value_types import (
    FLOAT64,
    INT64,
    TEXT,
    ListOf,
    Loop,
    MapOf,
    Recursive,
    ValueType,
    optional,
    record,
    union,
)

POINT = record(x=FLOAT64, y=FLOAT64)
TREE = Recursive("T", record(kids=ListOf(Loop("T"))))


@pytest.mark.parametrize(
    ("kind", "wire", "key"),
    [
        (record(a=INT64), b"\x82\xa1a\x01\xa1a\x02", "a"),
        (record(a=INT64), b"\x83\xa1a\x01\xa1z\x01\xa1z\x02", "z"),
        (optional(record(a=INT64)), b"\x82\xa1a\x01\xa1a\x02", "a"),
        (MapOf(INT64), b"\x82\xa1k\x01\xa1k\x02", "k"),
        (MapOf(INT64), b"\xde\x00\x02\xa1k\x01\xa1k\x02", "k"),
        (MapOf(INT64), b"\xdf\x00\x00\x00\x02\xa1k\x01\xa1k\x02", "k"),
        (union(a=INT64, b=TEXT), b"\x82\xa1a\x01\xa1a\x02", "a"),
        (ListOf(MapOf(INT64)), b"\x91\x82\xa1k\x01\xa1k\x02", "k"),
        (record(m=MapOf(INT64)), b"\x81\xa1m\x82\xa1k\x01\xa1k\x02", "k"),
        (TREE, b"\x81\xa4kids\x91\x82\xa4kids\x90\xa4kids\x90", "kids"),
    ],
)
def test_a_doubled_key_is_refused(kind: ValueType, wire: bytes, key: str) -> None:
    with pytest.raises(CodecError, match=f"op: a map in these bytes has the key '{key}' twice"):
        Codec(kind).decode(wire, "op")


def test_a_doubled_key_is_refused_in_compact_form_too() -> None:
    codec = Codec(record(m=MapOf(INT64)))
    with pytest.raises(CodecError, match="has the key 'k' twice"):
        codec.decode_compact(b"\x91\x82\xa1k\x01\xa1k\x02")


def test_a_doubled_key_is_refused_in_long_bytes_too() -> None:
    long = msgpack.packb("x" * 5000)
    with pytest.raises(CodecError, match="has the key 'k' twice"):
        Codec(MapOf(TEXT)).decode(b"\x82\xa1k" + long + b"\xa1k" + long)


@pytest.mark.parametrize("size", [0, 1, 15, 16, 300, 70_000])
def test_key_counts_in_headers_of_every_width_are_read(size: int) -> None:
    value = {f"{number:06}": number for number in range(size)}
    codec = Codec(MapOf(INT64))
    assert codec.decode(codec.encode(value)) == value


values = st.recursive(
    st.integers(0, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@pytest.mark.parametrize("kind", [POINT, MapOf(INT64), ListOf(POINT), TEXT, ListOf(TEXT), TREE])
@settings(max_examples=40, deadline=None)
@given(value=values)
def test_maps_without_duplicate_keys_unpack_as_usual(kind: ValueType, value: Any) -> None:
    for arrays in (False, True):
        assert unpacker_for(kind, arrays=arrays)(msgpack.packb(value)) == value
