"""Plain values: the meaning of texts, and texts without a meaning."""

from __future__ import annotations

import math
import struct
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.reference.literals import RANGES, LiteralError, canonical, plain, value
from liven.runtime.reference.model import Plain, PlainType, Token

WHOLE = [kind for kind in get_args(PlainType) if kind in RANGES]


@pytest.mark.parametrize(
    ("item", "meaning"),
    [
        (Plain("string", " a "), " a "),
        (Plain("string"), ""),
        (Plain("string", nil=True), None),
        (Plain("boolean", " true "), True),
        (Plain("boolean", "0"), False),
        (Plain("unsignedByte", "255"), 255),
        (Plain("short", "-32768"), -32768),
        (Plain("int", " +12\n"), 12),
        (Plain("long", "10000000000"), 10**10),
        (Plain("double", "-1.5E-3"), -0.0015),
        (Plain("double", ".5"), 0.5),
        (Plain("double", "-INF"), -math.inf),
        (Plain("float", "0.1"), struct.unpack("<f", struct.pack("<f", 0.1))[0]),
        (Token("Address", "127.0.0.1:1"), "127.0.0.1:1"),
        (Token("Address", None, "127.0.0.1:1"), "127.0.0.1:1"),
        (Token("UINT32", "7"), 7),
        (Token("Index", ""), ""),
        (Token("Identifier", nil=True), None),
    ],
)
def test_a_text_means_its_value(item: Plain | Token, meaning: object) -> None:
    assert value(item) == meaning
    assert type(value(item)) is type(meaning)


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (Plain("boolean", "yes"), "write true or false"),
        (Plain("boolean", "True"), "write true or false"),
        (Plain("int", ""), "is not a whole number"),
        (Plain("int", "1.0"), "is not a whole number"),
        (Plain("int", "٣"), "is not a whole number"),
        (Plain("int", "1_0"), "is not a whole number"),
        (Plain("int", "9" * 5000), "is not a whole number"),
        (Plain("unsignedByte", "256"), "outside 0…255"),
        (Plain("unsignedInt", "-1"), "outside 0…4294967295"),
        (Plain("double", "0,5"), "write it as 12.5 or 1e3"),
        (Plain("double", "nan"), "is not a number"),
        (Plain("double", "0x1p3"), "is not a number"),
        (Plain("float", "1e39"), "use a double"),
        (Token("UINT32", "-1"), "outside"),
    ],
)
def test_a_text_that_means_nothing_is_refused_with_advice(item: Plain | Token, words: str) -> None:
    with pytest.raises(LiteralError, match=words):
        value(item)
    assert canonical(item) == (item.text.strip() if isinstance(item, Plain) else item.value)


@given(st.sampled_from(WHOLE), st.data())
def test_every_whole_number_in_range_is_written_and_read_the_same(
    kind: PlainType, data: st.DataObject
) -> None:
    number = data.draw(st.integers(*RANGES[kind]))
    assert value(plain(kind, number)) == number


@given(st.floats(allow_nan=False))
def test_every_double_is_written_and_read_the_same(number: float) -> None:
    assert value(plain("double", number)) == number


@given(st.floats(width=32, allow_nan=False))
def test_every_float_is_written_and_read_the_same(number: float) -> None:
    assert value(plain("float", number)) == number


def test_a_value_that_its_type_lacks_is_refused() -> None:
    with pytest.raises(LiteralError):
        plain("unsignedByte", 256)
    with pytest.raises(LiteralError):
        plain("boolean", "perhaps")
    assert plain("string", None) == Plain("string", nil=True)
    assert plain("boolean", False) == Plain("boolean", "false")
    assert math.isnan(float(str(value(plain("double", math.nan)))))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Plain("double", "0"), Plain("double", "0.0")),
        (Plain("double", "1e3"), Plain("double", " 1000 ")),
        (Plain("boolean", "1"), Plain("boolean", "true")),
        (Plain("int", "+007"), Plain("int", "7")),
        (Token("UINT32", "07"), Token("UINT32", None, "7")),
        (Plain("string", nil=True), Plain("string", "x", nil=True)),
        (Token("UINT128", "007"), Token("UINT128", "7")),
        (Token("UINT128", "7F"), Token("UINT128", None, " 7f ")),
        (Token("ID", "{abc}"), Token("ID", "ABC")),
        (Token("Identifier", "0abc"), Token("Identifier", "{ABC}")),
    ],
)
def test_spellings_of_one_value_have_one_canonical_text(left: Plain | Token, right: Plain | Token) -> None:
    assert canonical(left) == canonical(right)


def test_an_invalid_128_bit_number_is_kept_as_written() -> None:
    assert canonical(Token("ID", "some alias ")) == "some alias"
    assert canonical(Token("UINT128", "1" * 33)) == "1" * 33
    assert canonical(Token("ID", "7")) != canonical(Token("ID", "70"))
    assert canonical(Token("ID", "7", nil=True)) == canonical(Token("ID", nil=True)) == ""


def test_texts_differ_by_their_spaces() -> None:
    assert canonical(Plain("string", "a")) != canonical(Plain("string", " a"))
