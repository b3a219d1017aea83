"""Types as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.catalogue.notation import (
    Bounded,
    Cases,
    Ends,
    Fields,
    Maybe,
    Named,
    NotationError,
    NotationReader,
    read_type,
)

TEXT = Named("text")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("text", TEXT),
        (" text ", TEXT),
        ("liven:folder", Named("liven:folder")),
        ("list<text>", Named("list", (TEXT,))),
        ("map<text, list<a>>", Named("map", (TEXT, Named("list", (Named("a"),))))),
        ("text?", Maybe(TEXT)),
        ("text??", Maybe(TEXT)),
        ("list<text?>?", Maybe(Named("list", (Maybe(TEXT),)))),
        ("{}", Fields(())),
        ("{x: text, y: a}", Fields((("x", TEXT), ("y", Named("a"))))),
        ('{"a b": text}', Fields((("a b", TEXT),))),
        ("<add: text | remove: {}>", Cases((("add", TEXT), ("remove", Fields(()))))),
        ("int(0..9)", Bounded(0, 9)),
        ("int(-5..-1)", Bounded(-5, -1)),
        ("exports a imports b", Ends(Named("a"), Named("b"))),
        ("exports a", Ends(exported=Named("a"))),
        ("imports b<text>", Ends(imported=Named("b", (TEXT,)))),
        ("local ~UI", Ends(local="~UI")),
        ("endpoint<exports a>", Named("endpoint", (Ends(exported=Named("a")),))),
        ("liven:folder<text, liven:object>", Named("liven:folder", (TEXT, Named("liven:object")))),
    ],
    ids=str,
)
def test_a_type_is_read(text: str, node: object) -> None:
    assert read_type(text) == node


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "column 1: expected a name, found the end"),
        ("list<", "expected a name, found the end"),
        ("list<text", "column 10: expected `>`, found the end"),
        ("text text", "column 5: expected the end, found `text`"),
        ("{x text}", "column 3: expected `:`, found `text}`"),
        ("{x: text y: text}", "column 9: expected `,`"),
        ("<a: text, b: text>", "expected `|`, found `, b: text>`"),
        ("int(1..)", "expected a number"),
        ("int(a..2)", "expected a number"),
        ("?", "expected a name, found"),
        ("{1: text}", "expected a name"),
        ("list<text>>", "expected the end, found `>`"),
        ("text;", "expected the end, found `;`"),
    ],
)
def test_what_is_no_type_is_refused_with_the_column(text: str, said: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_type(text)
    assert said in str(caught.value)


def test_types_nested_beyond_reason_are_refused() -> None:
    with pytest.raises(NotationError, match="nested more than 100 deep"):
        read_type("list<" * 200 + "text" + ">" * 200)


@given(st.text(alphabet="ab<>{}(),:?| .0-\"'~", max_size=40))
def test_any_text_is_a_type_or_an_error_that_says_so(text: str) -> None:
    try:
        read_type(text)
    except NotationError as problem:
        assert "expected" in str(problem) or "nested" in str(problem)


def test_a_line_is_read_from_left_to_right() -> None:
    reader = NotationReader('send(a: text, b: list<text>) -> text "note"')
    assert reader.name() == "send"
    reader.demand("(")
    assert reader.named_items(",", ")") == (("a", TEXT), ("b", Named("list", (TEXT,))))
    assert reader.sign("->")
    assert reader.type() == TEXT
    assert not reader.finished()
    assert reader.name() == "note"
    assert reader.finished()
