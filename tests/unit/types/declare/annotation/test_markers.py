"""Markers in annotations."""

from __future__ import annotations

from typing import Annotated, Any, get_args

import pytest

from liven.types.declare import (
    DeclarationError,
    Dual,
    EndpointRef,
    Exports,
    Imports,
    Int8,
    Int16,
    Int32,
    Int64,
    Range,
    Ref,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
)
from liven.types.declare.annotation.markers import Endpoint


@pytest.mark.parametrize(
    ("sized", "low", "high"),
    [
        (Int8, -128, 127),
        (Int16, -32768, 32767),
        (Int32, -2147483648, 2147483647),
        (Int64, -9223372036854775808, 9223372036854775807),
        (UInt8, 0, 255),
        (UInt16, 0, 65535),
        (UInt32, 0, 4294967295),
        (UInt64, 0, 18446744073709551615),
    ],
)
def test_a_sized_integer_is_an_int_with_bounds(sized: Any, low: int, high: int) -> None:
    plain, bounds = get_args(sized)
    assert plain is int
    assert bounds == Range(low, high)


def test_a_range_may_hold_one_number_but_not_none() -> None:
    assert Range(3, 3).low == 3
    with pytest.raises(DeclarationError, match="write the lower bound first"):
        Range(4, 3)


def test_references_compare_by_their_text() -> None:
    assert Ref[Any]("x") == Ref("x")
    assert Ref("x") != Ref("y")
    assert hash(EndpointRef("a")) == hash(EndpointRef("a"))
    with pytest.raises(AttributeError):
        Ref("x").xml = "y"  # type: ignore[misc]


def test_every_endpoint_annotation_is_an_endpoint() -> None:
    for marker in (Exports, Imports, Dual):
        assert issubclass(marker, Endpoint)
    assert get_args(Dual[int, str]) == (int, str)
    assert get_args(Annotated[Exports[int], "x"])[0] == Exports[int]
