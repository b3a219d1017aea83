"""The box around several selected items resizes and turns them together, as one step."""

from __future__ import annotations

import math
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.frames import add_frame
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.gestures.handles import TURN
from liven.liveobjects.desktop.view.gestures.selection_box import box_handles, box_of

SHIFT = Qt.KeyboardModifier.ShiftModifier


def two(table: Any) -> tuple[str, str]:
    first, second = table.lay("a", 100, 100, 100, 60), table.lay("b", 300, 240, 100, 60)
    table.canvas.select({first, second})
    return first, second


def handle(table: Any, which: tuple[int, int]) -> QPointF:
    return dict(box_handles(table.canvas))[which]


def test_a_corner_makes_all_larger_and_their_gaps_too(table: Any) -> None:
    first, second = two(table)
    table.drag(handle(table, (1, 1)), QPointF(300, 200))
    assert table.place(first) == (100, 100, 200, 120)
    assert table.place(second) == (500, 380, 200, 120)
    assert table.canvas.editor.undo_list.undo_names[0] == "Resize"
    table.canvas.undo()
    assert table.place(first) == (100, 100, 100, 60)
    assert table.place(second) == (300, 240, 100, 60)


def test_the_opposite_corner_stays(table: Any) -> None:
    first, second = two(table)
    table.drag(handle(table, (-1, -1)), QPointF(150, 100))
    assert table.place(second) == (350, 270, 50, 30)
    assert table.place(first) == (250, 200, 50, 30)


def test_nothing_gets_too_small_to_see(table: Any) -> None:
    first, second = two(table)
    table.drag(handle(table, (1, 1)), QPointF(-900, -900))
    for key in (first, second):
        assert min(table.place(key)[2:]) == pytest.approx(commands.SHORTEST)


def test_the_knob_turns_all_around_the_middle(table: Any) -> None:
    first, second = two(table)
    box = box_of(table.canvas)
    assert box is not None
    start, middle = handle(table, TURN), box.center()
    arm = start - middle
    turned = QPointF(-arm.y(), arm.x()) + middle  # a quarter, clockwise
    table.press(start)
    table.move(turned, SHIFT)
    table.canvas.grab()
    table.release(turned, SHIFT)
    for key, x, y in ((first, 320.0, 100.0), (second, 180.0, 300.0)):
        place = table.item(key).place
        assert place.degrees == pytest.approx(90)
        assert (place.width, place.height) == (100, 60)
        centre = (place.x + place.width / 2, place.y + place.height / 2)
        assert math.dist(centre, (x, y)) < 1e-6
    table.canvas.undo()
    assert table.item(first).place == Place(100, 100, 100, 60)


def test_locked_items_stay_and_one_alone_has_no_box(table: Any) -> None:
    first, second = two(table)
    table.canvas.select({second})
    table.canvas.arrangement.lock()
    assert box_of(table.canvas) is None
    table.canvas.select({first, second})
    table.drag(handle(table, (1, 1)), QPointF(300, 200))
    assert table.place(second) == (300, 240, 100, 60)
    assert table.place(first)[2:] == (200, 120)
    table.canvas.select({first})
    table.canvas.arrangement.lock()
    table.canvas.select({first, second})
    assert box_of(table.canvas) is None


def test_what_lies_in_a_frame_goes_with_it(table: Any) -> None:
    inside = table.lay("in", 120, 120, 100, 60)
    outside = table.lay("out", 500, 300, 100, 60)
    frame, command = add_frame(table.canvas.state, Place(100, 100, 200, 200))
    table.canvas.do(command)
    table.canvas.select({frame, outside})
    table.drag(handle(table, (1, 1)), QPointF(500, 260))
    assert table.place(inside) == (140, 140, 200, 120)


def test_esc_leaves_all_as_it_was_and_a_removal_ends_it(table: Any) -> None:
    first, second = two(table)
    start = handle(table, (1, 1))
    table.press(start)
    table.move(start + QPointF(300, 200))
    table.key(Qt.Key.Key_Escape)
    table.release(start + QPointF(300, 200))
    assert table.place(first) == (100, 100, 100, 60)
    table.canvas.select({first, second})
    table.press(start)
    table.move(start + QPointF(300, 200))
    table.canvas.do(commands.remove(table.canvas.state, [second]))
    table.canvas.grab()
    table.release(start + QPointF(300, 200))
    assert table.canvas.state.items.keys() == {first}


def test_the_cursor_tells_what_a_corner_does(table: Any) -> None:
    two(table)
    table.move(handle(table, (1, 1)), button=Qt.MouseButton.NoButton)
    assert table.canvas.cursor().shape() == Qt.CursorShape.SizeFDiagCursor
    table.move(handle(table, TURN), button=Qt.MouseButton.NoButton)
    assert table.canvas.cursor().shape() == Qt.CursorShape.CrossCursor
