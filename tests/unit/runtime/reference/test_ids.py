"""Ids in every spelling that files use, and aliases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.reference import ids
from liven.types.ids import ClassId

TEXT = ClassId(0xE3EA16F4ECC84B3B998E01F3B78E9AC9)


@pytest.mark.parametrize(
    "text",
    [
        "E3EA16F4ECC84B3B998E01F3B78E9AC9",
        "e3ea16f4ecc84b3b998e01f3b78e9ac9",
        "{E3EA16F4ECC84B3B998E01F3B78E9AC9}",
        " E3EA16F4ECC84B3B998E01F3B78E9AC9 ",
        "0:E3EA16F4ECC84B3B998E01F3B78E9AC9",
        "0`0:E3EA16F4ECC84B3B998E01F3B78E9AC9`0",
        ":{E3EA16F4ECC84B3B998E01F3B78E9AC9}`",
    ],
)
def test_all_spellings_of_an_id_are_one(text: str) -> None:
    assert ids.parse(text) == TEXT
    assert ids.normal(text) == "E3EA16F4ECC84B3B998E01F3B78E9AC9"


@pytest.mark.parametrize(
    "text",
    [
        "liven:text",
        "standup",
        "0x1F",
        "-1F",
        "1_F",
        "E3EA-16F4",
        "٣",
        "1:2:3",
        "F" * 33,
        "1`99999999999999999999",
        "1`F",
    ],
)
def test_a_text_that_is_not_hexadecimal_or_too_long_is_an_alias(text: str) -> None:
    assert ids.parse(text) is None
    assert ids.normal(f" {text} ") == text


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_text_is_not_an_id(text: str) -> None:
    assert ids.parse(text) is None
    assert ids.normal(text) == ""


@given(
    st.builds(
        ClassId,
        st.integers(0, 2**128 - 1),
        st.integers(0, 2**64 - 1),
        st.integers(0, 2**128 - 1),
        st.integers(0, 2**64 - 1),
    )
)
def test_the_canonical_spelling_is_read_as_the_same_id(number: ClassId) -> None:
    assert ids.parse(str(number)) == number
    assert ids.normal(str(number)) == str(number)


def test_an_alias_is_looked_up_and_an_id_is_not() -> None:
    asked: list[str] = []

    def lookup(kind: str, alias: str) -> ClassId | None:
        asked.append(f"{kind} {alias}")
        return TEXT if alias == "liven:text" else None

    assert ids.resolve("value", "liven:text", lookup) == TEXT
    assert ids.resolve("value", "liven:tent", lookup) is None
    assert ids.resolve("value", "104`1", lookup) == ClassId(0x104, 1)
    assert asked == ["value liven:text", "value liven:tent"]


def test_two_spellings_name_one_component_whatever_the_versions() -> None:
    assert ids.same("{104}", "0`7:0104`1")
    assert not ids.same("104", "1:104")
    assert ids.same(" standup", "standup")
    assert not ids.same("standup", "104")


def test_braces_around_the_whole_make_no_difference() -> None:
    assert ids.parse("{1`2:ABC`3}") == ids.parse("{1}`2:{ABC}`3") == ids.parse("1`2:abc`3") is not None
    assert ids.parse("{ABC`3}") == ids.parse("abc`3")
    assert ids.parse("{0`0:ID`0}") is None
