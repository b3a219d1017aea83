from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.chat.model import Line, Say, Unsay
from liven.liveobjects.folder.state import Put, Rename, Take
from liven.runtime.fold import Step, decode_steps, encode_steps
from liven.runtime.fold.undo_store import LARGEST

KINDS = (Put, Take, Rename, Say, Unsay, Line)
TEXT = st.text(max_size=5)
CHANGES = st.one_of(
    st.builds(Put, TEXT, TEXT),
    st.builds(Take, TEXT),
    st.builds(Rename, TEXT, TEXT),
    st.builds(Say, st.builds(Line, TEXT, TEXT, TEXT, TEXT, st.integers(-(2**63), 2**63 - 1), TEXT)),
    st.builds(Unsay, TEXT),
)
STEPS = st.lists(
    st.builds(
        Step,
        st.just(0),
        TEXT,
        st.lists(CHANGES, max_size=3).map(tuple),
        st.lists(TEXT).map(tuple),
        st.booleans(),
    ),
    max_size=4,
)


@given(STEPS, STEPS)
def test_undo_lists_survive_encoding(undo: list[Step[object]], redo: list[Step[object]]) -> None:
    lists = (tuple(undo), tuple(redo))
    assert decode_steps(encode_steps(lists), KINDS) == lists


@pytest.mark.parametrize(
    "found",
    [
        None,
        [[]],
        [[["name", [["Take", {"name": 5}]]]], []],
        [[["name", [["Take", {"name": "a", "more": "b"}]]]], []],
        [[["name", [["Take", {}]]]], []],
        [[["name", [["Strange", {}]]]], []],
        [[["name", [["Say", {"line": "x"}]]]], []],
        [[["name", "Take"]], []],
        [[["name", [["Take", {"name": "a"}]], [5]]], []],
    ],
)
def test_bytes_that_are_not_a_list_are_refused(found: object) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        decode_steps(json.dumps(found).encode(), KINDS)


@given(st.binary(max_size=30))
def test_any_bytes_decode_or_are_refused(data: bytes) -> None:
    try:
        assert decode_steps(data, KINDS) == ((), ())
    except ValueError as error:
        assert "cannot be read" in str(error)


def test_a_type_that_the_reader_does_not_name_is_never_created() -> None:
    kept = encode_steps(((Step(0, "x", (Take("a"),)),), ()))
    with pytest.raises(ValueError, match="Take"):
        decode_steps(kept, (Put,))


def test_a_list_of_an_earlier_version_is_read() -> None:
    steps = (Step(0, "x", (Take("a"),)),)
    assert decode_steps(json.dumps([[["x", [["Take", {"name": "a"}]]]], []]).encode(), KINDS) == (steps, ())


def test_the_newest_steps_of_a_very_long_list_are_kept() -> None:
    """An overlong list used to be dropped, so an outdated one was read the next time."""
    undo = tuple(Step(0, f"{n}", (Put("a", "x" * 500_000),)) for n in range(20))
    kept = encode_steps((undo, undo[:2]))
    assert len(kept) <= LARGEST
    (found, redo) = decode_steps(kept, KINDS)
    assert [step.name for step in found] == [f"{n}" for n in range(20 - len(found), 20)]
    assert len(found) == 8
    assert redo == ()
