"""A board as changes of a desktop: what lies above what, groups, locks, connectors, and undo."""

from __future__ import annotations

from liven.liveobjects.desktop.commands import add
from liven.liveobjects.desktop.foreign.board import Arrow, Board, Frame, Outline, Picture, Sheet, Stroke
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


def test_the_extent_is_that_of_all_parts() -> None:
    stroke = Stroke("s", ((-5.0, 0.0, 0.5), (0.0, 200.0, 0.5)))
    assert extent_of(Board([box("a"), stroke])) == (-5, 0, 110, 200)
    assert extent_of(Board()) == (0, 0, 0, 0)
