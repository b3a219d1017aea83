"""The laws of a note's history: words that differ are told, and a restoration leads back to the same text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.history import note_history
from liven.liveobjects.feeds.history.difference import Act
from liven.liveobjects.feeds.history.note_history import LOOKS, differences, hunks, restoration, text_of
from liven.liveobjects.text.document import Delete, Document, Insert, Keep, Run

LOOK = st.sampled_from([{}, {"bold": True}, {"heading": 1}, {"bold": True, "link": "x"}])
TEXTS = st.lists(
    st.builds(Insert, st.sampled_from(["tent ", "boat\n", "é🙂", ". ", "two boats, ", "a"]), LOOK), max_size=8
)


def document(parts: list[Insert]) -> Document:
    made = Document(writer=1)
    for part in reversed(parts):
        made.edit((part,))
    return made


def note(text: str) -> tuple[Run, ...]:
    return (Run(text, {}),) if text else ()


def flat(runs: tuple[Run, ...]) -> list[tuple[str, Any]]:
    return [(sign, run.look) for run in runs for sign in run.text]


@given(TEXTS, TEXTS)
def test_restoration_of_everything_gives_the_earlier_text_and_looks(
    first: list[Insert], second: list[Insert]
) -> None:
    then, now = document(first), document(second)
    wanted = then.runs()
    now.edit(restoration(now.runs(), wanted))
    assert flat(now.runs()) == flat(wanted)


@given(TEXTS, TEXTS, st.integers(0, 100))
def test_restoration_of_one_place_leaves_the_others(
    first: list[Insert], second: list[Insert], at: int
) -> None:
    old, new = text_of(document(first).runs()), text_of(document(second).runs())
    found = hunks(old, new)
    if not found:
        return
    chosen = found[at % len(found)]
    now = Document(writer=1)
    now.edit((Insert(new, {}),)) if new else None
    now.edit(restoration(note(new), note(old), [chosen.key]))
    assert str(now) == new[: chosen.new_start] + old[chosen.start : chosen.end] + new[chosen.new_end :]


@given(st.text("ab \n", max_size=60), st.text("ab \n", max_size=60), st.booleans())
def test_hunks_cover_exactly_what_differs(old: str, new: str, by_lines: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if by_lines:
            patch.setattr(note_history, "_MOST_WORDS", 3)
        made, read = "", 0
        for hunk in hunks(old, new):
            made += old[read : hunk.start] + new[hunk.new_start : hunk.new_end]
            read = hunk.end
        assert made + old[read:] == new


def test_whole_words_are_told_with_what_they_were() -> None:
    [one] = differences(note("the lamp is lit at 21:48"), note("the lamp is lit at noon"))
    assert (one.act, one.name, one.detail) == (Act.WRITTEN, "“noon”", "it was “21:48”")


def test_added_and_removed_words_are_told_apart() -> None:
    added, removed = differences(note("one\ntwo\nthree"), note("one and\ntwo\n"))
    assert (added.act, added.name) == (Act.ADDED, "“and”")
    assert (removed.act, removed.name) == (Act.REMOVED, "“three”")


def test_another_look_alone_is_one_difference() -> None:
    then, now = note("boat"), (Run("boat", {"bold": True}),)
    [one] = differences(then, now)
    assert one.key == LOOKS
    assert restoration(now, then, [LOOKS]) == (Keep(4, {"bold": None}),)


def test_equal_texts_need_no_edit() -> None:
    assert restoration(note("boat"), note("boat")) == ()
    assert differences(note("boat"), note("boat")) == ()


def test_an_empty_text_is_restored_by_deleting_all() -> None:
    assert restoration(note("boat"), ()) == (Delete(4),)


def test_a_long_text_is_compared_quickly_by_lines_and_then_by_words() -> None:
    old = "".join(f"line {number} with some words\n" for number in range(30_000))
    new = old.replace("line 15000 with", "line 15000 without")
    [one] = differences(note(old), note(new))
    assert (one.name, one.detail) == ("“without”", "it was “with”")
