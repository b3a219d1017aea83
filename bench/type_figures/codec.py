"""Codecs: a record of six fields each way, compared with msgspec on the same record.

The neutral form of a record is a dict, so msgspec is given the dict too (its decoder checks it against a
TypedDict). Its speed with a class of its own, and no dict, is shown for scale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypedDict

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import msgspec
from figure_report import Figure, best_of

from liven.types.codec import Codec
from liven.types.terms.hashing import structural_hash
from liven.types.terms.value_types import BOOL, FLOAT64, INT64, TEXT, UINT32, ListOf, record

PLANE = record(id=UINT32, name=TEXT, x=FLOAT64, y=FLOAT64, airborne=BOOL, seen=INT64)
VALUE: dict[str, Any] = {
    "id": 7,
    "name": "airplane",
    "x": 1.5,
    "y": -2.25,
    "airborne": True,
    "seen": 123_456_789,
}
ROUNDS, CALLS = 5, 40_000
ITEMS = 100_000


class PlaneDict(TypedDict):
    id: int
    name: str
    x: float
    y: float
    airborne: bool
    seen: int


class PlaneStruct(msgspec.Struct):
    id: int
    name: str
    x: float
    y: float
    airborne: bool
    seen: int


def rate(function: Callable[[Any], Any], argument: Any) -> float:
    """Return calls a second."""
    return 1 / best_of(ROUNDS, CALLS, lambda: function(argument))


def figures() -> Iterator[Figure]:
    """Yield rates, and their ratios to msgspec's."""
    codec = Codec(PLANE)
    wire, compact = codec.encode(VALUE), codec.encode_compact(VALUE)
    assert codec.decode(wire) == codec.decode_compact(compact) == VALUE
    encode, decode = rate(codec.encode, VALUE), rate(codec.decode, wire)
    yield Figure("encode", encode, "records/s", 400_000, at_most=False)
    yield Figure("decode", decode, "records/s", 400_000, at_most=False)
    yield Figure("encode_compact", rate(codec.encode_compact, VALUE), "records/s", 400_000, at_most=False)
    yield Figure("decode_compact", rate(codec.decode_compact, compact), "records/s", 400_000, at_most=False)
    yield from ratios(encode, decode, wire)
    yield from of_a_list()
    yield Figure("codec_made", best_of(3, 20, lambda: Codec(PLANE).encode) * 1e6, "µs")
    yield Figure("structural_hash", best_of(3, 200, lambda: structural_hash(PLANE)) * 1e6, "µs")


def ratios(encode: float, decode: float, wire: bytes) -> Iterator[Figure]:
    """Yield the factors by which msgspec is faster, on the dict and on a class of its own."""
    encoder = msgspec.msgpack.Encoder()
    plain, struct = msgspec.msgpack.Decoder(PlaneDict), msgspec.msgpack.Decoder(PlaneStruct)
    yield Figure("encode_vs_msgspec", rate(encoder.encode, VALUE) / encode, "×", 6)
    yield Figure("decode_vs_msgspec", rate(plain.decode, wire) / decode, "×", 6)
    yield Figure("encode_vs_msgspec_struct", rate(encoder.encode, PlaneStruct(**VALUE)) / encode, "×")
    yield Figure("decode_vs_msgspec_struct", rate(struct.decode, wire) / decode, "×")


def of_a_list() -> Iterator[Figure]:
    """Yield the rate for a list of 100,000 whole numbers, which is scanned before it is unpacked."""
    codec = Codec(ListOf(INT64))
    wire = codec.encode([7] * ITEMS)
    took = best_of(3, 3, lambda: codec.decode(wire))
    yield Figure("decode_list_of_100000", took * 1e3, "ms", 20)
    yield Figure("decode_list_vs_unpackb", took / best_of(3, 3, lambda: msgpack.unpackb(wire)), "×")
