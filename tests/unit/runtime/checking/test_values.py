"""Plain values against the types of parameters, including types that no built-in parameter has."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.checking.values import misfit
from liven.runtime.reference import literals
from liven.runtime.reference.model import (
    Configuration,
    ObjectClass,
    OtherClass,
    Plain,
    PlainType,
    Properties,
    Token,
    Value,
)
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.value_types import (
    BOOL,
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
    MapOf,
    Opaque,
    RefTo,
    ValueType,
    optional,
    record,
)

WHOLE = [kind for kind in get_args(PlainType) if kind in literals.RANGES]


@given(st.sampled_from(WHOLE), st.integers(-(2**64), 2**64), st.integers(-300, 300), st.integers(0, 300))
def test_a_whole_number_fits_an_interval_exactly_if_it_is_inside(
    kind: PlainType, number: int, low: int, width: int
) -> None:
    wanted = Integer(low, low + width)
    item = Plain(kind, str(number))
    in_range = literals.RANGES[kind][0] <= number <= literals.RANGES[kind][1]
    assert (misfit(item, wanted) == "") == (in_range and low <= number <= low + width)


@given(st.floats())
def test_any_number_fits_a_float(number: float) -> None:
    assert misfit(literals.plain("double", number), FLOAT64) == ""


@given(st.text(max_size=5))
def test_any_text_fits_a_text_and_nothing_else_but_ids(text: str) -> None:
    assert misfit(Plain("string", text), TEXT) == ""
    for wanted in (INT32, FLOAT64, BOOL, MapOf(TEXT)):
        assert misfit(Plain("string", text), wanted) != ""


TRUE, NIL = Plain("boolean", "true"), Plain("int", nil=True)
OPAQUE = Opaque(ClassTag(ClassId(1), "t:opaque"))


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (TRUE, BOOL),
        (Plain("float", "1"), FLOAT32),
        (Plain("int", "1"), FLOAT32),
        (Token("UINT32", "7"), UINT8),
        (Token("Identifier", "{1f}"), ID),
        (Token("UINT128", None, "ff"), ID),
        (Token("Address", "a:1"), TEXT),
        (NIL, optional(INT32)),
        (Plain("int", "1"), optional(INT32)),
        (Plain("string", nil=True), TEXT),
        (Plain("string", nil=True), ID),
        (Configuration(), MapOf(TEXT)),
        (Properties(), OPAQUE),
        (TRUE, OPAQUE),
        (OtherClass("ValueClass"), OPAQUE),
        (ObjectClass(), OPAQUE),
    ],
)
def test_a_fitting_value_is_accepted(value: Value, wanted: ValueType) -> None:
    assert misfit(value, wanted) == ""


@pytest.mark.parametrize(
    ("value", "wanted", "words"),
    [
        (TRUE, INT32, "True is given, but int32 is expected"),
        (TRUE, FLOAT64, "True is given"),
        (Plain("int", "1"), BOOL, "1 is given, but bool"),
        (Plain("double", "1"), INT32, "1.0 is given, but int32"),
        (NIL, INT32, "no value is given, but int32"),
        (Plain("boolean", nil=True), BOOL, "no value is given, but bool"),
        (Plain("int", "x"), optional(INT32), "not a whole number"),
        (Plain("string", "1"), record(a=TEXT), "'1' is given, but {a: text}"),
        (Plain("string", "1"), ListOf(TEXT), "list<text>"),
        (Configuration(), MapOf(INT32), "settings are given, but map<text, int32>"),
        (Properties(), TEXT, "properties are given, but text"),
        (ObjectClass("1"), TEXT, "a class is given, but text"),
        (Plain("string", "x"), RefTo(ObjectType()), "'x' is given"),
        (Plain("string", "x"), EndpointTo(EndpointType()), "a file cannot hold a running endpoint"),
    ],
)
def test_an_unfitting_value_is_refused_with_the_reason(value: Value, wanted: ValueType, words: str) -> None:
    assert words in misfit(value, wanted)
