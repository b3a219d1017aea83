from __future__ import annotations

import pytest

from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.value_types import (
    BOOL,
    BYTES,
    FLOAT32,
    FLOAT64,
    ID,
    INT8,
    INT16,
    INT32,
    INT64,
    TEXT,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    ClassTag,
    EndpointTo,
    Integer,
    ListOf,
    Local,
    Loop,
    MapOf,
    Opaque,
    OptionalOf,
    Recursive,
    RefTo,
    ValueType,
    optional,
    record,
    union,
)

SMALLER = ObjectType()
LARGER = ObjectType((("e", EndpointType(inputs=(("m", TEXT),))),))
CHAIN = Recursive("T", record(head=INT32, tail=optional(Loop("T"))))
WIDE_CHAIN = Recursive("W", record(head=INT64, tail=optional(Loop("W"))))

MAYBE = Recursive("T", OptionalOf(ListOf(Loop("T"))))

ONE_WAY: list[tuple[ValueType, ValueType]] = [
    (INT32, INT64),
    (UINT8, INT16),
    (UINT32, INT64),
    (Integer(0, 100), UINT8),
    (INT32, FLOAT64),
    (INT16, FLOAT32),
    (Integer(-(2**24), 2**24), FLOAT32),
    (Integer(-(2**53), 2**53), FLOAT64),
    (FLOAT32, FLOAT64),
    (TEXT, optional(TEXT)),
    (INT32, optional(FLOAT64)),
    (optional(INT32), optional(INT64)),
    (ListOf(INT32), ListOf(INT64)),
    (MapOf(TEXT), MapOf(optional(TEXT))),
    (record(x=INT32, y=TEXT), record(x=INT64)),
    (record(x=INT32), record()),
    (record(x=INT32), record(x=optional(INT32))),
    (union(a=INT32), union(a=INT32, b=TEXT)),
    (union(a=INT32), union(a=INT64)),
    (union(), union(a=TEXT)),
    (RefTo(LARGER), RefTo(SMALLER)),
    (EndpointTo(EndpointType(inputs=(("m", TEXT),))), EndpointTo(EndpointType())),
    (CHAIN, WIDE_CHAIN),
    (CHAIN, record(tail=optional(WIDE_CHAIN))),
]
NEVER: list[tuple[ValueType, ValueType]] = [
    (INT64, FLOAT64),
    (UINT64, INT64),
    (INT8, UINT8),
    (INT32, FLOAT32),
    (FLOAT64, FLOAT32),
    (FLOAT64, INT64),
    (Integer(-(2**53) - 1, 0), FLOAT64),
    (Integer(0, 2**24 + 1), FLOAT32),
    (BOOL, INT32),
    (TEXT, BYTES),
    (BYTES, ID),
    (optional(TEXT), TEXT),
    (record(), record(x=optional(INT32))),
    (record(a=TEXT), union(a=TEXT)),
    (union(a=INT32, b=TEXT), union(a=INT32)),
    (ListOf(INT32), INT32),
    (record(a=TEXT), MapOf(TEXT)),
    (Local("UI"), Local("~UI")),
    (Local("UI"), TEXT),
    (RefTo(SMALLER), RefTo(LARGER)),
    (WIDE_CHAIN, CHAIN),
    (Opaque(ClassTag(ClassId(1), "A")), Opaque(ClassTag(ClassId(2), "A"))),
]
BOTH: list[tuple[ValueType, ValueType]] = [
    (INT32, Integer(-(2**31), 2**31 - 1)),
    (UINT16, Integer(0, 65535)),
    (OptionalOf(OptionalOf(TEXT)), optional(TEXT)),
    (Opaque(ClassTag(ClassId(1), "A")), Opaque(ClassTag(ClassId(1), "B"))),
    (Local("UI"), Local("UI")),
    (CHAIN, record(head=INT32, tail=optional(CHAIN))),
    (CHAIN, Recursive("Other", record(head=INT32, tail=optional(Loop("Other"))))),
    (
        OptionalOf(Recursive("T", OptionalOf(ListOf(Loop("T"))))),
        Recursive("T", OptionalOf(ListOf(Loop("T")))),
    ),
    (
        Recursive("A", record(n=ListOf(record(n=ListOf(Loop("A")))))),
        Recursive("B", record(n=ListOf(Loop("B")))),
    ),
]


@pytest.mark.parametrize(("narrow", "wide"), ONE_WAY)
def test_each_pair_fits_in_one_direction_only(matcher: Matcher, narrow: ValueType, wide: ValueType) -> None:
    assert matcher.value_subtype(narrow, wide)
    assert not matcher.value_subtype(wide, narrow)


@pytest.mark.parametrize(("left", "right"), NEVER)
def test_each_pair_fits_in_neither_direction(matcher: Matcher, left: ValueType, right: ValueType) -> None:
    assert not matcher.value_subtype(left, right)


@pytest.mark.parametrize(("left", "right"), BOTH)
def test_each_pair_fits_in_both_directions(matcher: Matcher, left: ValueType, right: ValueType) -> None:
    assert matcher.same(left, right)


@pytest.mark.parametrize(
    ("left", "right", "claim"),
    [
        (INT64, FLOAT64, "int64 does not fit float64: not every one of its numbers is exact in 64 bits"),
        (FLOAT64, INT64, "float64 does not fit int64: fractions would be lost"),
        (INT64, INT32, "int64 does not fit int32: it is the wider one"),
        (optional(TEXT), TEXT, "optional<text> does not fit text: it may be absent"),
        (TEXT, INT32, "text does not fit int32"),
    ],
)
def test_a_surprising_refusal_gives_its_reason(
    matcher: Matcher, left: ValueType, right: ValueType, claim: str
) -> None:
    assert matcher.value_subtype(left, right).claim == claim


def test_a_refusal_leads_to_every_field_that_is_wrong(matcher: Matcher) -> None:
    answer = matcher.value_subtype(
        record(a=ListOf(record(x=TEXT)), b=union(p=INT32, q=TEXT), c=INT32),
        record(a=ListOf(record(x=FLOAT64)), b=union(p=INT32), c=INT32, d=BOOL),
    )
    found = {path: failure.claim for path, failure in answer.failures()}
    assert found == {
        ("a", "[]", "x"): "x: text does not fit float64",
        ("b", "q"): "q: no such case in <p: int32>, and text may come",
        ("d",): "d: {a: list<{x: text}>, b: <p: int32 | q: text>, c: int32} has no such field, "
        "and bool is expected",
    }


def test_recursion_through_a_reference_is_decided(matcher: Matcher) -> None:
    """A folder returns references to folders."""

    def folder(number: ValueType) -> Recursive:
        item = record(count=number, ref=Loop("F"))
        return Recursive("F", RefTo(ObjectType((("Folder", EndpointType(outputs=(("item", item),))),))))

    assert matcher.value_subtype(folder(INT32), folder(INT64))
    assert not matcher.value_subtype(folder(INT64), folder(INT32))
