"""Two people on one desktop, each in their own process, see each other's presence."""

from __future__ import annotations

import time
import uuid
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.app.palette.new_objects import note
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.gestures import handles
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState, Gaze, Held
from liven.runtime.reference.xml import write


def move(canvas: Any, at: QPointF) -> None:
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, at, at, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas, event)


def test_pointer_is_seen_by_the_other_person_until_its_owner_leaves(room: Any) -> None:
    room.furnish()
    ann = room.shared("ann", DesktopObject, DesktopOperation, DesktopState)
    bob = room.shared("bob", DesktopObject, DesktopOperation, DesktopState)
    here, there = (room.widget(room.show(one), 400, 300) for one in (ann, bob))
    room.wait(lambda: here.collaborators.others and there.collaborators.others)
    move(there, QPointF(120, 80))
    room.wait(lambda: any(one.pointing and (one.x, one.y) == (120, 80) for one in here.collaborators.others))
    assert len(here.collaborators.others) == 1

    def answered() -> bool:
        for canvas in (here, there):
            move(canvas, QPointF(100 + time.monotonic() % 50, 80))
        [other] = here.collaborators.others
        return "ms behind" in here.collaborators.lags.words(other.window, time.monotonic())

    room.wait(answered)
    here.grab()
    bob.close()
    room.wait(lambda: not here.collaborators.others)


@pytest.fixture
def pair(room: Any) -> tuple[Any, Any]:
    """The canvases of two people on one desktop with two notes, of which the second lies above the first."""
    here, there = room.canvases()
    for name, x in (("low", 40.0), ("high", 300.0)):
        recipe = write(note(name)).decode()
        _, command = commands.add(here.state, recipe, name, Place(x, 60.0, 150.0, 100.0))
        assert here.do(command)
    room.wait(
        lambda: len(there.state.items) == 2 and here.collaborators.others and there.collaborators.others
    )
    for canvas in (here, there):
        canvas.snapping = False
    return here, there


def key_of(canvas: Any, name: str) -> str:
    [key] = [one.key for one in canvas.state.items.values() if one.label == name]
    return str(key)


def mouse(canvas: Any, kind: QEvent.Type, at: QPointF) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else left
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else left
    everywhere = QPointF(canvas.mapToGlobal(QPoint(0, 0))) + at
    QApplication.sendEvent(canvas, QMouseEvent(kind, at, everywhere, button, held, none))


def hold(canvas: Any, start: QPointF, by: QPointF) -> None:
    mouse(canvas, QEvent.Type.MouseButtonPress, start)
    for share in (0.5, 1.0):
        mouse(canvas, QEvent.Type.MouseMove, start + by * share)


def seen(canvas: Any, name: str) -> Any:
    return canvas.place_of(canvas.state.items[key_of(canvas, name)])


def middle(canvas: Any, name: str) -> QPointF:
    return QPointF(canvas.camera.to_window(rect(seen(canvas, name)).center()))


def test_others_see_a_drag_while_it_happens_and_the_item_where_it_is_dropped(room: Any, pair: Any) -> None:
    here, there = pair
    start, before = middle(here, "low"), seen(there, "low")
    hold(here, start, QPointF(80, 40))
    room.wait(lambda: seen(there, "low").x == before.x + 80)
    assert there.state.items[key_of(there, "low")].place == before, "nothing has changed yet"
    assert there.moving == {key_of(there, "low")}
    there.grab()
    mouse(here, QEvent.Type.MouseMove, start + QPointF(120, 40))
    room.wait(lambda: seen(there, "low").x == before.x + 120)
    places = []
    mouse(here, QEvent.Type.MouseButtonRelease, start + QPointF(120, 40))

    def dropped() -> bool:
        places.append(seen(there, "low"))
        return bool(there.state.items[key_of(there, "low")].place.x == before.x + 120)

    room.wait(dropped)
    assert {place.x for place in places} == {before.x + 120}, "it never jumps back"
    room.wait(lambda: not there.moving)
    assert seen(there, "low").x == before.x + 120


def test_others_see_a_cancelled_drag_end_where_it_began(room: Any, pair: Any) -> None:
    here, there = pair
    before = seen(there, "low")
    hold(here, middle(here, "low"), QPointF(80, 40))
    room.wait(lambda: seen(there, "low") != before)
    QTest.keyClick(here, Qt.Key.Key_Escape)
    room.wait(lambda: seen(there, "low") == before)


@pytest.mark.parametrize("handle", [(1, 1), handles.TURN])
def test_others_see_sizes_and_rotations_while_they_happen(room: Any, pair: Any, handle: Any) -> None:
    here, there = pair
    here.select({key_of(here, "low")})
    start = dict(handles.handles_of(here, here.state.items[key_of(here, "low")]))[handle]
    hold(here, start, QPointF(60, 50))
    room.wait(
        lambda: seen(there, "low") == seen(here, "low") != there.state.items[key_of(there, "low")].place
    )
    there.grab()
    mouse(here, QEvent.Type.MouseButtonRelease, start + QPointF(60, 50))
    room.wait(lambda: not there.moving)
    assert seen(there, "low") == seen(here, "low")


def test_what_is_dragged_is_raised_above_all_in_the_same_step(room: Any, pair: Any) -> None:
    here = pair[0]
    start = middle(here, "low")
    hold(here, start, QPointF(20, 10))
    mouse(here, QEvent.Type.MouseButtonRelease, start + QPointF(20, 10))
    room.settle()
    assert [item.label for item in here.state.stacked()] == ["high", "low"]
    here.activateWindow()
    room.wait(here.isActiveWindow)
    here.setFocus()
    QTest.keyClick(here, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [item.label for item in here.state.stacked()] == ["low", "high"]
    assert seen(here, "low").x == 40.0


def test_moves_that_cannot_be_drawn_are_ignored(room: Any, pair: Any) -> None:
    here, _ = pair
    low, nobody = key_of(here, "low"), uuid.UUID(int=0)
    numbers = (0.0, 0.0, 100.0, 100.0, 0.0, 0.0)
    before = seen(here, "low")
    for place in (
        Place(float("nan"), 0.0, 10.0, 10.0),
        Place(0.0, 0.0, -1.0, 10.0),
        Place(1e300, 0.0, 9.0, 9.0),
    ):
        said = Gaze(
            uuid.uuid4(), "Eve", "#102030", *numbers, False, [], 1.0, nobody, 0.0, 0.0, [Held(low, place)]
        )
        here.model.shown("7", said)
        assert seen(here, "low") == before
    here.grab()


def test_name_with_markup_is_shown_literally_and_reads_no_file(room: Any) -> None:
    """Qt immediately reads a file that markup in a tooltip names; this one never ends."""
    room.furnish()
    ann = room.shared("ann", DesktopObject, DesktopOperation, DesktopState)
    here = room.widget(room.show(ann), 400, 300)
    name, nobody = "<img src='/dev/zero'>", uuid.UUID(int=0)
    numbers = (0.0, 0.0, 100.0, 100.0, 0.0, 0.0)
    ann.instance.shown("7", Gaze(uuid.uuid4(), name, "#102030", *numbers, False, [], 1.0, nobody, 0.0, 0.0))
    [disc] = here.avatars._discs.values()
    assert "<img" not in disc.toolTip()
    assert "&lt;img" in disc.toolTip()
    assert disc.accessibleName() == name
