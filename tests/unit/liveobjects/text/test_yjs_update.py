from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import Array, Doc, Map, Text

from liven.liveobjects.text.document import Delete, Document, Insert, Keep
from liven.liveobjects.text.yjs_update import BrokenUpdateError, Known, read_update, units

EDITS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.floats(0, 1),
        st.integers(0, 4),
        st.text(alphabet="aé😀\nb", min_size=1, max_size=5),
        st.sampled_from([{}, {"bold": True}, {"heading": 1}, {"link": "https://a.b/😀"}]),
    ),
    max_size=20,
)


def made(write: Callable[[Doc[Any], Text], object], writer: int = 7) -> bytes:
    doc: Doc[Any] = Doc(client_id=writer)
    write(doc, doc.get("text", type=Text))
    return bytes(doc.get_update())


def each(write: list[str]) -> list[bytes]:
    """Return the updates of one writer who appends these texts."""
    document = Document(writer=7)
    return [document.edit((Keep(len(document), {}), Insert(text, {}))) for text in write]


@given(EDITS)
def test_every_update_of_a_replica_is_read_and_tracked_as_merged(
    edits: list[tuple[int, float, int, str, dict[str, Any]]],
) -> None:
    """Three replicas receive edits late, and each finally restarts from a checkpoint."""
    replicas = [Document(), Document(), Document()]
    late: list[bytes] = []
    for who, where, gone, text, look in edits:
        document = replicas[who]
        at = int(where * len(document))
        late.append(document.edit((Keep(at, {}), Delete(min(gone, len(document) - at)), Insert(text, look))))
    for update in late:
        for document in replicas:
            document.merge(update)
    assert len({document.digest() for document in replicas}) == 1
    for document in replicas:
        again = Document(document.whole())
        assert again.digest() == document.digest()
        assert sorted(again._known.written.items()) == again.merged() == document.merged()
        assert sorted(document._known.written.items()) == document.merged()
        assert again._known._halves == document._known._halves


def test_an_edit_with_missing_context_is_refused_by_old_and_new_replicas() -> None:
    first, second, third = each(["one ", "two ", "three"])
    early = Document(first)
    with pytest.raises(BrokenUpdateError, match="missing edit"):
        early.merge(third)
    later = Document(early.whole())
    for document in (early, later):
        document.merge(second)
        document.merge(third)
        assert str(document) == "one two three"
    assert early.merged() == later.merged()


def test_an_edit_after_an_unknown_character_is_refused() -> None:
    behind = bytes([1, 1, 9, 0, 0x84, 7, 40, 1]) + b"x" + bytes([0])
    document = Document(each(["one"])[0])
    with pytest.raises(BrokenUpdateError, match="missing edit"):
        document.merge(behind)
    assert str(document) == "one"


def test_blocks_that_depend_on_each_other_are_refused() -> None:
    circle = bytes([2, 1, 9, 0, 0x84, 8, 0, 1]) + b"x" + bytes([1, 8, 0, 0x84, 9, 0, 1]) + b"y" + bytes([0])
    with pytest.raises(BrokenUpdateError, match="missing edit"):
        Document().merge(circle)


def test_dependent_blocks_in_one_update_may_come_in_any_order() -> None:
    row = bytes([2, 1, 9, 0, 0x84, 8, 0, 1]) + b"x" + bytes([1, 8, 0, 0x04, 1, 4]) + b"text\1y" + bytes([0])
    document = Document()
    document.merge(row)
    assert str(document) == "yx"


@pytest.mark.parametrize(
    "cut",
    [
        bytes([0, 1, 7, 1, 2, 1]),  # removes the second half
        bytes([0, 1, 7, 1, 1, 1]),  # removes the first half
        bytes([1, 1, 9, 0, 0x84, 7, 1, 1]) + b"x" + bytes([0]),  # writes behind the first half
        bytes([1, 1, 9, 0, 0x44, 7, 2, 1]) + b"x" + bytes([0]),  # writes before the second half
    ],
)
def test_an_edit_that_splits_a_character_is_refused(cut: bytes) -> None:
    document = Document(each(["a😀b"])[0])
    with pytest.raises(BrokenUpdateError, match="splits a character"):
        document.merge(cut)
    assert str(document) == "a😀b"
    assert Document(document.whole()).digest() == document.digest()


def test_an_edit_after_half_a_character_is_refused() -> None:
    document = Document(each(["ab"])[0])
    again = bytes([1, 1, 7, 0, 0x04, 1, 4]) + b"text" + bytes([5]) + "a😀".encode() + bytes([0])
    with pytest.raises(BrokenUpdateError, match="inside a character"):
        document.merge(again)


def test_deleting_unknown_characters_is_refused() -> None:
    with pytest.raises(BrokenUpdateError, match="deletes unknown characters"):
        Document(each(["a"])[0]).merge(bytes([0, 1, 7, 1, 0, 9]))


@pytest.mark.parametrize(
    ("write", "why"),
    [
        (lambda _doc, text: text.insert_embed(0, {"picture": "x"}), "other than text"),
        (lambda doc, _text: doc.get("other", type=Text).insert(0, "hidden"), "other than the text"),
        (lambda doc, _text: doc.get("map", type=Map).update({"a": 1}), "other than the text"),
        (lambda doc, _text: doc.get("note", type=Map).update({"lid": "x"}), "unknown setting"),
        (lambda doc, _text: doc.get("note", type=Map).update({"paper": 1.5}), "not one text"),
        (lambda doc, _text: doc.get("note", type=Map).update({"paper": "x" * 101}), "too long"),
        (lambda doc, _text: doc.get("note", type=Map).update({"paper": Text("x")}), "other than the text"),
        (lambda doc, _text: doc.get("array", type=Array).append(1), "other than the text"),
        (lambda _doc, text: text.insert(0, "x", {"odd": {"a": 1}}), "not a plain value"),
        (lambda _doc, text: text.insert(0, "x", {"odd": [1, 2]}), "not a plain value"),
        (lambda _doc, text: text.insert(0, "x", {"link": "x" * 5000}), "5,000 characters"),
    ],
)
def test_updates_of_other_things_than_text_are_refused(
    write: Callable[[Doc[Any], Text], object], why: str
) -> None:
    document = Document()
    with pytest.raises(BrokenUpdateError, match=why):
        document.merge(made(write))
    assert document.merged() == []


@pytest.mark.parametrize(
    "mixed",
    [
        bytes([1, 1, 9, 0, 0xA8, 7, 1, 1, 119, 1]) + b"x" + bytes([0]),  # a setting behind a letter
        bytes([1, 1, 9, 0, 0x68, 7, 1, 1, 119, 1]) + b"x" + bytes([0]),  # a setting before a letter
        bytes([1, 1, 9, 0, 0x84, 7, 0, 1]) + b"x" + bytes([0]),  # a letter behind a setting
        bytes([1, 1, 9, 0, 0x86, 7, 0, 4]) + b"bold" + bytes([4]) + b"true" + bytes([0]),
    ],
)
def test_a_setting_among_the_letters_is_refused(mixed: bytes) -> None:
    document = Document(writer=7)
    document.set("paper", "rose")
    document.edit((Insert("ab", {}),))
    for replica in (document, Document(document.whole())):
        with pytest.raises(BrokenUpdateError, match="mixes settings and text"):
            replica.merge(mixed)
        assert (str(replica), replica.setting("paper")) == ("ab", "rose")


def test_a_format_that_others_would_refuse_is_not_made() -> None:
    document = Document()
    for look in ({"odd": {"a": 1}}, {"link": "x" * 5000}):
        with pytest.raises(BrokenUpdateError):
            document.edit((Insert("x", look),))
    with pytest.raises(ValueError, match="surrogates"):
        document.edit((Insert("ab", {}), Insert("\ud83d", {})))
    assert str(document) == ""


def test_a_format_has_one_digest_for_int_and_float() -> None:
    one = Document(made(lambda _, text: text.insert(0, "x\n", {"heading": 2**60})))
    assert Document(one.whole()).digest() == one.digest()


def test_broken_bytes_are_refused_before_anything_is_merged() -> None:
    update = each(["aé😀b\n"])[0]
    chance = random.Random(8)
    for _ in range(2000):
        broken = bytearray(update)
        for _ in range(chance.randrange(1, 4)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        document = Document()
        try:
            document.merge(bytes(broken))
        except BrokenUpdateError:
            assert document.merged() == []
        else:
            assert Document(document.whole()).digest() == document.digest()
            assert sorted(document._known.written.items()) == document.merged()


@given(st.binary(max_size=60))
def test_any_bytes_are_a_valid_update_or_refused(data: bytes) -> None:
    try:
        said = Known().check(data)
    except BrokenUpdateError:
        return
    assert read_update(data) == said


@given(st.text())
def test_units_are_those_of_utf_16(text: str) -> None:
    assert units(text) == len(text.encode("utf-16-le")) // 2
