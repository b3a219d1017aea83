"""A room: objects and their views on one hand-cranked clock, with the files and drops of people."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QPoint, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QImage, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from liven.liveobjects.channel.api.recipes import COMMUNICATION, SYSTEMS
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.channel.testing.processes import Object, Process
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.look.tokens import LOOKS, Look
from liven.liveobjects.look.view.light import HIGH_CONTRAST, LIGHT
from liven.liveobjects.view.contract import View, view_of
from liven.runtime.process.installation import Installation
from liven.runtime.reference.model import Reference
from liven.runtime.user_folders import UserFolders
from liven.types.declare import TermBuilder

PATIENCE = 60.0


@dataclass
class Told:
    """A host that records its messages."""

    words: list[str] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)
    opened: list[tuple[str, str]] = field(default_factory=list)

    def show_message(self, message: str) -> None:
        self.words.append(message)

    def withdraw_message(self, message: str) -> None:
        self.unsaid.append(message)

    def open_object(self, recipe: str, name: str) -> None:
        self.opened.append((recipe, name))


class Room:
    """Processes on one clock, connected by a local transport, with the views of their objects."""

    def __init__(self, house: Processes, bot: QtBot, folder: Path) -> None:
        self.house = house
        self.told = Told()
        self.folder = folder
        self._bot = bot
        self._shown: list[tuple[Any, View]] = []

    def forgive(self) -> None:
        """Forget the problems reported so far: they were expected."""
        for process in self.house.processes:
            process.problems.clear()

    def person(self, name: str = "") -> Process:
        """Start another process."""
        made = self.house.process(name)
        made.node.person = name
        return made

    def shared(self, name: str, kind: type, message: Any, checkpoint: Any, **values: object) -> Object:
        """Make an object on a channel that all of its kind share, in its own process."""
        person = self.person(name)
        made = person.build(kind, **values)
        classes = [self.term(one) for one in (message, checkpoint)]
        channel = person.build(SharedChannel, *classes, name=f"home/f/{kind.__name__}")
        person.connect(channel, "Channel", made, "channel")
        self.house.advance(2)
        return made

    def furnish(self) -> None:
        """Register all installed objects, and a registry that leads to the channels of the test."""
        defaults = {
            COMMUNICATION: Reference("liven:communication"),
            SYSTEMS: Reference("liven:communication-systems"),
        }
        house = self.house
        Installation.learn(
            house.known, UserFolders.below(self.folder), house.problems.append, defaults=defaults
        )

    def canvases(self) -> tuple[Any, Any]:
        """Return the canvases of Ann and Bob, who have one desktop open."""
        self.furnish()
        desktops = [
            self.shared(name, DesktopObject, DesktopOperation, DesktopState) for name in ("ann", "bob")
        ]
        here, there = (self.widget(self.show(each), 600, 400) for each in desktops)
        return here, there

    def term(self, cls: Any) -> Any:
        """Return the type of a declared class."""
        return TermBuilder(self.house.known.formalisms).of(cls) if isinstance(cls, type) else cls

    def show(self, thing: Object) -> Any:
        """Return the view of an object."""
        showing = thing.instance.context.show(thing.handle, lambda: None)
        view = view_of(showing.shown, self.told)
        self._shown.append((showing, view))
        return view

    def widget(self, view: View, width: int = 300, height: int = 200) -> Any:
        """Return the widget of a view, shown on the screen."""
        made = view.widget()
        made.resize(width, height)
        made.show()
        made.activateWindow()
        self._bot.waitUntil(made.isActiveWindow, timeout=60_000)
        made.setFocus()
        return made

    def wait(self, condition: Callable[[], object]) -> None:
        """Advance the time until a condition is true. Workers need real time, whatever the test's clock
        says."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            QTest.qWait(0)
            if condition():
                return
            self.house.advance(0.02)
        raise AssertionError(f"it never came to be; the person was told {self.told.words}")

    def settle(self) -> None:
        """Do everything that is due now."""
        self.house.advance(0.01)

    def close(self) -> None:
        for _, view in tuple(self._shown):
            self.unshow(view)

    def unshow(self, view: View) -> None:
        """Close a view."""
        for showing, shown in self._shown:
            if shown is view:
                view.close()
                showing.close()
        self._shown = [one for one in self._shown if one[1] is not view]

    def picture(self, colour: str = "#c02020", width: int = 40, height: int = 20) -> QImage:
        """Return a picture of one colour."""
        made = QImage(width, height, QImage.Format.Format_RGB32)
        made.fill(QColor(colour))
        return made

    def file_bytes(self, picture: QImage, kind: str = "PNG") -> bytes:
        """Return the bytes of a picture file."""
        stored = QByteArray()
        buffer = QBuffer(stored)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        assert picture.save(buffer, kind)  # type: ignore[call-overload]  # its stub wants bytes
        return bytes(stored.data())

    def file(self, name: str, data: bytes | None = None) -> Path:
        """Write a file, of a picture if nothing else is given."""
        path = self.folder / name
        path.write_bytes(self.file_bytes(self.picture()) if data is None else data)
        return path

    def drop(self, target: QWidget, data: QMimeData, at: QPoint | None = None) -> bool:
        """Drag data over a widget and drop it. Return true if it was accepted."""
        if isinstance(target, QAbstractScrollArea):
            target = target.viewport()
        if not target.acceptDrops():
            return False
        at = at or target.rect().center()
        action, button, keys = (
            Qt.DropAction.CopyAction,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        enter = QDragEnterEvent(at, action, data, button, keys)
        QApplication.sendEvent(target, enter)
        if not enter.isAccepted():
            return False
        QApplication.sendEvent(target, QDragMoveEvent(at, action, data, button, keys))
        drop = QDropEvent(at.toPointF(), action, data, button, keys)
        QApplication.sendEvent(target, drop)
        return drop.isAccepted()

    def move_to(self, target: QWidget, data: QMimeData) -> Qt.DropAction:
        """Drop data that its source wants to move. Return the action that the source sees."""
        if isinstance(target, QAbstractScrollArea):
            target = target.viewport()
        at = target.rect().center()
        actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
        button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
        QApplication.sendEvent(target, QDragEnterEvent(at, actions, data, button, keys))
        drop = QDropEvent(at.toPointF(), actions, data, button, keys)
        assert drop.proposedAction() == Qt.DropAction.MoveAction
        drop.accept()  # as a widget on the way may have left it
        QApplication.sendEvent(target, drop)
        return drop.dropAction() if drop.isAccepted() else Qt.DropAction.IgnoreAction

    def painted(self, view: View, width: int = 200, height: int = 100) -> QImage:
        """Return a picture of a painted view."""
        made = QPixmap(width, height)
        made.fill(Qt.GlobalColor.white)
        painter = QPainter(made)
        view.paint(painter, made.rect().toRectF())
        painter.end()
        return made.toImage()


@pytest.fixture(params=list(LOOKS.values()), ids=list(LOOKS))
def light(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Look]:
    """Each look in turn, which the program has during the test."""
    found: Look = request.param
    qapp.setProperty(LIGHT, "dusk" if found.dark else "day")
    qapp.setProperty(HIGH_CONTRAST, found.high_contrast)
    yield found
    qapp.setProperty(LIGHT, None)
    qapp.setProperty(HIGH_CONTRAST, None)


@pytest.fixture
def room(qtbot: QtBot, tmp_path: Path) -> Iterator[Room]:
    """A room, which must end without problems."""
    with Processes() as house:
        made = Room(house, qtbot, tmp_path)
        yield made
        made.close()
