"""Decoding in bulk says the same as the codec, whatever the payloads."""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.feeds.table.bulk_decoder import BulkDecoder
from liven.liveobjects.feeds.table.decoder import value_type
from liven.types.codec.codec import Codec
from liven.types.codec.errors import CodecError

WIDE = (
    "{a: int(-40000..2000000), b: bool, c: text, d: float64, e: float32, f: bytes, g: id, h: text?,"
    " i: int64?, long_name_of_a_field: uint32}"
)


def decoded(notation: str, payloads: list[bytes]) -> tuple[list[bool], dict[str, list[Any]]]:
    decoder = BulkDecoder.of(value_type(notation))
    assert decoder is not None
    ends = np.cumsum([0, *map(len, payloads)]).astype(np.int64)
    good, columns = decoder.decode(memoryview(b"".join(payloads)), ends[:-1], ends[1:])
    for column in columns.values():
        if all(good):
            column.validate(full=True)
    return good.tolist(), {name: column.to_pylist() for name, column in columns.items()}


def float32(value: float) -> float:
    return float(np.float32(value))


VALUES = st.fixed_dictionaries(
    {
        "a": st.integers(-40000, 2000000),
        "b": st.booleans(),
        "c": st.text(max_size=40),
        "d": st.floats(),
        "e": st.floats(width=32),
        "f": st.binary(max_size=300),
        "g": st.binary(min_size=16, max_size=16),
        "h": st.none() | st.text(alphabet=st.characters(codec="ascii"), max_size=300),
        "i": st.none() | st.integers(-(2**63), 2**63 - 1),
        "long_name_of_a_field": st.integers(0, 2**32 - 1),
    }
)


def same(left: Any, right: Any) -> bool:
    return bool(left == right or (left != left and right != right))


@given(st.lists(VALUES, min_size=1, max_size=8))
def test_encoded_values_come_back(values: list[dict[str, Any]]) -> None:
    codec = Codec(value_type(WIDE))
    good, columns = decoded(WIDE, [codec.encode(value) for value in values])
    for row, value in enumerate(values):
        assert good[row] == value["c"].isascii()
        if good[row]:
            assert all(same(columns[name][row], part) for name, part in value.items())


@settings(max_examples=150)
@given(st.lists(VALUES, min_size=1, max_size=4), st.data())
def test_garbled_values_are_only_taken_if_the_codec_takes_them(
    values: list[dict[str, Any]], data: st.DataObject
) -> None:
    codec = Codec(value_type(WIDE))
    payloads = []
    for value in values:
        payload = bytearray(codec.encode(value))
        for _ in range(data.draw(st.integers(0, 3))):
            payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
        payloads.append(
            bytes(payload[: data.draw(st.integers(0, len(payload)))] if data.draw(st.booleans()) else payload)
        )
    good, columns = decoded(WIDE, payloads)
    for row, garbled in enumerate(payloads):
        if good[row]:
            try:
                expected = codec.decode(garbled)
            except CodecError as error:
                raise AssertionError(f"the codec refuses {garbled!r}: {error}") from error
            assert all(same(columns[name][row], part) for name, part in expected.items())


@pytest.mark.parametrize(
    "value", [0, 127, 128, -1, -32, -33, -128, -129, 255, 256, 65535, 65536, 2**31, 2**32, 2**62]
)
def test_every_width_of_a_whole_number_is_read(value: int) -> None:
    for number in (value, -value):
        assert decoded("int64", [msgpack.packb(number)]) == ([True], {"": [number]})


def test_a_number_out_of_bounds_is_left_to_the_codec() -> None:
    good, _ = decoded("int(0..9)", [msgpack.packb(number) for number in (0, 9, 10, -1, 2**63)])
    assert good == [True, True, False, False, False]


def test_another_order_of_fields_is_left_to_the_codec() -> None:
    notation = "{x: float64, y: float64}"
    payloads = [msgpack.packb({"x": 1.0, "y": 2.0}), msgpack.packb({"y": 2.0, "x": 1.0}), b""]
    assert decoded(notation, payloads)[0] == [True, False, False]


def test_lengths_beyond_the_payload_are_refused() -> None:
    for payload in (b"\xdb\xff\xff\xff\xff", b"\xd9\x05abcd", b"\xa5abcd", b"\xd9"):
        assert decoded("text", [payload, msgpack.packb("abcdefgh")])[0] == [False, True]
    assert decoded("float64", [b"\xcb\x00\x00", msgpack.packb(1.5)])[0] == [False, True]


@pytest.mark.parametrize("notation", ["list<text>", "{x: list<text>}", "uint64", "<a: text | b: text>", "{}"])
def test_types_without_a_fixed_form_have_no_decoder(notation: str) -> None:
    assert BulkDecoder.of(value_type(notation)) is None


def test_columns_are_arrays_of_the_widest_kind() -> None:
    decoder = BulkDecoder.of(value_type("{n: int8?, x: float32}"))
    assert decoder is not None
    payload = msgpack.packb({"n": None, "x": 0.5}, use_single_float=True)
    _, columns = decoder.decode(memoryview(payload), np.array([0]), np.array([len(payload)]))
    assert columns["n"].type == pa.int64()
    assert columns["x"].type == pa.float64()
