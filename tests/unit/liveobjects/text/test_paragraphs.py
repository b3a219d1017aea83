"""Enter, Backspace and marks such as "- " in the paragraphs of a note."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.text import paragraphs
from liven.liveobjects.text.document import Delta, Document, Insert, Look

Line = tuple[str, Look]
LOOKS: list[Look] = [
    {},
    {"heading": 2},
    {"list": "bullet"},
    {"list": "check"},
    {"list": "check", "checked": True},
]


def written(*lines: Line, last: str | None = None) -> Document:
    """Return a note with these paragraphs, and a last one without a line break if `last` is given."""
    document = Document(writer=1)
    parts = [part for words, look in lines for part in (Insert(words, {}), Insert("\n", look)) if part.text]
    if last:
        parts.append(Insert(last, {}))
    if parts:
        document.edit(tuple(parts))
    return document


def lines(document: Document) -> list[Line]:
    """Return the paragraphs; the last one has no line break, and is left out where it is empty."""
    text, made, at = str(document), [], 0
    for words in text.split("\n"):
        made.append((words, _plain(paragraphs.paragraph_look(document, at))))
        at += len(words) + 1
    return made[:-1] if made[-1][0] == "" else made


def _plain(look: Look) -> Look:
    return {name: int(value) if isinstance(value, float) else value for name, value in look.items()}


def enter(document: Document, start: int, end: int | None = None) -> int:
    delta, caret = paragraphs.entered(document, start, start if end is None else end)
    document.edit(delta)
    return caret


def test_behind_a_heading_follows_plain_text() -> None:
    document = written(("Title", {"heading": 1}))
    assert enter(document, 5) == 6
    assert lines(document) == [("Title", {"heading": 1}), ("", {})]


def test_inside_a_heading_both_halves_are_headings() -> None:
    document = written(("Title", {"heading": 1}))
    enter(document, 2)
    assert lines(document) == [("Ti", {"heading": 1}), ("tle", {"heading": 1})]


def test_before_a_heading_comes_an_empty_plain_line() -> None:
    document = written(("Title", {"heading": 1}))
    enter(document, 0)
    assert lines(document) == [("", {}), ("Title", {"heading": 1})]


def test_behind_a_ticked_item_follows_an_open_one() -> None:
    document = written(("milk", {"list": "check", "checked": True}))
    enter(document, 4)
    assert lines(document) == [("milk", {"list": "check", "checked": True}), ("", {"list": "check"})]


def test_enter_in_an_empty_item_ends_the_list() -> None:
    document = written(("milk", {"list": "bullet"}), ("", {"list": "bullet"}))
    assert enter(document, 5) == 5
    assert lines(document) == [("milk", {"list": "bullet"}), ("", {})]


def test_enter_replaces_a_selection() -> None:
    document = written(("one two", {"list": "number"}), ("three", {"list": "number"}))
    assert enter(document, 3, 8) == 4
    assert lines(document) == [("one", {"list": "number"}), ("three", {"list": "number"})]


def test_backspace_at_the_start_takes_the_list_away_and_then_joins_lines() -> None:
    document = written(("one", {"list": "bullet"}), ("two", {"list": "check", "checked": True}))
    delta = paragraphs.backspaced(document, 4)
    assert delta is not None
    document.edit(delta)
    assert lines(document) == [("one", {"list": "bullet"}), ("two", {})]
    assert paragraphs.backspaced(document, 4) is None
    assert paragraphs.backspaced(document, 2) is None


@pytest.mark.parametrize(
    ("mark", "look"),
    [
        ("- ", {"list": "bullet"}),
        ("1. ", {"list": "number"}),
        ("[] ", {"list": "check"}),
        ("[x] ", {"list": "check", "checked": True}),
        ("## ", {"heading": 2}),
    ],
)
def test_a_typed_mark_becomes_what_it_stands_for(mark: str, look: Look) -> None:
    for document in (written(last=f"{mark}milk"), written((f"{mark}milk", {}))):
        delta = paragraphs.marked(document, len(mark))
        assert delta is not None
        document.edit(delta)
        assert lines(document) == [("milk", look)]


@pytest.mark.parametrize("words", ["-", "a - ", "2. ", " - ", "-- "])
def test_other_words_stay_as_they_are(words: str) -> None:
    assert paragraphs.marked(written(last=words), len(words)) is None


def test_a_mark_in_a_list_stays_as_it_is() -> None:
    assert paragraphs.marked(written(("- milk", {"list": "check"})), 2) is None


@given(
    st.lists(st.tuples(st.text("ab", max_size=3), st.sampled_from(LOOKS)), max_size=4),
    st.text("ab", max_size=2),
    st.data(),
)
def test_enter_and_backspace_keep_all_characters_outside_the_selection(
    content: list[Line], last: str, data: st.DataObject
) -> None:
    document = written(*content, last=last)
    text = str(document)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    caret = enter(document, start, end)
    assert str(document) in (f"{text[:start]}\n{text[end:]}", text)
    assert str(document)[:caret].startswith(text[:start])
    before = str(document)
    delta: Delta | None = paragraphs.backspaced(document, caret)
    if delta is not None:
        document.edit(delta)
    assert str(document) == before
