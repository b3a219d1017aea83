"""A window of its own for a recording: the recorded object in a sandbox, and the transport that plays it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from liven.app.palette.command_palette import CommandPalette, KeySheet
from liven.app.time_travel.past_view import PastView
from liven.app.time_travel.recording_finder import FoundRecording
from liven.app.time_travel.time_machine import TimeMachine
from liven.app.window.floating.toast import Toast
from liven.liveobjects.look.view.labels import brief
from liven.liveobjects.look.view.menu_corners import round_corners
from liven.liveobjects.view.contract import Action
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.model import Object

_LONGEST = 120


class RecordingWindow(QMainWindow):
    """A window that shows one recording. Nothing in it is live."""

    closed = Signal()
    copied = Signal(object, list)
    """A copy of a moment was made: its recipe, and the names of what is shared."""

    def __init__(self, machine: TimeMachine, recording: FoundRecording, thing: Object) -> None:
        super().__init__()
        self.recording = recording
        title = brief(shown_line(recording.title), _LONGEST)
        self.setWindowTitle(f"Recording of {title} — Liven")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.view = PastView(machine, recording, thing, recording.title, is_live=False)
        self.view.message.connect(self.show_message)
        self.view.returned.connect(self.close)
        self.view.copied.connect(self.copied)
        self.setCentralWidget(self.view.page)
        self._message = Toast(self)
        self._message.foot = self.view.page.stage.island_height
        self._own = self._own_actions()
        self._fill_menus()
        self.resize(1000, 700)

    @property
    def actions_of_menus(self) -> tuple[Action, ...]:
        """Every command of the window."""
        return (*self.view.page.commands(), *self._own)

    def open(self) -> None:
        """Show the window, and open the recording in it."""
        self.show()
        self.view.open()

    def show_message(self, message: str) -> None:
        """Show a message over the window's contents."""
        self._message.say(message)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the replay."""
        self.view.close()
        self.closed.emit()
        super().closeEvent(event)

    def _own_actions(self) -> tuple[Action, ...]:
        return (
            Action("Close", ("Ctrl+W",), self.close, "File"),
            Action("Command palette…", ("Ctrl+Shift+P",), self._find_command, "Help"),
            Action("Keys", ("F1", "?"), self._show_keys, "Help"),
            Action("Show last message", ("F4",), self._message.say_again, "Help"),
            Action("Close message", ("Shift+F4",), self._message.close_it, "Help"),
        )

    def _find_command(self) -> None:
        CommandPalette(self, self.actions_of_menus).open()

    def _show_keys(self) -> None:
        KeySheet(self, self.actions_of_menus).open()

    def _fill_menus(self) -> None:
        for name in ("File", "Time", "Help"):
            menu = round_corners(self.menuBar().addMenu(f"&{name}"))
            part, entries = "", []
            for action in (one for one in self.actions_of_menus if one.group == name):
                if part and action.part != part:
                    menu.addSeparator()
                part = action.part
                entries.append((_entry(menu, action, listens=action in self._own), action))
            menu.aboutToShow.connect(lambda entries=entries: _make_grey(entries))


def _entry(menu: QMenu, action: Action, *, listens: bool) -> QAction:
    """Add a command to a menu. The page listens to the keys of its own commands."""
    entry = QAction(action.words, menu)
    entry.triggered.connect(lambda: action.run())
    if listens:
        entry.setShortcuts([QKeySequence(keys) for keys in action.keys])
    elif action.keys:
        entry.setText(f"{action.words}\t{QKeySequence(action.keys[0]).toString()}")
    menu.addAction(entry)
    return entry


def _make_grey(entries: list[tuple[QAction, Action]]) -> None:
    for entry, action in entries:
        entry.setEnabled(action.can())
