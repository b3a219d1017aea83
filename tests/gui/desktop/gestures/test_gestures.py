"""Every mouse gesture, by real events: one gesture is one undo step, and cancelling leaves no trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.view.gestures.handles import CONNECT, TURN
from liven.liveobjects.desktop.view.gestures.resize import SMALLEST
from liven.liveobjects.text.view import NoteEditor

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
MIDDLE = Qt.MouseButton.MiddleButton


def steps(table: Any) -> int:
    return len(table.canvas.editor.undo_list.undo_names)


def test_click_selects_shift_toggles_and_a_click_on_nothing_deselects(table: Any) -> None:
    a, b = table.lay("a", 50, 50), table.lay("b", 300, 50)
    table.click(a)
    assert table.selected() == {"a"}
    table.click(b, SHIFT)
    assert table.selected() == {"a", "b"}
    table.click(a, SHIFT)
    assert table.selected() == {"b"}
    QTest.mouseClick(table.canvas, Qt.MouseButton.LeftButton, pos=QPoint(700, 500))
    assert table.selected() == set()


def test_click_selects_the_whole_group_and_with_ctrl_one_item(table: Any) -> None:
    a, b = table.lay("a", 50, 50), table.lay("b", 300, 50)
    table.canvas.select({a, b})
    table.canvas.arrangement.group()
    table.canvas.select(())
    table.click(a)
    assert table.selected() == {"a", "b"}
    table.click(a, CONTROL)
    assert table.selected() == {"a"}


def test_topmost_item_is_selected(table: Any) -> None:
    table.lay("below", 50, 50)
    above = table.lay("above", 60, 60)
    table.click(above)
    assert table.selected() == {"above"}


def test_frame_selects_what_it_touches(table: Any) -> None:
    table.lay("a", 50, 50)
    table.lay("b", 300, 50)
    table.lay("far", 600, 400)
    table.drag(QPointF(10, 10), QPointF(320, 60))
    assert table.selected() == {"a", "b"}
    table.drag(QPointF(590, 390), QPointF(30, 30), SHIFT)
    assert table.selected() == {"a", "b", "far"}
    assert steps(table) == 3


def test_esc_during_a_frame_restores_the_selection(table: Any) -> None:
    a = table.lay("a", 50, 50)
    table.lay("b", 300, 50)
    table.click(a)
    table.press(QPointF(290, 40), SHIFT)
    table.move(QPointF(420, 130), SHIFT)
    assert table.selected() == {"a", "b"}
    table.key(Qt.Key.Key_Escape)
    assert table.selected() == {"a"}


def test_selected_items_are_dragged_together_as_one_step(table: Any) -> None:
    a, b = table.lay("a", 50, 50), table.lay("b", 300, 50)
    table.click(a)
    table.click(b, SHIFT)
    before = steps(table)
    table.drag(table.middle(a), QPointF(40, 30))
    assert table.place(a)[:2] == (90, 80)
    assert table.place(b)[:2] == (340, 80)
    assert steps(table) == before + 1
    table.key(Qt.Key.Key_Z, CONTROL)
    assert (table.place(a)[:2], table.place(b)[:2]) == ((50, 50), (300, 50))
    assert table.said[-1] == "Undone: Move"
    table.key(Qt.Key.Key_Z, CONTROL | SHIFT)
    assert table.said[-1] == "Redone: Move"
    table.key(Qt.Key.Key_Z, CONTROL | SHIFT)
    assert table.said[-1] == "There is nothing to redo."


def test_drag_is_invisible_to_others_and_esc_cancels_it(table: Any) -> None:
    a = table.lay("a", 50, 50)
    table.press(table.middle(a))
    table.move(table.middle(a) + QPointF(70, 0))
    assert table.canvas.preview[a].x == 120
    assert table.place(a)[0] == 50
    table.key(Qt.Key.Key_Escape)
    table.release(table.middle(a) + QPointF(70, 0))
    assert table.place(a)[0] == 50
    assert table.canvas.preview == {}


def test_item_snaps_to_an_edge_and_ctrl_suspends_snapping(table: Any) -> None:
    table.lay("fixed", 300, 300)
    a = table.lay("a", 50, 50)
    table.canvas.snapping = True
    table.drag(table.middle(a), QPointF(246, 87))
    assert table.place(a)[0] == 300
    table.drag(table.middle(a), QPointF(24, 0), CONTROL)
    assert table.place(a)[0] == 324


@pytest.mark.parametrize("keys", [Qt.KeyboardModifier.NoModifier, ALT])
def test_click_with_a_tiny_movement_moves_and_copies_nothing(table: Any, keys: Any) -> None:
    a = table.lay("a", 53, 47)
    table.canvas.snapping = True
    before = steps(table)
    table.click(a, keys)
    table.drag(table.middle(a), QPointF(QApplication.startDragDistance() - 1, 0), keys)
    table.settle()
    assert table.place(a)[:2] == (53, 47)
    assert table.labels() == ["a"]
    assert table.canvas.preview == {}
    assert steps(table) == before


def test_drag_may_end_near_its_start(table: Any) -> None:
    a = table.lay("a", 50, 50)
    table.press(table.middle(a))
    table.move(table.middle(a) + QPointF(40, 0))
    table.release(QPointF(103, 80))
    assert table.place(a)[:2] == (53, 50)


def test_shift_keeps_one_axis_and_alt_leaves_a_copy(table: Any) -> None:
    a = table.lay("a", 50, 50)
    table.drag(table.middle(a), QPointF(60, 11), SHIFT)
    assert table.place(a)[:2] in ((110, 50), (50, 50))
    start = table.place(a)[:2]
    table.canvas.select({a})
    table.drag(table.middle(a), QPointF(0, 120), ALT)
    assert table.place(a)[:2] == start
    assert table.labels() == ["a", "a"]
    assert table.selected() == {"a"}
    assert table.canvas.selected != {a}


def test_locked_item_cannot_be_dragged(table: Any) -> None:
    a = table.lay("a", 50, 50)
    table.click(a)
    table.canvas.arrangement.lock()
    table.settle()
    before = steps(table)
    table.drag(table.middle(a), QPointF(40, 40))
    assert table.place(a)[:2] == (50, 50)
    assert steps(table) == before


@pytest.mark.parametrize(
    ("handle", "place"),
    [
        ((1, 1), (200, 200, 130, 90)),
        ((-1, -1), (230, 230, 70, 30)),
        ((1, -1), (200, 230, 130, 30)),
        ((-1, 1), (230, 200, 70, 90)),
        ((1, 0), (200, 200, 130, 60)),
        ((-1, 0), (230, 200, 70, 60)),
        ((0, 1), (200, 200, 100, 90)),
        ((0, -1), (200, 230, 100, 30)),
    ],
)
def test_each_handle_resizes_and_its_opposite_side_stays(
    table: Any, handle: tuple[int, int], place: Any
) -> None:
    a = table.lay("a", 200, 200)
    table.click(a)
    table.drag(table.handle(a, *handle), QPointF(30, 30))
    assert table.place(a) == place
    table.key(Qt.Key.Key_Z, CONTROL)
    assert table.place(a) == (200, 200, 100, 60)


def test_dragged_side_snaps_to_an_edge_or_the_grid_and_keys_suspend_that(table: Any) -> None:
    table.lay("fixed", 333, 400)
    a = table.lay("a", 100, 100)
    table.canvas.snapping = True
    table.click(a)
    table.drag(table.handle(a, 1, 0), QPointF(129, 0))
    assert table.place(a) == (100, 100, 233, 60), "the edge of the other"
    table.drag(table.handle(a, 0, -1), QPointF(0, -37))
    assert table.place(a) == (100, 60, 233, 100), "the grid; what does not move stays"
    table.drag(table.handle(a, 1, 1), QPointF(29, 47), CONTROL)
    assert table.place(a) == (100, 60, 262, 147)
    table.key(Qt.Key.Key_S, ALT)
    table.drag(table.handle(a, 1, 0), QPointF(-27, 0))
    assert table.place(a) == (100, 60, 235, 147)


def test_shift_keeps_the_proportions_and_items_have_a_smallest_size(table: Any) -> None:
    a = table.lay("a", 200, 200)
    table.click(a)
    table.drag(table.handle(a, 1, 1), QPointF(100, 0), SHIFT)
    assert table.place(a) == (200, 200, 200, 120)
    table.drag(table.handle(a, 1, 1), QPointF(-900, -900))
    assert table.place(a) == (200, 200, SMALLEST, SMALLEST)


def quarter(middle: QPointF, knob: QPointF) -> QPointF:
    """Return the place of a knob after a quarter turn."""
    out = knob - middle
    return middle + QPointF(-out.y(), out.x())


def test_rotation_handle_rotates_and_shift_snaps_to_steps(table: Any) -> None:
    a = table.lay("a", 300, 300)
    table.click(a)
    middle = table.middle(a)
    knob = table.handle(a, *TURN)
    table.drag(knob, quarter(middle, knob) - knob)
    assert round(table.item(a).place.degrees) == 90
    knob = table.handle(a, *TURN)
    table.drag(knob, QPointF(3, 26), SHIFT)
    assert table.item(a).place.degrees % 15 == 0


def test_rotated_item_is_resized_along_its_own_sides_and_hit_where_it_is_painted(table: Any) -> None:
    a = table.lay("a", 300, 300, 200, 40)
    table.click(a)
    middle, knob = table.middle(a), table.handle(a, *TURN)
    table.drag(knob, quarter(middle, knob) - knob)
    assert table.canvas.item_at(middle + QPointF(0, 80)) is not None
    assert table.canvas.item_at(middle + QPointF(80, 0)) is None
    table.drag(table.handle(a, 1, 0), QPointF(0, 50))
    assert round(table.item(a).place.width) == 250


def test_connector_is_drawn_between_two_items_and_dropped_on_nothing_is_none(table: Any) -> None:
    a, b = table.lay("a", 50, 50), table.lay("b", 400, 300)
    table.click(a)
    knob = table.handle(a, *CONNECT)
    table.drag(knob, table.middle(b) - knob)
    assert [(one.source, one.target) for one in table.canvas.state.links.values()] == [(a, b)]
    table.drag(knob, QPointF(300, 0))
    assert len(table.canvas.state.links) == 1


def test_middle_button_and_space_bar_pan(table: Any) -> None:
    table.lay("a", 50, 50)
    table.drag(QPointF(400, 400), QPointF(-30, 20), button=MIDDLE)
    assert table.canvas.camera.corner == QPointF(30, -20)
    QTest.keyPress(table.canvas, Qt.Key.Key_Space)
    table.drag(QPointF(400, 400), QPointF(30, -20))
    QTest.keyRelease(table.canvas, Qt.Key.Key_Space)
    assert table.canvas.camera.corner == QPointF(0, 0)
    assert table.selected() == set()


def wheel(table: Any, turns: QPoint, keys: Any = Qt.KeyboardModifier.NoModifier) -> None:
    at = QPointF(100, 100)
    event = QWheelEvent(
        at, at, QPoint(), turns, Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(table.canvas, event)


def test_wheel_with_shift_pans_sideways(table: Any) -> None:
    before = QPointF(table.canvas.camera.corner)
    wheel(table, QPoint(0, -120), SHIFT)
    assert table.canvas.camera.corner == before + QPointF(120, 0)
    wheel(table, QPoint(-60, 0), SHIFT)
    assert table.canvas.camera.corner == before + QPointF(180, 0), (
        "the wheel of a system that turns it itself"
    )


def test_wheel_pans_and_with_ctrl_zooms_around_the_mouse(table: Any) -> None:
    camera = table.canvas.camera
    wheel(table, QPoint(0, -120))
    assert camera.corner == QPointF(0, 120)
    before = camera.to_plane(QPointF(100, 100))
    wheel(table, QPoint(0, 120), CONTROL)
    assert camera.zoom > 1
    assert (camera.to_plane(QPointF(100, 100)) - before).manhattanLength() < 1e-6


def test_double_click_edits_and_esc_or_a_click_elsewhere_leaves(table: Any) -> None:
    a = table.lay("a", 50, 50)
    table.double_click(a)
    assert table.canvas.editing == a
    page = table.canvas.findChild(NoteEditor)
    assert isinstance(page, NoteEditor)
    QTest.keyClicks(page, "words")
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert table.canvas.editing is None
    view = table.canvas.item_views.view(a)
    assert view is not None
    assert view.summary() == "words"
    table.double_click(a)
    QTest.mouseClick(table.canvas, Qt.MouseButton.LeftButton, pos=QPoint(700, 500))
    assert table.canvas.editing is None


def test_item_removed_by_others_while_edited_is_left(table: Any) -> None:
    a = table.lay("a", 50, 50)
    table.double_click(a)
    table.canvas.select({a})
    table.canvas.remove_selected()
    table.settle()
    assert table.canvas.editing is None
    assert table.labels() == []


def test_items_dragged_out_of_the_window_become_files(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[tuple[list[str], str, list[bool]]] = []
    given: list[str] = []

    def hold(drag: QDrag, *_: object) -> Qt.DropAction:
        data = drag.mimeData()
        paths = [url.toLocalFile() for url in data.urls()]
        given.extend(paths)
        good = [Path(path).read_text(encoding="utf-8").startswith("<?xml") for path in paths]
        taken.append(([path.rpartition("/")[2] for path in paths], data.text(), good))
        return Qt.DropAction.CopyAction

    monkeypatch.setattr(QDrag, "exec", hold)
    a, b = table.lay("List", 50, 50), table.lay("List", 300, 50)
    table.canvas.select({a, b})
    table.press(table.middle(a))
    table.move(QPointF(-100, 20))
    [(names, text, good)] = taken
    assert names[0] == "List.liveobject"
    assert names[1].startswith("List ")
    assert good == [True, True]
    assert text.count("<Root") == 2
    assert all(Path(path).exists() for path in given), "who was given them reads them when it comes to it"
    assert table.canvas.gesture is None
    assert table.place(a)[:2] == (50, 50)
