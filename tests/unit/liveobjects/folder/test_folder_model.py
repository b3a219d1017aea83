from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.folder.model import FolderModel, check_name, fitting_name
from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.liveobjects.folder.wire import packed, unpacked
from liven.runtime.fold import PersistentMap, RefusedError, applied
from liven.runtime.folder import item_files
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import write

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


def test_an_item_with_a_taken_name_gets_a_number() -> None:
    state = folder(Put("a", "x"), Put("a", "y"), Put("a", "z"))
    assert dict(state.items) == {"a": "x", "a (2)": "y", "a (3)": "z"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Put("a", "x"), "“a” is in the folder already"),
        (Put("", "x"), "1 to 180 characters"),
        (Put("b" * 181, "x"), "1 to 180 characters"),
        (Put("../a", "x"), "not a valid name"),
        (Put("a/b", "x"), "not a valid name"),
        (Put("a\nb", "x"), "not a valid name"),
        (Put("b", "x" * (LONGEST_REFERENCE + 1)), "too long"),
        (Take("z"), "“z” is no longer in the folder"),
        (Rename("z", "y"), "“z” is no longer in the folder"),
        (Rename("a", "b"), "“b” is in the folder already"),
        (Rename("a", ".b"), "not a valid name"),
    ],
)
def test_an_invalid_change_is_refused_with_the_reason(change: Change, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        MODEL.apply(folder(Put("a", "x"), Put("b", "y")), change)


@given(st.lists(CHANGES, max_size=25), CHANGES)
def test_a_change_and_its_inverse_restore_the_state(before: list[Change], change: Change) -> None:
    state, _, _ = applied(MODEL, Content(), tuple(before))
    after, back, refused = applied(MODEL, state, (change,))
    if not refused:
        again, _, refused = applied(MODEL, after, back)
        assert refused == ()
        assert MODEL.digest(again) == MODEL.digest(state)


@given(st.lists(CHANGES, max_size=25))
def test_a_folder_survives_its_checkpoint_with_valid_names(changes: list[Change]) -> None:
    state, _, _ = applied(MODEL, Content(), tuple(changes))
    assert unpacked(packed(state)) == Content(state.items)
    assert MODEL.digest(unpacked(packed(state))) == MODEL.digest(state)
    for name in state.items:
        check_name(name)


@given(st.text(max_size=300))
def test_every_text_has_a_nearest_valid_name(text: str) -> None:
    check_name(fitting_name(text))


def test_a_valid_name_stays_unchanged() -> None:
    assert fitting_name("My list (2)") == "My list (2)"
    assert fitting_name("a/b\n") == "a b"
    assert fitting_name("..") == "Object"


class Asked(dict[str, str]):
    """A dict that counts its lookups."""

    times = 0

    def __contains__(self, key: object) -> bool:
        self.times += 1
        return super().__contains__(key)


def test_adding_10000_items_of_one_name_takes_linear_time() -> None:
    """Quadratic time meant 30 seconds for such a drop, at every replica."""
    items = Asked({"a": "", **{f"a ({n})": "" for n in range(2, 10_000)}})
    assert Content(items).free_name("a") == "a (10000)"  # type: ignore[arg-type]  # it only asks
    assert items.times < 150


@given(st.sets(st.integers(2, 300), min_size=1))
def test_a_free_name_is_unused_and_the_first_number_among_few(taken: set[int]) -> None:
    state = Content(PersistentMap({"a": "", **{f"a ({n})": "" for n in taken}}))
    assert state.free_name("a") not in state.items
    if len(taken) < 60:
        assert state.free_name("a") == f"a ({min(set(range(2, 400)) - taken)})"


@pytest.mark.parametrize("name", ["🫨 new in Unicode 15", "plain", "é", "日本"])
def test_names_are_the_same_for_every_version_of_python(name: str) -> None:
    """Printable characters depend on the version, but all replicas must accept the same names."""
    check_name(name)
    assert fitting_name(name) == name


@pytest.mark.parametrize(
    "sign", [*"\x00\t\n\r\x1f\x7f\x85\xa0\u200e\u202e\u2028\u2066\ufeff\ue000", "\U000e0041"]
)
def test_names_with_invisible_or_direction_changing_characters_are_refused(sign: str) -> None:
    with pytest.raises(RefusedError, match="not a valid name"):
        check_name(f"a{sign}b")
    assert fitting_name(f"a{sign}b") == "a b"


def test_a_name_fits_into_a_file_name_in_bytes(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="too long for a file name"):
        check_name("日" * 100)
    fitting = fitting_name("日" * 180)
    check_name(fitting)
    state = folder(Put(fitting, "x"), Put(fitting, "y"))
    for name in state.items:
        item_files.store(tmp_path, name, write(Reference("liven:memory-folder")).decode())
    assert item_files.names(tmp_path) == sorted(state.items)
