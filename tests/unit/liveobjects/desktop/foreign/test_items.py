"""A board as changes of a desktop: what lies above what, groups, locks, connectors, and undo."""

from __future__ import annotations

import math

import pytest

from liven.liveobjects.desktop.commands import add
from liven.liveobjects.desktop.drawings.ink import MOST_POINTS
from liven.liveobjects.desktop.drawings.recipes import ink_of, shape_of
from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.foreign.board import Arrow, Board, Frame, Outline, Picture, Sheet, Stroke
from liven.liveobjects.desktop.foreign.drawn import with_thin_strokes
from liven.liveobjects.desktop.foreign.items import Added, added, extent_of
from liven.liveobjects.desktop.frames import is_frame
from liven.liveobjects.desktop.model import LONGEST_LABEL, DesktopModel
from liven.liveobjects.desktop.state import Change, Desktop, Place, Style
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.recipe import MOST_BYTES

PLACE = Place(10, 20, 100, 60)
MODEL = DesktopModel()


def done(state: Desktop, made: Added) -> Desktop:
    for change in made.command.changes:
        state = MODEL.apply(state, change)
    return state


def undone(state: Desktop, made: Added) -> Desktop:
    inverse: list[Change] = []
    now = state
    for change in made.command.changes:
        inverse = [*MODEL.inverse(now, change), *inverse]
        now = MODEL.apply(now, change)
    for change in inverse:
        now = MODEL.apply(now, change)
    return now


def box(key: str, **more: object) -> Outline:
    return Outline(key, PLACE, "box", "text", **more)  # type: ignore[arg-type]


def with_a_note() -> Desktop:
    _, command = add(Desktop(), "<Object/>", "old", PLACE)
    return MODEL.apply(Desktop(), command.changes[0])


def test_parts_lie_above_what_is_there_and_frames_beneath() -> None:
    board = Board([box("a"), Frame("f", PLACE, "Plan"), box("b"), Frame("g", PLACE, "Inner")])
    before = with_a_note()
    made = added(before, board, "a board", 5, -5)
    state = done(before, made)
    order = list(state.stacked())
    assert [is_frame(item.reference) for item in order] == [True, True, False, False, False]
    assert [item.label for item in order[:3]] == ["Plan", "Inner", "old"]
    assert [item.key for item in order[3:]] == [made.keys[0], made.keys[2]]
    assert order[-1].place == Place(15, 15, 100, 60)


def test_undo_takes_everything_back_even_what_is_locked() -> None:
    board = Board([box("a", locked=True), box("b", group="g")], [Arrow("a", "b", "to", Style("curve"))])
    before = with_a_note()
    assert undone(before, added(before, board, "a board", 0, 0)) == before


def test_groups_and_keys_are_new_ones_each_time() -> None:
    board = Board([box("a", group="g"), box("b", group="g"), box("c")])
    first = done(Desktop(), added(Desktop(), board, "a board", 0, 0))
    both = done(first, added(first, board, "a board", 0, 0))
    groups = [item.group for item in both.items.values()]
    assert len(both.items) == 6
    assert len(set(groups) - {""}) == 2


def test_connectors_keep_their_names_within_the_limit() -> None:
    board = Board([box("a"), box("b")], [Arrow("a", "b", "x" * 5_000)])
    state = done(Desktop(), added(Desktop(), board, "a board", 0, 0))
    [link] = state.links.values()
    assert len(link.label) == LONGEST_LABEL


def test_pictures_are_uploaded_into_their_images() -> None:
    made = added(Desktop(), Board([Picture("p", PLACE, "cat", b"123")]), "a board", 0, 0)
    [upload] = made.uploads
    state = done(Desktop(), made)
    assert state.items[upload.item].reference == upload.recipe
    assert (upload.name, upload.data) == ("cat", b"123")


def test_texts_that_are_too_long_are_counted() -> None:
    words = (Insert("x" * (MOST_BYTES + 1), {}),)
    made = added(Desktop(), Board([Sheet("a", PLACE, words), box("b")], [Arrow("a", "b")]), "a board", 0, 0)
    assert len(made.keys) == 1
    assert made.left_out == {"texts that are too long for a note": 1, "arrows": 1}


def test_an_outline_becomes_a_shape_and_one_with_a_long_text_a_note() -> None:
    short = Outline("a", PLACE, "diamond", "two\nlines", "blue", "solid", True)
    long = Outline("b", PLACE, "box", "x" * (LONGEST_LABEL + 1))
    state = done(Desktop(), added(Desktop(), Board([short, long]), "a board", 0, 0))
    first, second = state.stacked()
    assert shape_of(first.reference) == Shape("diamond", "blue", "solid", "dashed")
    assert first.label == "two\nlines"
    assert (shape_of(second.reference), second.label) == (None, "")


def test_a_stroke_becomes_ink_where_it_was_drawn() -> None:
    stroke = Stroke("s", ((10.0, 20.0, 0.5), (60.0, 20.0, 0.5), (110.0, 70.0, 0.5)), "pink", "medium")
    made = added(Desktop(), Board([stroke]), "a board", 0, 0)
    [item] = done(Desktop(), made).items.values()
    ink = ink_of(item.reference)
    assert ink is not None
    assert ink.hue == "pink"
    placed = [
        (item.place.x + x, item.place.y + y) for x, y, _ in ink.placed(item.place.width, item.place.height)
    ]
    for found, (x, y, _) in zip(placed, stroke.points, strict=True):
        assert found == pytest.approx((x, y), abs=0.05)


def test_a_long_stroke_is_thinned_and_keeps_its_ends() -> None:
    points = tuple((float(at), math.sin(at / 100) * 20, 0.5) for at in range(3_000))
    whole = Board([Stroke("s", points)])
    [thin] = with_thin_strokes(whole).parts
    assert isinstance(thin, Stroke)
    assert 10 < len(thin.points) < 300
    assert (thin.points[0], thin.points[-1]) == (points[0], points[-1])
    made = added(Desktop(), whole, "a board", 0, 0)
    [item] = done(Desktop(), made).items.values()
    ink = ink_of(item.reference)
    assert ink is not None
    assert 2 <= len(ink.points) <= MOST_POINTS
    assert (ink.points[0].x, ink.points[-1].x) == (0, 1)


def test_a_dot_stays_one() -> None:
    made = added(Desktop(), Board([Stroke("s", ((5.0, 5.0, 0.5),))]), "a board", 0, 0)
    [item] = done(Desktop(), made).items.values()
    ink = ink_of(item.reference)
    assert ink is not None
    assert len(ink.points) == 1
    assert item.place.x < 5 < item.place.x + item.place.width


def test_the_extent_is_that_of_all_parts() -> None:
    stroke = Stroke("s", ((-5.0, 0.0, 0.5), (0.0, 200.0, 0.5)))
    assert extent_of(Board([box("a"), stroke])) == (-5, 0, 110, 200)
    assert extent_of(Board()) == (0, 0, 0, 0)
