"""Names in formulas, plain and in quotes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.quoting import NAME, quoted, unquoted


@pytest.mark.parametrize("name", ["Send", "get.reply", "at-most-once", "_x1", "Größe", "in.*", "*"])
def test_a_plain_name_needs_no_quotes(name: str) -> None:
    assert quoted(name) == name


@pytest.mark.parametrize("name", ["Set Key", "2D", "", "a b.c", "a.", "-", "x;y", "(", "a\u00a0b"])
def test_other_names_are_quoted(name: str) -> None:
    assert quoted(name) == f'"{name}"'


@pytest.mark.parametrize(
    "text", ["Send", 'in."Set Key"', '"Next Writer".out."Set Key".reply', "channel.in.*", '""', "a.b.c"]
)
def test_a_name_with_directions_is_one_word(text: str) -> None:
    assert re.fullmatch(NAME, text)


@pytest.mark.parametrize("text", ["Set Key", '"open', "a..b", ".a", "a.", "1a", '"a\nb"', "a,b"])
def test_text_of_several_words_is_not_a_name(text: str) -> None:
    assert not re.fullmatch(NAME, text)


@given(st.text(st.characters(exclude_characters='"\n'), max_size=20))
def test_every_name_without_quotes_in_it_can_be_written(name: str) -> None:
    assert unquoted(quoted(name)) == name
    if name != "*":
        assert re.fullmatch(NAME, quoted(name)) or name.endswith(".*")
