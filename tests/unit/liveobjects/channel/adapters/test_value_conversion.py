"""Conversions between value classes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.liveobjects.channel.adapters.value_conversion import conversion
from liven.types.terms.value_types import (
    TEXT,
    Float,
    Integer,
    ListOf,
    MapOf,
    OptionalOf,
    Record,
    Scalar,
    Union,
    ValueType,
)

BYTE, WORD = Integer(0, 255), Integer(-(2**31), 2**31 - 1)
REAL, TRUTH, OCTETS = Float(64), Scalar("bool"), Scalar("bytes")


def converted(given_: ValueType, wanted: ValueType, value: Any) -> Any:
    make = conversion(given_, wanted)
    assert make is not None
    return make(value)


@pytest.mark.parametrize(
    ("given_", "wanted", "value", "result"),
    [
        (BYTE, TEXT, 7, "7"),
        (TEXT, BYTE, " 7 ", 7),
        (REAL, WORD, 2.5, 3),
        (REAL, WORD, -2.4, -2),
        (TEXT, REAL, "1e3", 1000.0),
        (TRUTH, TEXT, True, "true"),
        (TEXT, TRUTH, " False", False),
        (BYTE, OptionalOf(TEXT), 7, "7"),
        (OptionalOf(BYTE), TEXT, 7, "7"),
        (OptionalOf(BYTE), OptionalOf(TEXT), None, None),
        (ListOf(BYTE), ListOf(TEXT), [1, 2], ["1", "2"]),
        (MapOf(BYTE), MapOf(TEXT), {"a": 1}, {"a": "1"}),
        (OCTETS, OCTETS, b"x", b"x"),
        (
            Record((("a", BYTE), ("more", TEXT))),
            Record((("a", TEXT), ("note", OptionalOf(TEXT)))),
            {"a": 1, "more": "x"},
            {"a": "1", "note": None},
        ),
        (Union((("a", BYTE),)), Union((("a", TEXT), ("b", TEXT))), {"a": 1}, {"a": "1"}),
    ],
)
def test_values_are_converted(given_: ValueType, wanted: ValueType, value: Any, result: Any) -> None:
    assert converted(given_, wanted, value) == result


@pytest.mark.parametrize(
    ("given_", "wanted"),
    [
        (OCTETS, TEXT),
        (TEXT, OCTETS),
        (ListOf(BYTE), BYTE),
        (Record((("a", BYTE),)), Record((("b", BYTE),))),
        (Record((("a", OCTETS),)), Record((("a", TEXT),))),
        (Union((("a", BYTE), ("c", BYTE))), Union((("a", TEXT),))),
        (ListOf(OCTETS), ListOf(TEXT)),
    ],
)
def test_pairs_without_a_sensible_conversion_have_none(given_: ValueType, wanted: ValueType) -> None:
    assert conversion(given_, wanted) is None


@pytest.mark.parametrize(
    ("given_", "wanted", "value"),
    [
        (TEXT, BYTE, "seven"),
        (TEXT, BYTE, "256"),
        (REAL, BYTE, float("nan")),
        (REAL, BYTE, float("inf")),
        (WORD, BYTE, -1),
        (TEXT, TRUTH, "yes"),
        (TEXT, REAL, "1,5"),
        (OptionalOf(BYTE), TEXT, None),
    ],
)
def test_a_value_that_cannot_be_converted_is_an_error(
    given_: ValueType, wanted: ValueType, value: Any
) -> None:
    with pytest.raises(UnfitError):
        converted(given_, wanted, value)


@given(st.integers(-(2**31), 2**31 - 1))
def test_a_number_survives_conversion_to_text_and_back(number: int) -> None:
    assert converted(TEXT, WORD, converted(WORD, TEXT, number)) == number
