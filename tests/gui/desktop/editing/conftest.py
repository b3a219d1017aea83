"""A desktop in a window with one object that has zones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.geometry import on_plane
from liven.liveobjects.view.zones import Zone
from liven.runtime.reference.xml import write


class Put:
    """A desktop with one object, used by mouse and keyboard."""

    def __init__(self, desk: Any, recipe: Any) -> None:
        self.wait = desk.wait
        self.window = desk.open(recipe("liven:desktop", "Table"))
        self.canvas = self.window.view.widget()
        self.window.activateWindow()
        desk.wait(lambda: self.window.isActiveWindow() and self.canvas.model.ready)
        self.canvas.setFocus()

    def put(self, recipe: Any) -> Any:
        """Put an object on the desktop and return its view, once it has loaded."""
        text = write(recipe).decode()
        self.key, command = commands.add(self.canvas.state, text, "Thing", Place(100, 60, 320, 330))
        assert self.canvas.do(command)
        self.wait(lambda: self.view is not None and not self.view.is_loading())
        return self.view

    @property
    def view(self) -> Any:
        return self.canvas.item_views.view(self.key)

    def zones(self) -> dict[str, Zone]:
        """Return the zones by their words."""
        place = self.canvas.state.items[self.key].place
        found = self.canvas.item_views.zones(self.key, QRectF(0, 0, place.width, place.height))
        return {zone.words: zone for zone in found}

    def seen(self, zone: Zone) -> QRectF:
        """Return the area of a zone in the window."""
        place = self.canvas.state.items[self.key].place
        seen: QRectF = (on_plane(place) * self.canvas.camera.transform()).mapRect(zone.area)
        return seen

    def click(self, zone: Zone) -> None:
        at = self.seen(zone).center().toPoint()
        QTest.mouseClick(self.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        QApplication.processEvents()

    def key_in(self, key: Any, keys: Any = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in what has the focus."""
        QTest.keyClick(self.focus(), key, keys)
        QApplication.processEvents()

    def focus(self) -> QWidget:
        found = QApplication.focusWidget()
        return self.canvas if found is None else found

    def point(self, x: float, y: float) -> QPointF:
        return QPointF(QPoint(round(x), round(y)))


@pytest.fixture
def put(desk: Any, local_recipe: Callable[..., Any]) -> Put:
    return Put(desk, local_recipe)
