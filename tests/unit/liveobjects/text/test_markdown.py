from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.markdown import delta_of, is_web_address


def parts(markdown: str) -> list[tuple[str, dict[str, object]]]:
    found = delta_of(markdown)
    return [(one.text, dict(one.look)) for one in found if isinstance(one, Insert)]


@pytest.mark.parametrize(
    ("line", "words", "paragraph"),
    [
        ("# Plan", "Plan", {"heading": 1}),
        ("### Plan ###", "Plan", {"heading": 3}),
        ("###### Plan", "Plan", {"heading": 3}),
        ("#Plan", "#Plan", {}),
        ("- tea", "tea", {"list": "bullet"}),
        ("  * tea", "tea", {"list": "bullet"}),
        ("12. tea", "tea", {"list": "number"}),
        ("- [ ] tea", "tea", {"list": "check"}),
        ("- [X] tea", "tea", {"list": "check", "checked": True}),
        ("3 < 4", "3 < 4", {}),
    ],
)
def test_a_line_has_the_look_of_its_mark(line: str, words: str, paragraph: dict[str, object]) -> None:
    assert parts(line) == [(words, {}), ("\n", paragraph)]


@pytest.mark.parametrize(
    ("line", "words", "look"),
    [
        ("**tea**", "tea", {"bold": True}),
        ("__tea__", "tea", {"bold": True}),
        ("*tea*", "tea", {"italic": True}),
        ("_tea_", "tea", {"italic": True}),
        ("[tea](https://example.org)", "tea", {"link": "https://example.org"}),
        ("https://example.org/a_b_c", "https://example.org/a_b_c", {"link": "https://example.org/a_b_c"}),
        ("[tea](javascript:1)", "[tea](javascript:1)", {}),
        ("snake_case_name", "snake_case_name", {}),
        ("2 * 3 * 4", "2 * 3 * 4", {}),
    ],
)
def test_words_have_the_look_of_their_marks(line: str, words: str, look: dict[str, object]) -> None:
    assert parts(line)[0] == (words, look)


def test_marks_within_a_line_leave_the_rest_alone() -> None:
    assert parts("a **b** c")[:3] == [("a ", {}), ("b", {"bold": True}), (" c", {})]


@given(some.text(alphabet=some.characters(exclude_categories=["Cs"]), max_size=200))
def test_a_text_without_marks_stays_as_it_is(text: str) -> None:
    plain = "".join(sign for sign in text if sign.isalpha() or sign in " \n")
    assert "".join(words for words, _ in parts(plain)) == f"{plain}\n"


@given(some.text(alphabet="#-*_[]()x1. h\n", max_size=60))
def test_any_text_has_as_many_lines_as_before(text: str) -> None:
    assert sum(words == "\n" for words, _ in parts(text)) == text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("https://example.org/a?b=c#d", True),
        (" http://example.org \n", True),
        ("https://example.org and more", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_a_web_address_is_told_from_a_text(text: str, good: bool) -> None:
    assert is_web_address(text) is good
