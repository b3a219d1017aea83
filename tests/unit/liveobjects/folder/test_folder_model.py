from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.fold import RefusedError, applied
from liven.liveobjects.folder.model import LONGEST_REFERENCE, FolderModel, check_name, fitting_name
from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.liveobjects.folder.wire import packed, unpacked

MODEL = FolderModel()
NAMES = st.sampled_from(["a", "b", "a (2)", "", "../c"])
CHANGES = st.one_of(
    st.builds(Put, NAMES, st.sampled_from(["x", "y"])),
    st.builds(Take, NAMES),
    st.builds(Rename, NAMES, NAMES),
)


def folder(*changes: Change) -> Content:
    state, _, refused = applied(MODEL, Content(), changes)
    assert refused == ()
    return state


def test_who_puts_in_under_a_name_that_is_taken_gets_a_number() -> None:
    state = folder(Put("a", "x"), Put("a", "y"), Put("a", "z"))
    assert dict(state.items) == {"a": "x", "a (2)": "y", "a (3)": "z"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Put("a", "x"), "“a” is in the folder already"),
        (Put("", "x"), "1 to 180 characters"),
        (Put("b" * 181, "x"), "1 to 180 characters"),
        (Put("../a", "x"), "cannot be a name"),
        (Put("a/b", "x"), "cannot be a name"),
        (Put("a\nb", "x"), "cannot be a name"),
        (Put("b", "x" * (LONGEST_REFERENCE + 1)), "too long"),
        (Take("z"), "“z” is no longer in the folder"),
        (Rename("z", "y"), "“z” is no longer in the folder"),
        (Rename("a", "b"), "“b” is in the folder already"),
        (Rename("a", ".b"), "cannot be a name"),
    ],
)
def test_what_cannot_be_is_refused_in_words(change: Change, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        MODEL.apply(folder(Put("a", "x"), Put("b", "y")), change)


@given(st.lists(CHANGES, max_size=25), CHANGES)
def test_a_change_and_its_inverse_leave_what_was(before: list[Change], change: Change) -> None:
    state, _, _ = applied(MODEL, Content(), tuple(before))
    after, back, refused = applied(MODEL, state, (change,))
    if not refused:
        again, _, refused = applied(MODEL, after, back)
        assert refused == ()
        assert MODEL.digest(again) == MODEL.digest(state)


@given(st.lists(CHANGES, max_size=25))
def test_a_folder_survives_its_checkpoint_and_all_names_are_names(changes: list[Change]) -> None:
    state, _, _ = applied(MODEL, Content(), tuple(changes))
    assert unpacked(packed(state)) == Content(state.items)
    assert MODEL.digest(unpacked(packed(state))) == MODEL.digest(state)
    for name in state.items:
        check_name(name)


@given(st.text(max_size=300))
def test_any_text_has_a_nearest_name(text: str) -> None:
    check_name(fitting_name(text))


def test_a_name_stays_as_it_is() -> None:
    assert fitting_name("My list (2)") == "My list (2)"
    assert fitting_name("a/b\n") == "a b"
    assert fitting_name("..") == "Object"
