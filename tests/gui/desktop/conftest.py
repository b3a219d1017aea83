"""A desktop in a window with notes on it, and a mouse with modifier keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from liven.liveobjects.channel.objects import local
from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop import object as desktop_object
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.gestures.handles import handles_of
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.text import object as text_object
from liven.runtime.reference.model import NAME, Attribute, Object, OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.xml import write
from liven.runtime.testing import Bench
from liven.types.catalogue import register
from liven.types.declare import TermBuilder, scan

NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton
TEXT = "982130E40A294E3CAD5441841E87941E"


def note(name: str, address: str = "") -> Object:
    """Return a recipe; notes with the same address are one note."""
    classes = (
        Parameter("MessageClass", OtherClass("ValueClass", TEXT)),
        Parameter("CheckpointClass", OtherClass("ValueClass", TEXT)),
    )
    where = (Parameter("address", Plain("string", address)),) if address else ()
    on = Reference("liven:local-communication-channel", (*classes, *where))
    return Reference("liven:text", (Parameter("channel", on),), attributes=(Attribute(NAME, name),))


class Table:
    """One canvas, with methods that use mouse and keyboard."""

    def __init__(self, bot: QtBot, bench: Bench) -> None:
        self.bot = bot
        self.bench = bench
        self.said: list[str] = []
        self.unsaid: list[str] = []
        self.opened: list[str] = []
        terms = TermBuilder(bench.known.formalisms)
        classes = [terms.value_of(one) for one in (DesktopOperation, DesktopState)]
        self.desktop = bench.build(DesktopObject)
        self.channel = bench.build(LocalChannel, *classes, address="desk")
        bench.connect(self.desktop, "channel", self.channel, "Channel")
        bench.advance(0.01)
        self.canvas = Canvas(self.desktop.instance, self)
        bot.addWidget(self.canvas)
        self.canvas.resize(800, 600)
        self.canvas.show()
        self.canvas.activateWindow()
        bot.waitUntil(self.canvas.isActiveWindow, timeout=60_000)
        self.canvas.setFocus()
        self.canvas.snapping = False

    def show_message(self, message: str) -> None:
        self.said.append(message)

    def withdraw_message(self, message: str) -> None:
        self.unsaid.append(message)

    def open_object(self, recipe: str, name: str) -> None:
        self.opened.append(name)

    def lay(
        self, name: str, x: float, y: float, width: float = 100, height: float = 60, address: str = ""
    ) -> str:
        """Add a note; return its key."""
        recipe = write(note(name, address)).decode()
        key, command = commands.add(self.canvas.state, recipe, name, Place(x, y, width, height))
        assert self.canvas.do(command)
        self.settle()
        return key

    def recipe(self, name: str) -> str:
        """Return the recipe of a note."""
        return write(note(name)).decode()

    def arrive(self, x: float, y: float) -> None:
        """Add a note as a channel does while a desktop is loading."""
        recipe = write(note("there")).decode()
        _, command = commands.add(self.canvas.state, recipe, "there", Place(x, y, 100, 60))
        self.canvas.editor.edit(command.name, *command.changes)
        self.settle()

    def settle(self) -> None:
        self.bench.advance(0.1)
        QApplication.processEvents()

    def item(self, key: str) -> Item:
        return self.canvas.state.items[key]

    def place(self, key: str) -> tuple[float, float, float, float]:
        place = self.item(key).place
        return tuple(round(one, 3) for one in (place.x, place.y, place.width, place.height))  # type: ignore[return-value]

    def labels(self) -> list[str]:
        return [one.label for one in self.canvas.state.stacked()]

    def selected(self) -> set[str]:
        return {self.item(key).label for key in self.canvas.selected}

    def middle(self, key: str) -> QPointF:
        return self.canvas.camera.to_window(rect(self.item(key).place).center())

    def handle(self, key: str, across: int, down: int) -> QPointF:
        return dict(handles_of(self.canvas, self.item(key)))[(across, down)]

    def press(self, at: QPointF, keys: Any = NONE, button: Any = LEFT) -> None:
        self._send(QEvent.Type.MouseButtonPress, at, keys, button, button)

    def move(self, at: QPointF, keys: Any = NONE, button: Any = LEFT) -> None:
        self._send(QEvent.Type.MouseMove, at, keys, Qt.MouseButton.NoButton, button)

    def release(self, at: QPointF, keys: Any = NONE, button: Any = LEFT) -> None:
        self._send(QEvent.Type.MouseButtonRelease, at, keys, button, Qt.MouseButton.NoButton)
        self.settle()

    def click(self, key: str, keys: Any = NONE) -> None:
        QTest.mouseClick(self.canvas, LEFT, keys, self.middle(key).toPoint())

    def drag(self, start: QPointF, by: QPointF, keys: Any = NONE, button: Any = LEFT) -> None:
        """Press, move in three steps and release."""
        self.press(start, keys, button)
        for part in (0.3, 0.7, 1.0):
            self.move(start + by * part, keys, button)
        self.canvas.grab()
        self.release(start + by, keys, button)

    def key(self, key: Any, keys: Any = NONE) -> None:
        QTest.keyClick(self.canvas, key, keys)
        self.settle()

    def double_click(self, key: str) -> None:
        QTest.mouseDClick(self.canvas, LEFT, NONE, self.middle(key).toPoint())

    def point(self, x: float, y: float) -> QPointF:
        return QPointF(x, y)

    def close(self) -> None:
        self.canvas.close_down()

    def _send(self, kind: QEvent.Type, at: QPointF, keys: Any, button: Any, held: Any) -> None:
        everywhere = QPointF(self.canvas.mapToGlobal(QPoint(0, 0))) + at
        QApplication.sendEvent(self.canvas, QMouseEvent(kind, at, everywhere, button, held, keys))


@pytest.fixture
def table(qtbot: QtBot, tmp_path: Path) -> Iterator[Table]:
    with Bench() as bench:
        for module in (text_object, local, desktop_object):
            register(bench.known.catalogue, scan(module), bench.known.matcher)
        made = Table(qtbot, bench)
        yield made
        made.close()
