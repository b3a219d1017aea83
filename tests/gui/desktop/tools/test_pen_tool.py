"""Ink: drawn with a mouse or a pen, and rubbed out."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QInputDevice, QPointingDevice, QTabletEvent
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.drawings import ink as ink_module
from liven.liveobjects.desktop.drawings.ink import MOST_POINTS, Ink
from liven.liveobjects.desktop.drawings.recipes import ink_of
from liven.liveobjects.desktop.view.items import item_choices
from liven.liveobjects.desktop.view.tools import pen_tool

WAVE = [QPointF(100 + 4 * at, 200 + 30 * math.sin(at / 5)) for at in range(60)]


def draw(table: Any, points: list[QPointF]) -> None:
    table.press(points[0])
    for point in points[1:]:
        table.move(point)
    table.canvas.grab()
    table.release(points[-1])


def strokes(table: Any) -> list[Ink]:
    found = [ink_of(item.reference) for item in table.canvas.state.stacked()]
    return [one for one in found if one is not None]


@lru_cache  # an event refers to its device, which has to outlive it
def pen_device(eraser: bool) -> QPointingDevice:
    types = QPointingDevice.PointerType
    return QPointingDevice(
        "pen",
        1,
        QInputDevice.DeviceType.Stylus,
        types.Eraser if eraser else types.Pen,
        QInputDevice.Capability.Pressure,
        1,
        1,
    )


def pen_event(kind: QEvent.Type, point: QPointF, pressure: float, *, eraser: bool = False) -> QTabletEvent:
    device = pen_device(eraser)
    button = Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    return QTabletEvent(kind, device, point, point, pressure, 0, 0, 0, 0, 0, none, button, button)


def test_a_stroke_follows_the_hand(table: Any) -> None:
    table.key("P")
    draw(table, WAVE)
    [ink] = strokes(table)
    assert 5 < len(ink.points) < len(WAVE), "fewer points are enough"
    [item] = table.canvas.state.items.values()
    place = item.place
    for wanted in WAVE:
        assert ink.touches(wanted.x() - place.x, wanted.y() - place.y, place.width, place.height, 2)
        assert table.canvas.item_at(wanted) == item
    assert table.canvas.item_at(QPointF(place.x + 2, place.y + place.height - 2)) is None
    assert table.canvas.held_tool.name == "Pen", "one goes on drawing"


def test_each_stroke_is_one_step(table: Any) -> None:
    table.key("P")
    draw(table, WAVE)
    draw(table, [point + QPointF(0, 100) for point in WAVE])
    assert len(strokes(table)) == 2
    assert table.canvas.editor.undo_list.undo_names[0] == "Draw"
    table.canvas.undo()
    assert len(strokes(table)) == 1
    table.canvas.redo()
    assert len(strokes(table)) == 2


def test_a_click_makes_a_dot(table: Any) -> None:
    table.key("P")
    draw(table, [QPointF(200, 200)])
    [ink] = strokes(table)
    assert len(ink.points) == 1
    assert table.canvas.item_at(QPointF(200, 200)) is not None


def test_esc_ends_a_stroke_and_then_the_pen(table: Any) -> None:
    table.key("P")
    table.press(WAVE[0])
    table.move(WAVE[20])
    table.key(Qt.Key.Key_Escape)
    assert not strokes(table)
    assert table.canvas.held_tool.name == "Pen"
    table.key(Qt.Key.Key_Escape)
    assert table.canvas.held_tool.name == "Select"


def test_a_pen_that_presses_harder_draws_broader(table: Any) -> None:
    table.key("P")
    kinds = QEvent.Type
    QApplication.sendEvent(table.canvas, pen_event(kinds.TabletPress, WAVE[0], 0.1))
    table.press(WAVE[0])
    for at, point in enumerate(WAVE[1:]):
        QApplication.sendEvent(table.canvas, pen_event(kinds.TabletMove, point, 0.1 + at / 80))
        table.move(point)
    QApplication.sendEvent(table.canvas, pen_event(kinds.TabletRelease, WAVE[-1], 0))
    table.canvas.grab()
    table.release(WAVE[-1])
    [ink] = strokes(table)
    pressures = [point.pressure for point in ink.points]
    assert pressures[0] < 0.15
    assert pressures[-1] > 0.75
    assert pressures == sorted(pressures)
    draw(table, [point + QPointF(0, 100) for point in WAVE])
    assert strokes(table)[-1].is_even, "a mouse has no pressure"


def test_the_other_end_of_a_pen_rubs_out(table: Any) -> None:
    table.key("P")
    draw(table, WAVE)
    QApplication.sendEvent(table.canvas, pen_event(QEvent.Type.TabletPress, WAVE[30], 0.5, eraser=True))
    draw(table, [WAVE[30], WAVE[31]])
    assert not strokes(table)


def test_the_eraser_removes_what_it_touches_in_one_step_and_ink_alone(table: Any) -> None:
    note = table.lay("note", 300, 180, 60, 60)
    table.key("P")
    draw(table, WAVE)
    draw(table, [point + QPointF(0, 120) for point in WAVE])
    far = [point + QPointF(0, 300) for point in WAVE]
    draw(table, far)
    table.key("E")
    table.press(QPointF(330, 120))
    table.move(QPointF(330, 400))  # a fast hand: one jump over both
    assert len(table.canvas.faded) == 2
    table.canvas.grab()
    assert len(strokes(table)) == 3, "they fade until the button is released"
    table.release(QPointF(330, 400))
    assert len(strokes(table)) == 1
    assert note in table.canvas.state.items
    assert table.canvas.editor.undo_list.undo_names[0] == "Erase"
    table.canvas.undo()
    assert len(strokes(table)) == 3


def test_the_eraser_leaves_locked_ink(table: Any) -> None:
    table.key("P")
    draw(table, WAVE)
    table.key("V")
    table.canvas.select(table.canvas.state.items)
    table.canvas.arrangement.lock()
    table.key("E")
    draw(table, [WAVE[30], WAVE[31]])
    assert len(strokes(table)) == 1


def test_hue_and_width_of_ink_are_chosen(table: Any) -> None:
    table.key("P")
    draw(table, WAVE)
    table.key("V")
    table.canvas.select(table.canvas.state.items)
    choices = {one.key: one for one in item_choices.offered(table.canvas)}
    assert list(choices) == ["hue", "width"]
    choices["hue"].choose("pink")
    choices["width"].choose("broad")
    [ink] = strokes(table)
    assert (ink.hue, ink.width) == ("pink", "broad")


def test_a_very_long_stroke_is_drawn_as_several(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pen_tool, "MOST_POINTS", 20)
    table.key("P")
    draw(table, WAVE)
    assert len(strokes(table)) == 4
    assert all(len(ink.points) <= MOST_POINTS for ink in strokes(table))


def test_a_desktop_full_of_ink_says_so(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pen_tool, "MOST_STROKES", 1)
    table.key("P")
    draw(table, WAVE)
    draw(table, WAVE)
    assert len(strokes(table)) == 1
    assert f"up to {ink_module.MOST_STROKES:,} strokes" in table.said[-1]


def test_a_stroke_is_moved_and_resized_with_its_line(table: Any) -> None:
    table.key("P")
    draw(table, WAVE)
    table.key("V")
    [key] = table.canvas.state.items
    before = table.item(key).place
    table.drag(WAVE[30], QPointF(0, 80))
    assert table.item(key).place.y == pytest.approx(before.y + 80)
    table.drag(table.handle(key, 1, 0), QPointF(100, 0))
    assert table.item(key).place.width == pytest.approx(before.width + 100)
    assert table.canvas.item_at(QPointF(100, 280)) is not None
