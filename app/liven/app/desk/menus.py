"""The menus of a window: its own entries, and those of the object that it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDockWidget, QFileDialog, QMenu, QMessageBox

from liven.app.desk.command_palette import CommandPalette, KeySheet
from liven.app.desk.recipes import KINDS
from liven.app.main import version
from liven.liveobjects.view import Action

if TYPE_CHECKING:
    from liven.app.desk.object_window import ObjectWindow

_FILTER = "Live objects (*.liveobject);;All files (*)"


class Menus:
    """Every entry is an `Action` too, so that the palette of commands and the sheet of keys have them all."""

    def __init__(self, window: ObjectWindow) -> None:
        self._window = window
        self._shown: tuple[Action, ...] = ()
        self._own = self._own_actions()
        self._menus: dict[str, QMenu] = {}
        self._fill(())

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that can be done in the window now."""
        return (*self._own, *self._shown)

    def show_actions(self, actions: Sequence[Action]) -> None:
        """The object that is shown can do these."""
        self._shown = tuple(actions)
        self._fill(self._shown)

    def find_command(self) -> None:
        """Opens the palette of commands."""
        CommandPalette(self._window, self.actions).open()

    def show_keys(self) -> None:
        """Opens the sheet of keys."""
        KeySheet(self._window, self.actions).open()

    def _own_actions(self) -> tuple[Action, ...]:
        window = self._window
        new = [
            Action(f"New {kind.name.lower()}", (), partial(self._new, kind.make, kind.name), "File")
            for kind in KINDS
        ]
        return (
            *new,
            Action("Open a file…", ("Ctrl+O",), self._open, "File"),
            Action("Open in another program", ("Ctrl+Shift+N",), window.elsewhere.emit, "File"),
            Action("Close", ("Ctrl+W",), window.close, "File"),
            Action("Show the palette", ("Ctrl+P",), lambda: _toggle(window.palette_dock), "View"),
            Action("Show problems", ("Ctrl+Shift+M",), window.show_problems, "View"),
            Action("Do something…", ("Ctrl+Shift+P",), self.find_command, "Help"),
            Action("Keys", ("F1", "?"), self.show_keys, "Help"),
            Action("Check this machine…", (), window.check_machine, "Help"),
            Action("About Liven", (), self._about, "Help"),
        )

    def _fill(self, shown: Sequence[Action]) -> None:
        bar = self._window.menuBar()
        bar.clear()
        self._menus.clear()
        order = ["File", "Edit", "Format", "Arrange", "View", "Help"]
        groups = {action.group for action in (*self._own, *shown)}
        for name in [*(one for one in order if one in groups), *sorted(groups - set(order))]:
            self._menus[name] = bar.addMenu(f"&{name}")
        for action in shown:
            self._add(action, listens=False)
        for action in self._own:
            self._add(action, listens=True)

    def _add(self, action: Action, *, listens: bool) -> None:
        """The widget of the object listens to its keys itself; here they are only shown."""
        entry = QAction(action.words, self._menus[action.group])
        entry.triggered.connect(lambda _=False, run=action.run: run())
        if listens:
            entry.setShortcuts([QKeySequence(keys) for keys in action.keys])
        elif action.keys:
            entry.setText(f"{action.words}\t{QKeySequence(action.keys[0]).toString()}")
        self._menus[action.group].addAction(entry)

    def _new(self, make: Callable[[str], object], name: str) -> None:
        self._window.wanted.emit(make(name))

    def _open(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self._window, "Open", "", _FILTER)
        for name in names:
            self._window.wanted.emit(Path(name))

    def _about(self) -> None:
        words = "A desktop of live objects: what you open runs on every screen that shows it."
        words = f"Liven {version()}\n\n{words}"
        QMessageBox.about(self._window, "About Liven", words)


def _toggle(dock: QDockWidget) -> None:
    dock.setVisible(not dock.isVisible())
