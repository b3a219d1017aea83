from __future__ import annotations

from typing import Any

import pytest

from liven.types.codec import Codec
from liven.types.codec.mixed_floats import Pieces, packer_for, widths
from liven.types.terms.value_types import (
    FLOAT32,
    FLOAT64,
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

BOTH = record(a=FLOAT32, b=FLOAT64)
TREE = Recursive("T", record(near=FLOAT32, far=FLOAT64, more=ListOf(Loop("T")), maybe=optional(Loop("T"))))


def test_widths_are_found_through_containers_and_recursion() -> None:
    assert widths(TEXT) == frozenset()
    assert widths(ListOf(MapOf(FLOAT32))) == {32}
    assert widths(TREE) == {32, 64}
    assert widths(union(a=TEXT, b=optional(FLOAT64))) == {64}


def test_a_mixed_type_writes_each_float_at_its_own_width() -> None:
    wire = Codec(BOTH).encode({"a": 1.5, "b": 1.5})
    assert wire == b"\x82\xa1a\xca\x3f\xc0\0\0\xa1b\xcb\x3f\xf8\0\0\0\0\0\0"


def test_a_type_of_one_width_is_packed_whole() -> None:
    assert not isinstance(getattr(packer_for(ListOf(FLOAT32), arrays=False), "__self__", None), Pieces)
    assert isinstance(getattr(packer_for(BOTH, arrays=False), "__self__", None), Pieces)


LEAF = {"near": 0.5, "far": 0.1, "more": [], "maybe": None}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (ListOf(BOTH), [{"a": 0.5, "b": 0.1}, {"a": 0.25, "b": 0.2}]),
        (MapOf(BOTH), {"x": {"a": 0.5, "b": 0.1}}),
        (optional(BOTH), None),
        (optional(BOTH), {"a": 0.5, "b": 0.1}),
        (union(near=FLOAT32, far=FLOAT64), {"near": 0.5}),
        (union(near=FLOAT32, far=FLOAT64), {"far": 0.1}),
        (record(name=TEXT, pair=BOTH), {"name": "é", "pair": {"a": 0.5, "b": 0.1}}),
        (TREE, {"near": 0.5, "far": 0.1, "more": [LEAF, LEAF], "maybe": LEAF}),
    ],
)
def test_mixed_values_are_read_as_they_were_written(kind: ValueType, value: Any) -> None:
    codec = Codec(kind)
    assert codec.decode(codec.encode(value)) == value
    assert codec.decode_compact(codec.encode_compact(value)) == value
