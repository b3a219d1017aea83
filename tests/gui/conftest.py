"""The `desk` fixture: a program and its windows on Qt's event loop, with folders of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.gui.appearance.theme_reset import remember_plain, undress

from liven.app.identity.person import person
from liven.app.program.composition import Composition
from liven.app.program.window_list import WindowList
from liven.app.qt_dispatcher import QtDispatcher
from liven.app.trust.path_policy import PathPolicy
from liven.app.trust.path_store import PathStore
from liven.app.trust.policy import TrustPolicy
from liven.app.trust.question_board import QuestionBoard
from liven.app.trust.trust_store import TrustStore
from liven.app.window.object_window import ObjectWindow
from liven.app.window.pages.stopped_page import StoppedPage
from liven.liveobjects.channel.composition import Channels
from liven.multicast.socket_engine import EngineConfig, default_place
from liven.runtime.problems import Problems
from liven.runtime.reference.model import NAME, Attribute, Object, OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.xml import write
from liven.runtime.signing.known_signers import KnownSigners
from liven.runtime.user_folders import UserFolders


@pytest.fixture(autouse=True, scope="session")
def _plain_font(qapp: QApplication) -> None:
    """Remember the letters of the program before a test dresses it."""
    remember_plain(qapp)


@pytest.fixture(autouse=True)
def _plain_program(qapp: QApplication) -> Iterator[None]:
    """Undress the program after a test that dressed it, so that the others measure the same letters."""
    blinks = qapp.cursorFlashTime()
    yield
    if qapp.styleSheet():
        undress(qapp, blinks)


CLASSES = {
    "liven:text": ("982130E40A294E3CAD5441841E87941E", "982130E40A294E3CAD5441841E87941E"),
    "liven:desktop": ("8E058A84A89546389352AD2F551696CD", "BE02D391402D436EB62473CC4E04E7F4"),
    "liven:vote": ("liven:vote-operation", "liven:vote-state"),
    "liven:chat-room": ("liven:chat-operation", "liven:chat-state"),
    "liven:shared-counter": ("liven:int64", "liven:int64"),
}


def local(kind: str, name: str) -> Object:
    """Return the recipe of an object on a channel inside this process, which needs no engine."""
    message, checkpoint = CLASSES[kind]
    classes = (
        Parameter("MessageClass", OtherClass("ValueClass", message)),
        Parameter("CheckpointClass", OtherClass("ValueClass", checkpoint)),
    )
    address = Parameter("address", Plain("string", name))
    on = Reference("liven:local-communication-channel", (*classes, address))
    return Reference(kind, (Parameter("channel", on),), attributes=(Attribute(NAME, name),))


class Desk:
    """A desktop program inside the test's process."""

    def __init__(self, bot: QtBot, folder: Path) -> None:
        self.bot = bot
        self.folder = folder
        self.folders = UserFolders.below(folder / "home")
        self.problems = Problems()
        self.dispatcher = QtDispatcher(self.problems.report)
        self.trusted = TrustStore(self.folders.config / "trusted.json")
        self.signers = KnownSigners.of(self.folders.config)
        self.board = QuestionBoard()
        self.asking = TrustPolicy(self.trusted, self.signers, self.board)
        self.paths = PathPolicy(PathStore.of(self.folders), self.board)
        self.program = Composition(
            self.dispatcher,
            self.problems,
            self.folders,
            person(self.folders.config),
            self.asking.ask,
            Channels(EngineConfig(place=default_place(self.folders.runtime)), self.folders),
            self.paths.ask,
        )
        self.emptied = 0
        self.windows = WindowList(self.program, self._emptied)
        self.asking.window_of = self.windows.window_for_question
        self.asking.known = self.program.session.known
        self.paths.window_of = self.windows.window_of_path
        self.windows.before_reload = self.board.restarted

    def file(self, name: str, thing: Object | bytes) -> Path:
        """Write a file with a recipe or other contents."""
        path = self.folder / f"{name}.liveobject"
        path.write_bytes(thing if isinstance(thing, bytes) else write(thing))
        return path

    def open(self, thing: Object, name: str = "thing") -> ObjectWindow:
        """Open a window on an object, and wait until it runs."""
        window = self.windows.open_file(self.file(name, thing))
        self.wait(lambda: window.view is not None)
        return window

    def wait(self, good: Callable[[], object]) -> None:
        self.bot.waitUntil(lambda: bool(good()), timeout=60_000)

    def words(self, window: ObjectWindow) -> str:
        """Return the text that a window shows instead of an object."""
        widget: QWidget | None = window.centralWidget()
        if isinstance(widget, StoppedPage):
            widget = widget.findChild(QLabel)
        return widget.text() if isinstance(widget, QLabel) else ""

    def press(self, window: ObjectWindow, words: str) -> Any:
        """Run the menu entry with these words."""
        [action] = [one for one in window.menus.actions if one.words == words]
        return action.run()

    def click(self, widget: QWidget) -> None:
        from PySide6.QtCore import Qt

        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def close(self) -> None:
        self.windows.close_all()
        self.program.close()
        self.dispatcher.close()

    def _emptied(self) -> None:
        self.emptied += 1


@pytest.fixture
def local_recipe() -> Callable[[str, str], Object]:
    return local


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(qtbot, tmp_path)
    yield made
    made.close()
