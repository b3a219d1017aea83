"""A confined item on a desktop: painted in its place, worked in, and its end leaves the others alone."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from tests.gui.confined.test_view import bring, recipe
from tests.gui.conftest import Desk

from liven.liveobjects.confined.view.container import ConfinedView
from liven.liveobjects.confined.view.surface import Surface
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.running_items import Running
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view import Canvas
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write
from liven.runtime.sandbox import Protection

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(Protection.of_this_kernel().missing), reason="this kernel cannot confine a process"
    ),
]
SIZE = 200


def test_item_is_painted_worked_in_and_restarted_while_its_neighbour_runs(
    desk: Desk, local_recipe: Callable[[str, str], Object]
) -> None:
    bring(desk)
    desk.problems.listen(desk.windows.show_problem)
    window = desk.open(local_recipe("liven:desktop", "table"), "table")
    window.show()
    canvas = window.centralWidget()
    assert isinstance(canvas, Canvas)
    keys = []
    for n, thing in enumerate((recipe(), local_recipe("liven:text", "note"))):
        place = Place(250.0 * n, 0.0, SIZE, SIZE)
        key, command = commands.add(canvas.state, write(thing).decode(), f"item {n}", place)
        assert canvas.do(command)
        keys.append(key)
    pad, note = keys

    def colour() -> str:
        """Return the colour of the confined item near its lower edge."""
        place = canvas.state.items[pad].place
        at = canvas.camera.to_window(QPointF(place.x + SIZE / 2, place.y + SIZE * 0.8))
        return canvas.grab().toImage().pixelColor(at.toPoint()).name()

    desk.wait(lambda: colour() == "#ff0000")
    (process,) = desk.program.session.processes.running
    canvas.select([pad])
    canvas.edit_selected()
    surface = canvas.focusWidget()
    assert surface is not None
    desk.wait(lambda: colour() == "#ff0000")
    QTest.mouseClick(surface, Qt.MouseButton.LeftButton, pos=QPoint(50, 20))
    desk.wait(lambda: colour() == "#0000ff")
    canvas.leave_editing()
    desk.wait(lambda: colour() == "#0000ff")
    os.kill(process.pid, signal.SIGKILL)
    desk.wait(lambda: any("SIGKILL" in problem.what for problem in desk.problems))
    assert isinstance(canvas.item_views.running_items.presence(note), Running)
    said = canvas.item_views.notice(canvas.state.items[pad])
    for words in ("item 0", "its process crashed (SIGKILL)", "press F5"):
        assert words in said
    [sign] = [one for one in window.findChildren(QToolButton) if one.accessibleName() == "Problems"]
    assert sign.text() == "⚠ 1"
    QTest.mouseClick(sign, Qt.MouseButton.LeftButton)
    assert window.problems.isVisible()
    assert sign.text() == "⚠ 1", "the object is still dead"
    canvas.select([pad])
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_F5)
    desk.wait(lambda: colour() == "#ff0000")
    assert sign.text() == "✓"


def test_item_that_does_not_answer_is_ended_after_a_double_click(
    desk: Desk, local_recipe: Callable[[str, str], Object]
) -> None:
    bring(desk)
    window = desk.open(local_recipe("liven:desktop", "table"), "table")
    window.show()
    canvas = window.centralWidget()
    assert isinstance(canvas, Canvas)
    place = Place(0.0, 0.0, SIZE, SIZE)
    key, command = commands.add(canvas.state, write(recipe()).decode(), "", place)
    assert canvas.do(command)
    desk.wait(lambda: isinstance(canvas.item_views.view(key), ConfinedView))
    view = canvas.item_views.view(key)
    assert isinstance(view, ConfinedView)
    desk.wait(lambda: not view.picture_size().isEmpty())
    at = canvas.camera.to_window(QPointF(SIZE / 2, SIZE / 2)).toPoint()
    (process,) = desk.program.session.processes.running
    os.kill(process.pid, signal.SIGSTOP)
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    desk.wait(lambda: view.is_silent)
    canvas.leave_editing()
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    surface = canvas.focusWidget()
    assert isinstance(surface, Surface)
    button = surface.findChild(QPushButton)
    assert isinstance(button, QPushButton) and button.isVisible()
    middle, shown = surface.rect().center(), button.geometry()
    assert abs(shown.center().x() - middle.x()) <= 1, "it stands below the sentence"
    assert middle.y() < shown.top() < middle.y() + 60
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.wait(
        lambda: "it was ended because it did not answer" in canvas.item_views.notice(canvas.state.items[key])
    )
    assert canvas.item_views.notice(canvas.state.items[key]).startswith("Object C0FF1E00\n")
