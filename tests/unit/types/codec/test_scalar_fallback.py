from __future__ import annotations

import math

import pytest

from liven.types.codec.errors import CodecError, kind_of
from liven.types.codec.scalar_fallback import (
    SINGLE_MAX,
    number,
    rounded,
    rounded_loosely,
    single,
    single_read,
    unpaired,
    whole,
)


def test_a_truth_value_is_not_a_number() -> None:
    with pytest.raises(CodecError, match="expected uint8, got bool"):
        whole(True, 0, 255, "uint8", ("x",))
    with pytest.raises(CodecError, match="got bool"):
        number(False, "float64", ())


@pytest.mark.parametrize(("width", "exact"), [("float32", 2**24), ("float64", 2**53)])
def test_whole_numbers_become_floats_where_that_is_exact(width: str, exact: int) -> None:
    assert number(exact, width, ()) == float(exact)
    assert number(-exact, width, ()) == -float(exact)
    with pytest.raises(CodecError):
        number(exact + 1, width, ())


def test_rounding_to_32_bits_never_makes_infinity() -> None:
    assert rounded(SINGLE_MAX) == SINGLE_MAX
    assert single(math.inf, ()) == math.inf
    assert math.isnan(rounded_loosely(1e300))
    with pytest.raises(CodecError, match="too large"):
        single(SINGLE_MAX * 2, ())


def test_a_float_read_as_32_bits_must_be_exact() -> None:
    assert single_read(0.5, ()) == 0.5
    assert math.isnan(single_read(math.nan, ()))
    assert single_read(3, ()) == 3.0
    with pytest.raises(CodecError, match="expected float32, got float64"):
        single_read(0.1, ("p",))


def test_the_text_without_a_utf8_form_is_found() -> None:
    fault = unpaired({"a": ["fine", {"b": "x\udcff"}]}, "op")
    assert fault is not None
    assert str(fault) == "op.a[1].b: the text holds half a surrogate pair (0xdcff) at 1"
    assert unpaired({"a": [1, "fine", None]}, "op") is None


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "bool"),
        (-4, "-4"),
        (1.5, "float64"),
        ("x", "text"),
        (b"abc", "3 bytes"),
        ({}, "record or map"),
        ([], "list"),
        ((), "list"),
        ({1}, "a Python set"),
    ],
)
def test_a_fault_names_the_kind_of_the_value(value: object, words: str) -> None:
    assert kind_of(value) == words
