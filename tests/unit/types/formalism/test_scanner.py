"""The scanner of short sentences."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.plugin import FormulaError
from liven.types.formalism.scanner import Scanner, decimal_text


def test_words_are_taken_from_the_left() -> None:
    words = Scanner('At Least 2.5% of "Set Key", in.Send')
    assert words.accept("at", "least")
    assert words.number() == Fraction(5, 2)
    assert not words.accept("of")
    words.expect("%", "of")
    assert words.word() == "Set Key"
    assert words.accept_any(";", ",")
    assert words.word() == "in.Send"
    words.finish()


def test_several_words_are_taken_together_or_not_at_all() -> None:
    words = Scanner("at most")
    assert not words.accept("at", "least")
    assert words.peek() == "at"
    assert words.accept("at", "most")
    assert not words.accept("at")


@pytest.mark.parametrize(("text", "number"), [("no", 0), ("One", 1), ("six", 6), ("7", 7), ("0.125", "1/8")])
def test_a_number_is_in_digits_or_a_small_word(text: str, number: int | str) -> None:
    assert Scanner(text).number() == Fraction(number)


@pytest.mark.parametrize("text", ["", "many", "-1", "1234567890123", "eleven", "%"])
def test_a_figure_that_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(FormulaError, match="expected a number of at most 12 digits"):
        Scanner(text).number()


def test_an_error_says_where_and_what_was_found() -> None:
    words = Scanner("at  most  birds")
    words.accept("at", "most")
    with pytest.raises(FormulaError, match="at column 11: expected 'two', found 'birds'"):
        words.expect("two")
    words.word()
    with pytest.raises(FormulaError, match="at column 16: expected a name, found the end"):
        words.word()


def test_what_is_left_over_is_refused() -> None:
    with pytest.raises(FormulaError, match="expected the end, found 'x'"):
        Scanner("x").finish()


def test_a_text_too_long_is_refused() -> None:
    with pytest.raises(FormulaError, match="4096 characters, this has 4097"):
        Scanner("x" * 4097)


@given(st.integers(0, 10**11), st.integers(0, 6))
def test_a_decimal_number_is_printed_as_it_would_be_read(digits: int, places: int) -> None:
    value = Fraction(digits, 10**places)
    text = decimal_text(value)
    assert Fraction(text) == value
    if len(text) <= 12:
        assert Scanner(text).number() == value
