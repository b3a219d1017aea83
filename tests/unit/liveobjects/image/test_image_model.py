from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.image.model import MOST_BYTES, MOST_KEPT, MOST_SLICES, SLICE, ImageModel
from liven.liveobjects.image.picture_header import LARGEST
from liven.liveobjects.image.state import Abandon, Album, Begin, Change, Show, Slice
from liven.liveobjects.image.wire import Frame, NoFrameError, gesture, packed, unpacked
from liven.runtime.fold import RefusedError, applied

MODEL = ImageModel()
KEYS = st.sampled_from(["a", "b", "c", ""])
CHANGES = st.one_of(
    st.builds(Begin, KEYS, KEYS, st.just("png"), st.integers(0, 3), st.just(2), st.integers(0, 3)),
    st.builds(Slice, KEYS, st.integers(0, 3), st.binary(max_size=3)),
    st.builds(Abandon, KEYS),
    st.builds(Show, KEYS),
)


def begin(key: str, size: int = 4) -> Begin:
    return Begin(key, f"{key}.png", "png", 2, 2, size)


def album(*changes: Change) -> Album:
    state, _, refused = applied(MODEL, Album(), changes)
    assert refused == ()
    return state


def test_a_picture_arrives_in_slices_and_then_shows() -> None:
    state = album(begin("a"), Slice("a", 0, b"12"))
    assert state.seen is None
    assert state.arriving is not None
    assert state.arriving.got == 2
    state = applied(MODEL, state, (Slice("a", 2, b"34"), Show("a")))[0]
    assert state.arriving is None
    assert state.seen is not None
    assert state.seen.data == b"1234"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (begin("a"), "added already"),
        (begin(""), "1 to 1,000 characters"),
        (begin("b", 0), "is empty"),
        (begin("b", LARGEST + 1), "limit is 25 MB"),
        (Begin("b", "", "png", 40_000, 40_000, 4), "limit is 50 million"),
        (Slice("a", 0, b"1"), "its next byte is 2, not 0"),
        (Slice("a", 2, b"123"), "3 bytes are not a valid slice"),
        (Slice("a", 2, b""), "0 bytes are not a valid slice"),
        (Slice("z", 0, b"1"), "no longer being sent"),
        (Abandon("z"), "no longer being sent"),
        (Show("a"), "that picture is not complete yet"),
        (Show("z"), "no longer stored"),
    ],
)
def test_an_invalid_change_is_refused_with_the_reason(change: Change, why: str) -> None:
    state = album(begin("a"), Slice("a", 0, b"12"))
    with pytest.raises(RefusedError, match=why):
        MODEL.apply(state, change)


def test_a_slice_has_a_largest_size() -> None:
    state = album(begin("a", 2 * SLICE))
    with pytest.raises(RefusedError, match="not a valid slice"):
        MODEL.apply(state, Slice("a", 0, bytes(SLICE + 1)))
    assert MODEL.apply(state, Slice("a", 0, bytes(SLICE))).pictures["a"].got == SLICE


def test_slices_below_the_smallest_size_are_refused() -> None:
    """The cost of a slice grows with their number: millions of one byte each would stall everybody."""
    state = album(begin("a", LARGEST))
    with pytest.raises(RefusedError, match="not a valid slice"):
        MODEL.apply(state, Slice("a", 0, bytes(LARGEST // MOST_SLICES - 1)))
    state = MODEL.apply(state, Slice("a", 0, bytes(SLICE)))
    assert state.pictures["a"].got == SLICE


def test_a_picture_format_is_no_longer_than_a_name() -> None:
    with pytest.raises(RefusedError, match="1,000 characters"):
        MODEL.apply(Album(), Begin("a", "a", "x" * 1001, 2, 2, 4))


def test_the_oldest_pictures_are_dropped_but_never_the_shown_one() -> None:
    state = album(begin("a", 1), Slice("a", 0, b"1"), Show("a"))
    for number in range(2 * MOST_KEPT):
        state = MODEL.apply(state, begin(str(number), 1))
    assert len(state.order) == MOST_KEPT
    assert state.order[0] == "a"
    assert state.seen is not None
    large = album(*(begin(str(number), LARGEST) for number in range(5)))
    assert sum(one.about.size for one in large.pictures.values()) <= MOST_BYTES


def test_undo_shows_the_previous_picture() -> None:
    state = album(begin("a", 1), Slice("a", 0, b"1"), begin("b", 1), Slice("b", 0, b"2"), Show("a"))
    after, back, _ = applied(MODEL, state, (Show("b"),))
    assert back == (Show("a"),)
    assert applied(MODEL, after, back)[0] == state


@given(st.lists(CHANGES, max_size=30))
def test_an_album_stays_consistent_and_survives_its_checkpoint(changes: list[Change]) -> None:
    state, _, _ = applied(MODEL, Album(), tuple(changes))
    assert set(state.order) == set(state.pictures)
    assert len(state.order) <= MOST_KEPT
    assert state.shown == "" or (state.seen is not None and state.seen.whole)
    for picture in state.pictures.values():
        assert picture.got == len(picture.data) <= picture.about.size
    again = unpacked(packed(state))
    assert MODEL.digest(again) == MODEL.digest(state)
    assert applied(MODEL, again, tuple(changes))[2] == applied(MODEL, state, tuple(changes))[2]


def test_empty_frames_are_neither_gestures_nor_states() -> None:
    with pytest.raises(NoFrameError):
        gesture(Frame(None, None))
    with pytest.raises(NoFrameError):
        unpacked(Frame(None, None))
