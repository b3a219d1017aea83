"""The menus of a window: its own entries, and those of the object that it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from liven.app.opening.link_url import LONGEST, is_link, link_to
from liven.app.palette.command_palette import CommandPalette, KeySheet
from liven.app.palette.new_objects import KINDS
from liven.app.version import version
from liven.app.window import focus_order
from liven.app.window.menus.dialogs import Dialogs
from liven.app.window.menus.file_actions import FileActions
from liven.app.window.menus.light_actions import light_actions
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.look.view.menu_corners import round_corners
from liven.liveobjects.view.contract import Action
from liven.runtime.folder.item_files import MIME
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from liven.app.window.object_window import ObjectWindow

GALLERY = "Find a board…"
_FILTER = "Live objects (*.liveobject);;All files (*)"

_OF_VIEWS = "anpsw"
"""Letters that are no mnemonics of menus, because desktops use Alt with them."""
_AGAIN = "Stop it and load it again; nothing is lost"
_YOURS = "Everything that you began or opened: find it by name and words, open it, delete it"
_QUIT = "Close all windows of this program"
_TRUSTED = "Code that runs without asking; you can withdraw trust"
_LOOK = "Day or dusk, high contrast, reduced motion: follow the system, or choose"
_NAME = "The name that others see on your badge and beside your pointer"
_MENUS = "Show the menus; Alt does the same"
_NEW = "new"
"""The section of the File menu that is a submenu."""
_ASIDE = "Stop it and show a still picture until you restart it; everything else keeps running"


class Menus:
    """The menu bar of one window. Each entry is an `Action`, so the command palette and the list of shortcuts
    contain all of them."""

    def __init__(self, window: ObjectWindow) -> None:
        self._window = window
        self._shown: tuple[Action, ...] = ()
        self._file_actions = FileActions(window)
        self._dialogs = Dialogs(window)
        self._own = self._own_actions()
        self._menus: dict[str, QMenu] = {}
        self._listening: list[QAction] = []
        """The entries that listen to their keys."""
        self._entries: dict[str, list[tuple[QAction, Action]]] = {}
        """The entries that may be grey or have a tick, by menu."""
        self._sections: dict[QMenu, str] = {}
        """The section of the last entry in each menu."""
        self._fill_menus(())

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action that is available in the window now."""
        return (*self._own, *self._shown)

    def show_actions(self, actions: Sequence[Action]) -> None:
        """Show the actions of the displayed object beside the window's own."""
        self._shown = tuple(actions)
        self._fill_menus(self._shown)

    def find_command(self) -> None:
        """Open the command palette."""
        CommandPalette(self._window, self.actions).open()

    def show_keys(self) -> None:
        """Open the list of keyboard shortcuts."""
        KeySheet(self._window, self.actions).open()

    def _new_actions(self) -> tuple[Action, ...]:
        begin = self._window.begin_requested.emit
        return tuple(
            Action(f"New {one.name.lower()}", (), partial(begin, one), "File", part=_NEW) for one in KINDS
        )

    def _own_actions(self) -> tuple[Action, ...]:
        window = self._window
        return (
            *self._new_actions(),
            Action("Open…", ("Ctrl+O",), self._open, "File", part="open"),
            Action(GALLERY, ("Ctrl+K", "Ctrl+Alt+O"), window.start_requested.emit, "File", _YOURS, "open"),
            Action("Open from clipboard", ("Ctrl+Shift+V",), self._open_clipboard, "File", part="open"),
            Action(
                "Open in another program",
                ("Ctrl+Shift+N",),
                window.other_program_requested.emit,
                "File",
                part="open",
            ),
            *self._file_actions.actions(),
            Action("Copy this object", ("Ctrl+Alt+C",), self._copy_object, "File", part="give"),
            Action("Copy link to this object", (), self.copy_link, "File", part="give"),
            Action("Restart this object", ("Ctrl+Shift+R",), window.restart, "File", _AGAIN, "running"),
            Action("Pause this object", (), window.pause, "File", _ASIDE, "running"),
            Action("Close", ("Ctrl+W",), window.close, "File", part="end"),
            Action("Quit", ("Ctrl+Q",), window.quit_requested.emit, "File", _QUIT, "end"),
            Action("Menus", ("F10",), window.show_menus, "View", _MENUS, part="panels"),
            Action("Add something…", ("Ctrl+P",), window.insertion.toggle, "Insert"),
            Action("Problems panel", ("Ctrl+Shift+M",), window.show_problems, "View", part="panels"),
            Action("Inspector", ("Ctrl+Shift+I",), window.show_inspector, "View", part="panels"),
            Action("Network monitor", ("Ctrl+Shift+T",), window.show_network, "View", part="panels"),
            Action("Feeds", ("Ctrl+Shift+F",), window.show_feeds, "View", part="panels"),
            Action(
                "Next pane",
                ("F6",),
                lambda: focus_order.go(window, 1),
                "View",
                part="panels",
            ),
            Action(
                "Previous pane",
                ("Shift+F6",),
                lambda: focus_order.go(window, -1),
                "View",
                part="panels",
            ),
            *window.past.actions(),
            Action("Contrast, motion and light…", (), window.choose_appearance, "View", _LOOK, part="look"),
            *light_actions(window),
            Action("Command palette…", ("Ctrl+Shift+P",), self.find_command, "Help"),
            Action("Keys", ("F1", "?"), self.show_keys, "Help"),
            Action("Show last message", ("F4",), window.say_again, "Help"),
            Action("Close message", ("Shift+F4",), window.close_message, "Help"),
            Action("Change your name…", (), window.rename_requested.emit, "Help", _NAME),
            Action("Trusted code…", (), self._dialogs.show_trusted, "Help", _TRUSTED),
            Action("Check this computer…", (), self._dialogs.check_machine, "Help"),
            Action("About Liven", (), self._about, "Help"),
        )

    def _fill_menus(self, shown: Sequence[Action]) -> None:
        bar = self._window.menuBar()
        bar.clear()
        for entry in self._listening:  # menus are deleted later, and two entries of one key are ambiguous
            self._window.removeAction(entry)
        self._listening.clear()
        for menu in self._menus.values():
            menu.deleteLater()
        self._menus.clear()
        order = ["File", "Edit", "Insert", "Format", "Arrange", "Time", "View", "Help"]
        groups = {action.group for action in (*self._own, *shown)}
        taken = set(_OF_VIEWS)
        for name in [*(one for one in order if one in groups), *sorted(groups - set(order))]:
            self._menus[name] = round_corners(bar.addMenu(_lettered(name, taken)))
            self._menus[name].setToolTipsVisible(True)
            self._menus[name].aboutToShow.connect(partial(self._update_entries, name))
        self._sections.clear()
        self._entries.clear()
        self._new_menu = round_corners(self._menus["File"].addMenu("&New"))
        for action in shown:
            self._add(action, listens=False)
        for action in self._own:
            self._add(action, listens=True)
        self._recent = round_corners(QMenu("Open &recent", self._menus["File"]))
        self._recent.setToolTipsVisible(True)
        self._recent.aboutToShow.connect(self._list_recent)
        self._menus["File"].insertMenu(self._menus["File"].actions()[2], self._recent)

    def show_all(self, at: QPoint) -> None:
        """Show all menus, one in another, at a point of the screen."""
        shown = round_corners(QMenu(self._window))
        shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for menu in self._menus.values():
            shown.addAction(menu.menuAction())  # adding the menu itself would make it a child
        shown.popup(at)

    def show_file_menu(self, at: QPoint) -> None:
        """Show the menu of files at a point of the screen."""
        self._menus["File"].popup(at)

    def save_as_file(self) -> None:
        """Ask for a file and save a link to the object in it."""
        self._file_actions.save()

    def _list_recent(self) -> None:
        """Fill the menu of recent files just before it opens."""
        self._recent.clear()
        for path in self._window.recent():
            entry = self._recent.addAction(shown_line(path.stem).replace("&", "&&"))
            entry.setToolTip(plain_tip(str(path)))
            entry.triggered.connect(lambda _=False, path=path: self._window.open_requested.emit(path))
        if self._recent.isEmpty():
            self._recent.addAction("No recent files").setEnabled(False)

    def _open_clipboard(self) -> None:
        data = QGuiApplication.clipboard().mimeData()
        if data.hasFormat(MIME):
            self._window.open_requested.emit(bytes(data.data(MIME).data()))
        elif data.hasText() and is_link(data.text().strip()):
            self._window.open_requested.emit(data.text().strip())
        elif data.hasText():
            self._window.open_requested.emit(data.text().encode())
        else:
            self._window.show_message("There is no object on the clipboard.")

    def _copy_object(self) -> None:
        recipe = self._window.recipe
        if recipe is None:
            self._window.show_message("There is nothing to copy here.")
            return
        text = write(recipe)
        data = QMimeData()
        data.setData(MIME, text)
        data.setText(text.decode())
        QGuiApplication.clipboard().setMimeData(data)
        self._window.show_message(f"“{self._window.name}” copied. Paste it on a desktop or into a message.")

    def copy_link(self) -> None:
        """Put a link to the object on the clipboard."""
        recipe = self._window.recipe
        if recipe is None:
            self._window.show_message("There is nothing to link to here.")
            return
        link = link_to(write(recipe))
        if len(link) > LONGEST:
            self._window.show_message("It is too large for a link. Save it as a file and send that.")
            return
        QGuiApplication.clipboard().setText(link)
        self._window.show_message(
            "Link copied. It leads to this live object, not to a copy: everyone who opens it"
            " edits the same object."
        )

    def _add(self, action: Action, *, listens: bool) -> None:
        """Add one action. With `listens`, its shortcuts work; the view of the object handles its own
        shortcuts, so those are only displayed."""
        menu = self._new_menu if action.part == _NEW else self._menus[action.group]
        if self._sections.setdefault(menu, action.part) != action.part:
            menu.addSeparator()
            self._sections[menu] = action.part
        entry = QAction(action.words, menu)
        entry.triggered.connect(lambda _=False, run=action.run: run())
        if action.tip:
            entry.setToolTip(plain_tip(action.tip))
            entry.setStatusTip(action.tip)
        if listens:
            entry.setShortcuts([QKeySequence(keys) for keys in action.keys])
            self._window.addAction(entry)  # its keys work while no menu bar is seen
            self._listening.append(entry)
        elif action.keys:
            entry.setText(f"{action.words}\t{QKeySequence(action.keys[0]).toString()}")
        entry.setCheckable(action.ticked is not None)
        if not listens:  # a grey entry of the window's own would not listen to its keys, and say nothing
            self._entries.setdefault(action.group, []).append((entry, action))
        menu.addAction(entry)

    def _update_entries(self, name: str) -> None:
        """Make what cannot be done grey and set the ticks, just before a menu opens."""
        for entry, action in self._entries.get(name, ()):
            entry.setEnabled(_asked(action.can, otherwise=True))
            if action.ticked is not None:
                entry.setChecked(_asked(action.ticked, otherwise=False))

    def _open(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self._window, "Open", "", _FILTER)
        for name in names:
            self._window.open_requested.emit(Path(name))

    def _about(self) -> None:
        words = "A desktop of live objects: everyone who opens an object sees the same one."
        words = f"Liven {version()}\n\n{words}"
        QMessageBox.about(self._window, "About Liven", words)


def _asked(question: Callable[[], bool], *, otherwise: bool) -> bool:
    """Ask a view; if its author's code raises, return `otherwise`."""
    try:
        return bool(question())
    except Exception:
        return otherwise


def _lettered(name: str, taken: set[str]) -> str:
    """Return a menu title with a mnemonic letter that no other menu uses."""
    at = next((at for at, letter in enumerate(name.lower()) if letter.isalpha() and letter not in taken), -1)
    if at < 0:
        return name
    taken.add(name[at].lower())
    return f"{name[:at]}&{name[at:]}"
