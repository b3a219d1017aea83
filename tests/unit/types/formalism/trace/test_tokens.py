"""The tokens of a formula."""

from __future__ import annotations

import pytest

from liven.types.formalism.plugin import FormulaError
from liven.types.formalism.trace.tokens import MAX_DEPTH, RESERVED, Token, TokenStream, tokens


def texts(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("every Receive follows a Send", ["every", "Receive", "follows", "a", "Send"]),
        ("(in.A|out.B)&!*", ["(", "in.A", "or", "out.B", ")", "and", "not", "*"]),
        ("a->b<->c", ["a", "implies", "b", "iff", "c"]),
        ("at most 3 x, y;z", ["at", "most", "3", "x", ",", "y", ";", "z"]),
        ("in.get.reply in.* peer is at-most-once", ["in.get.reply", "in.*", "peer", "is", "at-most-once"]),
        ('no "Set Key"."x y" then', ["no", '"Set Key"."x y"', "then"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_a_text_is_cut_into_words(text: str, words: list[str]) -> None:
    assert texts(text) == words


@pytest.mark.parametrize(
    ("text", "column", "sign"),
    [("a $ b", 3, "$"), ("a - b", 3, "-"), ('"open', 1, '"'), ("a.b. c", 4, "."), ("  =", 3, "=")],
)
def test_a_sign_that_means_nothing_is_refused_where_it_stands(text: str, column: int, sign: str) -> None:
    with pytest.raises(FormulaError) as refused:
        tokens(text)
    assert str(refused.value) == f"at column {column}: {sign!r} has no meaning in a formula"


def test_each_word_knows_its_column() -> None:
    assert [token.column for token in tokens("  no  Send")] == [3, 7]


@pytest.mark.parametrize(("text", "name"), [("Send", True), ("*", True), ("_x", True), ('"no"', True)])
def test_a_word_that_can_be_an_event(text: str, name: bool) -> None:
    assert Token(text, 1).is_name is name


@pytest.mark.parametrize("text", ["no", "every", "3", "(", ",", "", "until"])
def test_a_word_that_cannot_be_an_event(text: str) -> None:
    assert not Token(text, 1).is_name


def test_the_words_of_the_language_are_plain() -> None:
    assert all(word.isalpha() and word.islower() for word in RESERVED)


def test_words_are_taken_only_where_all_of_them_come() -> None:
    words = TokenStream("at least one")
    assert not words.accept("at", "most")
    assert words.accept("at", "least")
    assert words.peek().text == "one"
    assert words.peek(1).text == ""
    assert words.take().text == "one"
    assert words.found() == "the end"


def test_what_is_expected_and_missing_is_named() -> None:
    words = TokenStream("no Send")
    words.take()
    with pytest.raises(FormulaError, match="at column 4: expected 'after', found 'Send'"):
        words.expect("after")


def test_depth_is_counted_and_given_back() -> None:
    words = TokenStream("x")
    for _ in range(3):
        with words:
            pass
    with pytest.raises(FormulaError, match="nested deeper than 40 levels"):
        for _ in range(MAX_DEPTH + 1):
            words.__enter__()
