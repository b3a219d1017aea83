"""Two people on one desktop, each in their own process, see each other's presence."""

from __future__ import annotations

import time
import uuid
from typing import Any

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState, Gaze


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
