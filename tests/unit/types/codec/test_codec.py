from __future__ import annotations

import math
from enum import IntEnum, StrEnum
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest

from liven.types.codec import Codec, CodecError, Codecs, Limits, NoWireFormError
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.hashing import structural_hash
from liven.types.terms.value_types import (
    BOOL,
    BYTES,
    FLOAT32,
    FLOAT64,
    ID,
    INT32,
    TEXT,
    UINT8,
    ClassTag,
    EndpointTo,
    Integer,
    ListOf,
    Local,
    Loop,
    MapOf,
    Opaque,
    Recursive,
    RefTo,
    ValueType,
    optional,
    record,
    union,
)

POINT = record(x=FLOAT64, y=FLOAT64)
CHAIN = Recursive("T", record(head=INT32, tail=optional(Loop("T"))))

WIDE_CHAIN = Recursive("W", record(head=FLOAT64, tail=optional(Loop("W"))))


def chain(length: int) -> Any:
    value: Any = None
    for number in range(length):
        value = {"head": number, "tail": value}
    return value


@pytest.mark.parametrize(
    ("kind", "value", "wire"),
    [
        (INT32, 5, b"\x05"),
        (INT32, -5, b"\xfb"),
        (INT32, 70_000, b"\xce\x00\x01\x11\x70"),
        (FLOAT64, 1.5, b"\xcb\x3f\xf8\0\0\0\0\0\0"),
        (FLOAT64, 1, b"\xcb\x3f\xf0\0\0\0\0\0\0"),
        (FLOAT32, 1.5, b"\xca\x3f\xc0\0\0"),
        (BOOL, True, b"\xc3"),
        (TEXT, "é", b"\xa2\xc3\xa9"),
        (BYTES, b"ab", b"\xc4\x02ab"),
        (ID, bytes(16), b"\xc4\x10" + bytes(16)),
        (optional(INT32), None, b"\xc0"),
        (ListOf(INT32), [1, 2], b"\x92\x01\x02"),
        (MapOf(INT32), {"b": 1, "a": 2}, b"\x82\xa1a\x02\xa1b\x01"),
        (record(b=INT32, a=optional(INT32)), {"b": 1, "a": None}, b"\x82\xa1a\xc0\xa1b\x01"),
        (union(a=INT32, b=TEXT), {"b": "x"}, b"\x81\xa1b\xa1x"),
        (RefTo(ObjectType()), "<Root/>", b"\xa7<Root/>"),
    ],
)
def test_the_wire_form_matches_the_documented_bytes(kind: ValueType, value: Any, wire: bytes) -> None:
    assert Codec(kind).encode(value) == wire


def test_the_compact_form_writes_records_as_arrays() -> None:
    kind = record(b=INT32, a=record(c=optional(TEXT)), u=union(p=record(q=INT32)))
    value = {"a": {"c": None}, "b": 7, "u": {"p": {"q": 1}}}
    codec = Codec(kind)
    assert codec.encode_compact(value) == b"\x93\x91\xc0\x07\x81\xa1p\x91\x01"
    assert codec.decode_compact(codec.encode_compact(value)) == value


def test_compact_bytes_of_an_older_writer_lack_optional_fields_at_the_end() -> None:
    older = Codec(record(a=INT32, b=ListOf(record(x=TEXT))))
    newer = Codec(
        record(a=INT32, b=ListOf(record(x=TEXT, y=optional(INT32))), c=optional(TEXT), d=optional(TEXT))
    )
    data = older.encode_compact({"a": 1, "b": [{"x": "u"}, {"x": "v"}]})
    read = {"a": 1, "b": [{"x": "u", "y": None}, {"x": "v", "y": None}], "c": None, "d": None}
    assert newer.decode_compact(data) == read
    assert newer.decode_compact(newer.encode_compact(read)) == read
    for wrong in (b"\x91\x01", b"\x95\x01\x90\xc0\xc0\xc0"):
        with pytest.raises(CodecError, match="expected array of 4 fields"):
            newer.decode_compact(wrong)


def test_compact_bytes_of_another_shape_are_refused() -> None:
    codec = Codec(POINT)
    with pytest.raises(CodecError, match="expected array of 2 fields, got list"):
        codec.decode_compact(b"\x91\xcb" + bytes(8))
    with pytest.raises(CodecError, match="got record or map"):
        codec.decode_compact(codec.encode({"x": 1.0, "y": 2.0}))


ITEMS = record(items=ListOf(POINT))


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (
            ITEMS,
            {"items": [{"x": 0.5, "y": 0.5}] * 3 + [{"x": "east", "y": 0.5}]},
            "op.items[3].x: expected float64, got text",
        ),
        (ITEMS, {"items": [{"x": 0.5}]}, "op.items[0].y: expected float64, and the field is missing"),
        (ITEMS, {"items": {"x": 0.5}}, "op.items: expected list, got record or map"),
        (ITEMS, [1], "op: expected record, got list"),
        (MapOf(UINT8), {"a b": 256}, "op['a b']: expected uint8, got 256"),
        (MapOf(UINT8), {3: 1}, "op[3]: expected text as a key, got 3"),
        (UINT8, True, "op: expected uint8, got bool"),
        (UINT8, 2**4000, "op: expected uint8, got a number of 4001 bits"),
        (UINT8, None, "op: expected uint8, got nothing"),
        (Integer(1, 6), 7, "op: expected int(1..6), got 7"),
        (FLOAT64, 2**53 + 1, "op: expected float64, got 9007199254740993"),
        (FLOAT32, 1e39, "op: expected float32, got 1e+39, which is too large for it"),
        (BOOL, 1, "op: expected bool, got 1"),
        (ID, bytes(15), "op: expected id of 16 bytes, got 15 bytes"),
        (BYTES, "text", "op: expected bytes, got text"),
        (TEXT, object(), "op: expected text, got a Python object"),
        (RefTo(ObjectType()), 1, "op: expected reference, got 1"),
        (union(a=INT32, b=TEXT), {"c": 1}, "op: expected one of a, b, got the case 'c'"),
        (union(a=INT32, b=TEXT), {"a": 1, "b": ""}, "op: expected one of a, b, got record or map"),
        (union(a=ListOf(UINT8)), {"a": [1, -1]}, "op.a[1]: expected uint8, got -1"),
        (union(), {"a": 1}, "op: expected one of no case at all, got the case 'a'"),
        (ListOf(ListOf(TEXT)), [["a"], ["b", 3]], "op[1][1]: expected text, got 3"),
        (CHAIN, {"head": 1, "tail": {"head": "two", "tail": None}}, "op.tail.head: expected int32, got text"),
        (ListOf(TEXT), ["a\ud800"], "op[0]: the text holds half a surrogate pair (0xd800) at 1"),
    ],
)
def test_a_value_of_another_type_is_refused_with_its_path(kind: ValueType, value: Any, message: str) -> None:
    with pytest.raises(CodecError) as caught:
        Codec(kind).encode(value, "op")
    assert str(caught.value) == message
    assert caught.value.path.startswith("op")


def test_bytes_of_another_type_are_refused_with_the_same_words() -> None:
    wire = msgpack.packb({"items": [{"x": 0.5, "y": 0.5}] * 3 + [{"x": "east", "y": 0.5}]})
    with pytest.raises(CodecError, match=r"^op\.items\[3\]\.x: expected float64, got text$"):
        Codec(ITEMS).decode(wire, "op")


class Level(IntEnum):
    HIGH = 3


class Word(StrEnum):
    HELLO = "hello"


class Run(bytes):
    """A subclass of bytes."""


class Inch(float):
    """A subclass of float, as numpy's floats are."""


def test_subclasses_of_plain_values_become_plain() -> None:
    kind = record(a=UINT8, b=TEXT, c=FLOAT64, d=BYTES)
    found = Codec(kind).check(
        {"a": Level.HIGH, "b": Word.HELLO, "c": Inch(2.5), "d": type("B", (bytes,), {})(b"x")}
    )
    assert found == {"a": 3, "b": "hello", "c": 2.5, "d": b"x"}
    assert [type(value) for value in found.values()] == [int, str, float, bytes]


def test_a_tuple_is_as_good_as_a_list() -> None:
    assert Codec(ListOf(INT32)).encode((1, 2)) == b"\x92\x01\x02"


def test_fields_that_the_type_does_not_have_are_left_out_and_the_value_given_is_not_touched() -> None:
    given = {"x": 1, "y": 2.0, "z": "more"}
    assert Codec(POINT).check(given) == {"x": 1.0, "y": 2.0}
    assert given == {"x": 1, "y": 2.0, "z": "more"}


@pytest.mark.parametrize(
    ("written", "read", "value", "found"),
    [
        (record(x=INT32, more=ListOf(TEXT)), record(x=FLOAT64), {"x": 3, "more": ["a"]}, {"x": 3.0}),
        (TEXT, optional(TEXT), "a", "a"),
        (FLOAT32, FLOAT64, 0.5, 0.5),
        (UINT8, FLOAT32, 200, 200.0),
        (union(a=INT32), union(a=FLOAT64, b=TEXT), {"a": 1}, {"a": 1.0}),
        (MapOf(INT32), MapOf(optional(FLOAT64)), {"k": 1}, {"k": 1.0}),
        (
            CHAIN,
            Recursive("W", record(head=FLOAT64, tail=optional(Loop("W")))),
            chain(1),
            {"head": 0.0, "tail": None},
        ),
    ],
)
def test_a_supertype_reads_what_a_subtype_wrote(
    written: ValueType, read: ValueType, value: Any, found: Any
) -> None:
    result = Codec(read).decode(Codec(written).encode(value))
    assert result == found
    assert repr(result) == repr(found)


def test_an_absent_optional_field_is_written_as_nil() -> None:
    codec = Codec(record(x=optional(INT32)))
    assert codec.encode({"x": None}) == b"\x81\xa1x\xc0"


def test_a_last_optional_field_that_an_older_writer_did_not_know_reads_as_nil() -> None:
    codec = Codec(record(a=optional(INT32), b=INT32, x=optional(INT32)))
    assert codec.decode(b"\x82\xa1a\xc0\xa1b\x01") == {"a": None, "b": 1, "x": None}
    with pytest.raises(CodecError, match=r"^\.a: expected optional<int32>, and the field is missing"):
        codec.decode(b"\x81\xa1b\x01")


def test_nan_infinity_and_negative_zero_survive() -> None:
    for kind in (FLOAT32, FLOAT64):
        codec = Codec(kind)
        assert codec.decode(codec.encode(math.inf)) == math.inf
        assert math.isnan(codec.decode(codec.encode(math.nan)))
        assert math.copysign(1, codec.decode(codec.encode(-0.0))) == -1


def test_a_float_of_32_bits_is_rounded_once_when_written() -> None:
    codec = Codec(FLOAT32)
    once = codec.decode(codec.encode(0.1))
    assert once != 0.1
    assert codec.decode(codec.encode(once)) == once


def test_a_wide_float_on_the_wire_of_a_narrow_one_is_refused() -> None:
    for value in (0.1, 1e300):
        with pytest.raises(CodecError, match="expected float32"):
            Codec(FLOAT32).decode(Codec(FLOAT64).encode(value))


def test_recursive_values_nest_up_to_the_limit_and_no_deeper() -> None:
    codec = Codec(CHAIN, Limits(deepest=30))
    assert codec.decode(codec.encode(chain(29))) == chain(29)
    with pytest.raises(CodecError, match=r"^op\.tail.*nested more than 30 levels deep$"):
        codec.encode(chain(31), "op")
    with pytest.raises(CodecError, match="nested more than 30 levels deep"):
        codec.decode(Codec(CHAIN).encode(chain(60)))


def test_a_value_that_contains_itself_is_refused() -> None:
    endless: dict[str, Any] = {"head": 1}
    endless["tail"] = endless
    with pytest.raises(CodecError, match="levels deep"):
        Codec(CHAIN).encode(endless)


def test_the_size_is_bounded_both_ways() -> None:
    codec = Codec(TEXT, Limits(most_bytes=100))
    assert codec.decode(codec.encode("x" * 90)) == "x" * 90
    with pytest.raises(CodecError, match="op: 202 bytes are more than the 100 allowed"):
        codec.encode("x" * 200, "op")
    with pytest.raises(CodecError, match="op: 202 bytes are more than the 100 allowed"):
        codec.decode(Codec(TEXT).encode("x" * 200), "op")


def test_long_messages_decode_like_short_ones() -> None:
    codec = Codec(ListOf(INT32))
    for length in (10, 4000, 5000, 20_000):
        assert codec.decode(codec.encode(list(range(length)))) == list(range(length))
    assert codec.decode(memoryview(codec.encode([1] * 5000))) == [1] * 5000  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wire",
    [
        b"",
        b"\xc1",
        b"\x01\x02",
        b"\xa5ab",
        b"\xa1\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\x91" * 3000,
        b"\x91" * 5000,
        b"\xdc\x0f\xff" * 1000,
        b"\xdc\xff\xff" * 5000,
        b"\x81\x01\x02",
        b"\x81\x91\x01\x02",
        b"\xd6\xff\0\0\0\0",
        b"\xc7\x03\xff\0\0\0",
    ],
)
@pytest.mark.parametrize("kind", [TEXT, ListOf(TEXT), CHAIN, record()])
def test_hostile_bytes_end_in_a_codec_error(kind: ValueType, wire: bytes) -> None:
    with pytest.raises(CodecError):
        Codec(kind).decode(wire, "op")


def test_a_codec_works_on_after_a_fault() -> None:
    codec = Codec(ListOf(TEXT))
    for bad in (["\ud800"], [1], 3):
        with pytest.raises(CodecError):
            codec.encode(bad)
    assert codec.decode(codec.encode(["a"])) == ["a"]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Local("UI"), "local<UI> is valid in this process only and cannot be sent"),
        (record(a=ListOf(Local("UI"))), "cannot be sent"),
        (Opaque(ClassTag(ClassId(1), "Frame")), "Frame is known by name only"),
        (Integer(0, 2**64), "is wider than 64 bits"),
        (Integer(-(2**63) - 1, 0), "is wider than 64 bits"),
        (EndpointTo(EndpointType(local="UI")), "an endpoint of the local kind `UI` never tunnels"),
        (ListOf(Loop("T")), "T is used outside the recursive type that it names"),
    ],
)
def test_a_type_that_cannot_be_serialized_has_no_codec(kind: ValueType, words: str) -> None:
    with pytest.raises(NoWireFormError, match=words):
        Codec(kind)


def test_a_local_handle_behind_a_reference_does_not_prevent_a_codec() -> None:
    shown = ObjectType((("UI", EndpointType(local="UI")),))
    assert Codec(RefTo(shown)).encode("<Root/>") == b"\xa7<Root/>"
    assert Codec(EndpointTo(EndpointType((("Send", TEXT),)))).encode("there") == b"\xa5there"


def test_the_hash_is_that_of_the_type() -> None:
    assert Codec(POINT).hash == structural_hash(POINT)


def test_codecs_are_made_once_and_their_number_is_bounded() -> None:
    codecs = Codecs(Limits(most_bytes=50), most=3)
    assert codecs.of(POINT) is codecs.of(POINT)
    assert codecs.of(POINT).limits.most_bytes == 50
    kinds = [record(**{f"x{number}": TEXT}) for number in range(10)]
    for kind in kinds:
        assert codecs.of(kind).type is kind
    assert codecs.of(POINT).type is POINT


@pytest.mark.parametrize(
    ("number", "size"),
    [
        (0, 1),
        (127, 1),
        (128, 2),
        (255, 2),
        (256, 3),
        (65_535, 3),
        (65_536, 5),
        (2**32 - 1, 5),
        (2**32, 9),
        (2**63 - 1, 9),
        (-1, 1),
        (-32, 1),
        (-33, 2),
        (-128, 2),
        (-129, 3),
        (-32_769, 5),
        (-(2**31) - 1, 9),
        (-(2**63), 9),
    ],
)
def test_whole_numbers_take_the_fewest_bytes(number: int, size: int) -> None:
    codec = Codec(Integer(-(2**63), 2**63 - 1))
    assert len(codec.encode(number)) == size
    assert codec.decode(codec.encode(number)) == number


def test_the_bounds_of_a_whole_number_hold_on_both_sides() -> None:
    codec = Codec(Integer(-3, 5))
    for number in (-3, 0, 5):
        assert codec.decode(codec.encode(number)) == number
    for number in (-4, 6):
        with pytest.raises(CodecError, match=r"expected int\(-3\.\.5\), got"):
            codec.encode(number)
        with pytest.raises(CodecError, match=r"expected int\(-3\.\.5\), got"):
            codec.decode(msgpack.packb(number))


def test_a_decoded_value_does_not_share_memory_with_its_bytes() -> None:
    codec = Codec(record(items=ListOf(record(x=INT32))))
    given = {"items": [{"x": 1}]}
    checked = codec.check(given)
    given["items"][0]["x"] = 2
    given["items"].append({"x": 3})
    assert checked == {"items": [{"x": 1}]}


@pytest.mark.parametrize(
    ("kind", "wire", "said"),
    [
        (ListOf(INT32), b"\xc1", "not one MessagePack value: no value begins with the byte 0xc1"),
        (ListOf(INT32), b"\x91" * 2000 + b"\xc0", "not one MessagePack value: nested too deep"),
        (ListOf(INT32), b"\x91\xd4\x05\x00", r"\[0\]: expected int32, got an extension of MessagePack"),
        (ListOf(INT32), b"\x91\xd6\xff\0\0\0\1", r"\[0\]: expected int32, got a timestamp of MessagePack"),
    ],
)
def test_a_fault_names_the_kind_of_the_bytes(kind: ValueType, wire: bytes, said: str) -> None:
    with pytest.raises(CodecError, match=said):
        Codec(kind).decode(wire)


def test_a_key_without_a_utf8_form_is_named_with_its_map() -> None:
    codec = Codec(record(tags=MapOf(TEXT)))
    with pytest.raises(CodecError, match=r"^op\.tags: the key 'a\\ud800' holds half a surrogate pair"):
        codec.encode({"tags": {"a\ud800": "x"}}, "op")
