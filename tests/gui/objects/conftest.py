"""A room: objects and their views on one hand-cranked clock, with what people bring to them."""

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
from liven.liveobjects.view.contract import View, view_of
from liven.runtime.process.installation import Installation
from liven.runtime.reference.model import Reference
from liven.runtime.user_folders import UserFolders
from liven.types.declare import TermBuilder

PATIENCE = 60.0


@dataclass
class Told:
    """A frame that remembers what it was told."""

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
    """Processes on one clock, joined by a hub; what each shows is a view."""

    def __init__(self, house: Processes, bot: QtBot, folder: Path) -> None:
        self.house = house
        self.told = Told()
        self.folder = folder
        self._bot = bot
        self._shown: list[tuple[Any, View]] = []

    def forgive(self) -> None:
        """What was reported so far was expected."""
        for process in self.house.processes:
            process.problems.clear()

    def person(self, name: str = "") -> Process:
        """One more process."""
        made = self.house.process(name)
        made.node.person = name
        return made

    def shared(self, name: str, kind: type, message: Any, checkpoint: Any, **values: object) -> Object:
        """An object on a channel that all of its kind share, in a process of its own."""
        person = self.person(name)
        made = person.build(kind, **values)
        classes = [self.term(one) for one in (message, checkpoint)]
        channel = person.build(SharedChannel, *classes, name=f"home/f/{kind.__name__}")
        person.connect(channel, "Channel", made, "channel")
        self.house.advance(2)
        return made

    def furnish(self) -> None:
        """Takes in all objects that are installed, and a registry that leads to the channels of the house."""
        defaults = {
            COMMUNICATION: Reference("liven:communication"),
            SYSTEMS: Reference("liven:communication-systems"),
        }
        house = self.house
        Installation.learn(
            house.known, UserFolders.below(self.folder), house.problems.append, defaults=defaults
        )

    def term(self, cls: Any) -> Any:
        """The type that a declared class stands for."""
        return TermBuilder(self.house.known.formalisms).of(cls) if isinstance(cls, type) else cls

    def show(self, thing: Object) -> Any:
        """The view of an object."""
        showing = thing.instance.context.show(thing.handle, lambda: None)
        view = view_of(showing.shown, self.told)
        self._shown.append((showing, view))
        return view

    def widget(self, view: View, width: int = 300, height: int = 200) -> Any:
        """The widget of a view, on the screen."""
        made = view.widget()
        made.resize(width, height)
        made.show()
        made.activateWindow()
        self._bot.waitUntil(made.isActiveWindow, timeout=60_000)
        made.setFocus()
        return made

    def wait(self, condition: Callable[[], object]) -> None:
        """Lets time pass until it is so. Workers take their time, whatever the house's clock says."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            QTest.qWait(0)
            if condition():
                return
            self.house.advance(0.02)
        raise AssertionError(f"it never came to be; the person was told {self.told.words}")

    def settle(self) -> None:
        """All that is due now is done."""
        self.house.advance(0.01)

    def close(self) -> None:
        for _, view in tuple(self._shown):
            self.unshow(view)

    def unshow(self, view: View) -> None:
        """A view is shown no longer."""
        for showing, shown in self._shown:
            if shown is view:
                view.close()
                showing.close()
        self._shown = [one for one in self._shown if one[1] is not view]

    def picture(self, colour: str = "#c02020", width: int = 40, height: int = 20) -> QImage:
        """A picture of one colour."""
        made = QImage(width, height, QImage.Format.Format_RGB32)
        made.fill(QColor(colour))
        return made

    def file_bytes(self, picture: QImage, kind: str = "PNG") -> bytes:
        """A picture as a file has it."""
        stored = QByteArray()
        buffer = QBuffer(stored)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        assert picture.save(buffer, kind)  # type: ignore[call-overload]  # its stub wants bytes
        return bytes(stored.data())

    def file(self, name: str, data: bytes | None = None) -> Path:
        """A file, of a picture if nothing else is given."""
        path = self.folder / name
        path.write_bytes(self.file_bytes(self.picture()) if data is None else data)
        return path

    def drop(self, target: QWidget, data: QMimeData, at: QPoint | None = None) -> bool:
        """Drags something over a widget and drops it there; whether it was taken."""
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
        """Drops something that its source would like to be rid of; what the source is told was done."""
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
        """What a view paints."""
        made = QPixmap(width, height)
        made.fill(Qt.GlobalColor.white)
        painter = QPainter(made)
        view.paint(painter, made.rect().toRectF())
        painter.end()
        return made.toImage()


@pytest.fixture
def room(qtbot: QtBot, tmp_path: Path) -> Iterator[Room]:
    """A room, left without problems."""
    with Processes() as house:
        made = Room(house, qtbot, tmp_path)
        yield made
        made.close()
