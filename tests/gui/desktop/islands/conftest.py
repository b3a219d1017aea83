"""A desktop that fills its window, with islands over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.runtime.reference.xml import write

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Board:
    """A window with a desktop, used by mouse and keyboard."""

    def __init__(self, desk: Any, local_recipe: Callable[..., Any]) -> None:
        self.desk = desk
        self._recipe = local_recipe
        self.window = desk.open(local_recipe("liven:desktop", "Board"), "Board")
        self.window.resize(1440, 900)
        self.canvas = self.window.centralWidget()
        desk.wait(lambda: self.canvas.model.ready and self.canvas.width() > 1400)
        self.window.activateWindow()
        desk.wait(self.window.isActiveWindow)
        self.canvas.setFocus()
        self.canvas.snapping = False

    @property
    def islands(self) -> Any:
        return self.canvas.islands

    @property
    def said(self) -> str:
        return str(self.window._message.text()) if self.window._message.isVisible() else ""

    def lay(self, x: float, y: float, kind: str = "liven:shared-counter") -> str:
        recipe = write(self._recipe(kind, f"{x} {y}")).decode()
        key, command = commands.add(self.canvas.state, recipe, "Thing", Place(x, y, 200, 150))
        assert self.canvas.do(command)
        QApplication.processEvents()
        return key

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        QTest.mouseClick(widget, LEFT, NONE, widget.rect().center() if at is None else at)
        QApplication.processEvents()

    def drag(self, start: QPointF, end: QPointF) -> None:
        kinds = QMouseEvent.Type
        steps = [(kinds.MouseButtonPress, start), (kinds.MouseMove, (start + end) / 2)]
        for kind, at in (*steps, (kinds.MouseMove, end), (kinds.MouseButtonRelease, end)):
            button = Qt.MouseButton.NoButton if kind is kinds.MouseMove else LEFT
            held = Qt.MouseButton.NoButton if kind is kinds.MouseButtonRelease else LEFT
            event = QMouseEvent(kind, at, self.canvas.mapToGlobal(at), button, held, NONE)
            QApplication.sendEvent(self.canvas, event)
        QApplication.processEvents()

    def key(self, key: Any, modifiers: Any = NONE) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.canvas, key, modifiers)
        QApplication.processEvents()


@pytest.fixture
def board(desk: Any, local_recipe: Any) -> Iterator[Board]:
    yield Board(desk, local_recipe)
