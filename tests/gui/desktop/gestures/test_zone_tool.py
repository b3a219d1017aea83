"""Zones of items act by a click of the mouse, and a drag that begins in one moves the item."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.liveobjects.counter.view.counter_face import LESS, MORE
from liven.liveobjects.desktop.view.geometry import rect
from liven.runtime.reference.xml import write

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Put:
    """A desktop in a window with one item."""

    def __init__(self, desk: Any, local_recipe: Any, kind: str) -> None:
        self.window = desk.open(local_recipe("liven:desktop", "Table"))
        self.canvas = self.window.view.widget()
        self.canvas.snapping = False
        self.window.view.insert(write(local_recipe(kind, "Thing")).decode(), "Thing")
        desk.wait(lambda: self.canvas.selected)
        [self.key] = self.canvas.selected
        desk.wait(
            lambda: (view := self.canvas.item_views.view(self.key)) is not None and not view.is_loading()
        )
        self.canvas.new_note_typing.cancel()
        self.canvas.select(())
        self.wait = desk.wait

    @property
    def view(self) -> Any:
        return self.canvas.item_views.view(self.key)

    @property
    def place(self) -> QRectF:
        return rect(self.canvas.state.items[self.key].place)

    def zone(self, key: str) -> QPoint:
        """Return the middle of a zone in the window."""
        place = self.place
        [zone] = [
            one for one in self.view.zones(QRectF(0, 0, place.width(), place.height())) if one.key == key
        ]
        at: QPointF = self.canvas.camera.to_window(place.topLeft() + zone.area.center())
        return at.toPoint()

    def drag(self, start: QPoint, by: QPoint) -> None:
        """Press, move in steps, and release, as a hand does."""
        QTest.mousePress(self.canvas, LEFT, NONE, start)
        for step in (1, 2, 3, 4):
            at = QPointF(start) + QPointF(by) * step / 4
            moved = QMouseEvent(
                QEvent.Type.MouseMove, at, self.canvas.mapToGlobal(at), Qt.MouseButton.NoButton, LEFT, NONE
            )
            QApplication.sendEvent(self.canvas, moved)
        QTest.mouseRelease(self.canvas, LEFT, NONE, start + by)


@pytest.fixture
def counter(desk: Any, local_recipe: Any) -> Put:
    return Put(desk, local_recipe, "liven:shared-counter")


def test_a_click_on_a_button_of_a_counter_counts_without_entering_it(counter: Put) -> None:
    QTest.mouseClick(counter.canvas, LEFT, NONE, counter.zone(MORE))
    counter.wait(lambda: counter.view._model.number == 1)
    assert counter.canvas.editing is None
    QTest.mouseClick(counter.canvas, LEFT, NONE, counter.zone(LESS))
    QTest.mouseClick(counter.canvas, LEFT, NONE, counter.zone(LESS))
    counter.wait(lambda: counter.view._model.number == -1)
    assert counter.canvas.cursor().shape() != Qt.CursorShape.SizeAllCursor


def test_two_quick_clicks_count_twice_and_do_not_enter(counter: Put) -> None:
    at = counter.zone(MORE)
    QTest.mouseClick(counter.canvas, LEFT, NONE, at)
    QTest.mouseDClick(counter.canvas, LEFT, NONE, at)
    QTest.mouseRelease(counter.canvas, LEFT, NONE, at)  # Qt's double-click ends with the second press
    counter.wait(lambda: counter.view._model.number == 2)
    assert counter.canvas.editing is None


def test_a_double_click_beside_the_zones_enters(counter: Put) -> None:
    title = counter.canvas.camera.to_window(counter.place.topLeft() + QPointF(40, 20)).toPoint()
    QTest.mouseDClick(counter.canvas, LEFT, NONE, title)
    assert counter.canvas.editing == counter.key


def test_a_drag_that_begins_in_a_zone_moves_the_item_and_presses_nothing(counter: Put) -> None:
    before = counter.place
    counter.drag(counter.zone(MORE), QPoint(60, 30))
    counter.wait(lambda: counter.place.topLeft() == before.topLeft() + QPointF(60, 30))
    QTest.mouseClick(counter.canvas, LEFT, NONE, counter.zone(MORE))
    counter.wait(lambda: counter.view._model.number == 1)


def test_a_shaky_click_is_a_click_and_shift_selects_alone(counter: Put) -> None:
    before = counter.place
    QTest.mouseClick(counter.canvas, LEFT, Qt.KeyboardModifier.ShiftModifier, counter.zone(MORE))
    assert counter.canvas.selected == {counter.key}
    counter.drag(counter.zone(MORE), QPoint(2, 2))
    counter.wait(lambda: counter.view._model.number == 1)
    assert counter.place == before


def test_zoomed_far_out_a_click_only_selects(counter: Put) -> None:
    counter.canvas.zoom_and_view.zoom(0.25, QPointF(counter.canvas.rect().center()))
    at = counter.zone(MORE)
    assert counter.canvas.item_at(QPointF(at)).key == counter.key
    QTest.mouseClick(counter.canvas, LEFT, NONE, at)
    assert counter.canvas.selected == {counter.key}
    counter.canvas.zoom_and_view.zoom(4, QPointF(counter.canvas.rect().center()))
    QTest.mouseClick(counter.canvas, LEFT, NONE, counter.zone(LESS))
    counter.wait(lambda: counter.view._model.number == -1)


def test_a_click_on_an_answer_votes_and_a_second_takes_it_back(desk: Any, local_recipe: Any) -> None:
    put = Put(desk, local_recipe, "liven:vote")
    put.view.model.ask("Tea?")
    put.view.model.offer("yes")
    desk.wait(lambda: put.view.model.editor.state.answers)
    [answer] = put.view.model.editor.state.answers
    QTest.mouseClick(put.canvas, LEFT, NONE, put.zone(answer.key))
    desk.wait(lambda: put.view.model.mine == answer.key)
    QTest.mouseClick(put.canvas, LEFT, NONE, put.zone(answer.key))
    desk.wait(lambda: not put.view.model.mine)
    assert put.canvas.editing is None


def test_a_zone_whose_view_fails_leaves_the_desktop_as_it_was(
    counter: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("its author erred")

    at = counter.zone(MORE)
    monkeypatch.setattr(type(counter.view), "zones", fails)
    QTest.mouseClick(counter.canvas, LEFT, NONE, at)
    assert counter.canvas.selected == {counter.key}
    assert "its author erred" in counter.canvas.item_views.why_not_shown(counter.key)
