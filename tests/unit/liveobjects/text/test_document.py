from __future__ import annotations

import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.text.document import Delete, Delta, Document, Insert, Keep
from liven.liveobjects.text.yjs_update import BrokenUpdateError

WORDS = st.text(alphabet="aé😀\nb", min_size=1, max_size=5)
LOOKS = st.sampled_from([{}, {"bold": True}, {"italic": True, "bold": True}])
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4), WORDS, LOOKS), max_size=12)


def delta_of(document: Document, edit: tuple[float, int, str, dict[str, bool]]) -> Delta:
    where, gone, text, look = edit
    at = int(where * len(document))
    return (Keep(at, {}), Delete(min(gone, len(document) - at)), Insert(text, look))


def replay(start: str, deltas: list[Delta]) -> str:
    for delta in deltas:
        at, made = 0, ""
        for part in delta:
            match part:
                case Insert(text, _):
                    made += text
                case Keep(length, _):
                    made += start[at : at + length]
                    at += length
                case Delete(length):
                    at += length
        start = made + start[at:]
    return start


@given(EDITS, EDITS)
def test_two_replicas_that_exchange_their_edits_are_equal(
    ours: list[tuple[float, int, str, dict[str, bool]]],
    theirs: list[tuple[float, int, str, dict[str, bool]]],
) -> None:
    one, other = Document(), Document()
    sent_one = [one.edit(delta_of(one, edit)) for edit in ours]
    sent_other = [other.edit(delta_of(other, edit)) for edit in theirs]
    for update in sent_other:
        one.merge(update)
    for update in sent_one:
        other.merge(update)
    assert str(one) == str(other)
    assert one.digest() == other.digest()
    assert Document(one.whole()).digest() == one.digest()


@given(EDITS)
def test_listeners_get_the_whole_change_in_characters(
    edits: list[tuple[float, int, str, dict[str, bool]]],
) -> None:
    writer, reader = Document(), Document()
    heard: list[Delta] = []
    reader.hear(heard.append)
    plain = ""
    for edit in edits:
        delta = delta_of(writer, edit)
        plain = replay(plain, [delta])
        reader.merge(writer.edit(delta))
        assert str(writer) == plain
    assert replay("", heard) == plain


def test_a_format_is_set_and_removed() -> None:
    document = Document()
    document.edit((Insert("é😀b", {}),))
    document.edit((Keep(1, {}), Keep(1, {"bold": True})))
    assert [(run.text, run.look) for run in document.runs()] == [("é", {}), ("😀", {"bold": True}), ("b", {})]
    document.edit((Keep(3, {"bold": None}),))
    assert [(run.text, run.look) for run in document.runs()] == [("é😀b", {})]


def test_a_pinned_position_moves_with_its_text() -> None:
    document = Document()
    document.edit((Insert("one 😀 two", {}),))
    pin = document.pin(6)
    document.edit((Insert("ä", {}),))
    assert document.find(pin) == 7
    assert str(document)[7:] == "two"
    document.edit((Keep(7, {}), Delete(3)))
    assert document.find(pin) == 7


def test_a_change_beyond_the_end_is_an_error_and_changes_nothing() -> None:
    document = Document()
    document.edit((Insert("abc", {}),))
    with pytest.raises(IndexError, match="ends at character 4; the text has 3"):
        document.edit((Keep(2, {}), Delete(2)))
    assert str(document) == "abc"


def test_invalid_updates_are_refused_and_change_nothing() -> None:
    document = Document()
    update = document.edit((Insert("aé😀b\n", {"bold": True}),))
    chance = random.Random(4)
    for _ in range(300):
        broken = bytearray(update)
        broken[chance.randrange(len(broken))] = chance.randrange(256)
        with_that = Document()
        try:
            with_that.merge(bytes(broken))
        except BrokenUpdateError:
            assert str(with_that) == ""
    with pytest.raises(BrokenUpdateError, match="40 bytes that are not a change"):
        document.merge(b"\xff" * 40)
    with pytest.raises(BrokenUpdateError):
        document.find(os.urandom(1) + b"\xff")
    assert str(document) == "aé😀b\n"


def test_the_end_can_be_pinned_from_either_side() -> None:
    document = Document()
    first, last = document.pin(0), document.pin(0, after=False)
    document.edit((Insert("abc", {}),))
    assert (document.find(first), document.find(last)) == (3, 0)


def test_a_position_of_another_text_is_refused_without_a_panic(capfd: pytest.CaptureFixture[str]) -> None:
    here, other = Document(), Document()
    here.edit((Insert("abc", {}),))
    other.edit((Insert("abc", {}),))
    for pinned in (other.pin(1), other.pin(2, after=False)):
        with pytest.raises(BrokenUpdateError, match="its character is not in this text"):
            here.find(pinned)
    assert capfd.readouterr().err == ""
