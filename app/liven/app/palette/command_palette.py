"""The command palette and the list of keyboard shortcuts: every action of a window, found by typing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from liven.app.palette.item_delegates import ASIDE, ShortcutDelegate
from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.view.contract import Action

NOTHING = "No matching command. F1 lists all shortcuts."
ALSO = {
    "remove": "delete erase discard",
    "turn": "rotate spin",
    "export": "print pdf svg png",
    "duplicate": "clone",
    "rename": "name title",
    "edit": "write type",
    "find": "search look",
    "undo": "back revert",
    "redo": "again",
    "zoom": "magnify scale",
    "quit": "exit end",
    "bring": "raise above top",
    "send": "lower below bottom",
    "lock": "protect fix",
    "connect": "link arrow line",
    "contrast": "high reduced appearance accessibility animation theme colours colors dark light",
    "light:": "dark mode theme colours colors appearance night",
    "set": "stop pause",
    "start": "restart run",
    "nudge": "move",
    "make": "resize",
}
"""Words of other programs for the actions that begin with this word here."""


class CommandPalette(QDialog):
    """A dialog that finds actions: type some letters and press Enter to run the first match."""

    def __init__(self, parent: QWidget, actions: Sequence[Action]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Command palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions = actions
        self._words = QLineEdit()
        self._words.setPlaceholderText("Type a command")
        self._words.setAccessibleName("Type a command")
        self._words.setClearButtonEnabled(True)
        self._words.textChanged.connect(self._find)
        self._words.installEventFilter(self)
        self._found = QListWidget()
        self._found.setAccessibleName("Commands")
        self._found.setItemDelegate(ShortcutDelegate(self._found))
        self._found.itemActivated.connect(lambda _: self.accept())
        layout = QVBoxLayout(self)
        layout.addWidget(self._words)
        layout.addWidget(self._found)
        self._none = plain_label(NOTHING)
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self._none, 1)
        self.resize(460, 360)
        self._find("")

    def accept(self) -> None:
        """Run the selected action after the dialog has closed."""
        row = self._found.currentRow()
        super().accept()
        if row >= 0:
            self._matching[row].run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move the selection while the search field has the focus; Enter runs the
        action."""
        if watched is self._words and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                count = max(self._found.count(), 1)
                self._found.setCurrentRow((self._found.currentRow() + step) % count)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.accept()
                return True
        return super().eventFilter(watched, event)

    def _find(self, words: str) -> None:
        self._matching = [action for action in self._actions if fits(action, words)]
        self._found.clear()
        for action in self._matching:
            shown = "   ".join(readable(keys) for keys in action.keys)
            item = QListWidgetItem(action.words)
            item.setData(ASIDE, shown)
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, shown)
            self._found.addItem(item)
        self._found.setCurrentRow(0)
        self._found.setVisible(bool(self._matching))
        self._none.setVisible(not self._matching)


class KeySheet(QDialog):
    """A dialog with all keyboard shortcuts by menu, with a search field."""

    def __init__(self, parent: QWidget, actions: Sequence[Action]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._words = QLineEdit()
        self._words.setPlaceholderText("Find a shortcut or command")
        self._words.setAccessibleName("Find a shortcut or command")
        self._words.setClearButtonEnabled(True)
        self._tree = QTreeWidget()
        self._tree.setAccessibleName("Keys")
        self._tree.setColumnCount(2)
        self._tree.setHeaderLabels(["What", "Keys"])
        self._tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._tree.header().setStretchLastSection(False)
        self._words.textChanged.connect(lambda words: self._show(actions, words))
        layout = QVBoxLayout(self)
        layout.addWidget(self._words)
        layout.addWidget(self._tree)
        self.resize(560, 560)
        self._show(actions, "")

    def _show(self, actions: Sequence[Action], words: str) -> None:
        self._tree.clear()
        groups: dict[str, QTreeWidgetItem] = {}
        for action in actions:
            if not action.keys or not fits(action, words):
                continue
            if action.group not in groups:
                groups[action.group] = QTreeWidgetItem(self._tree, [action.group])
            keys = ", ".join(readable(keys) for keys in action.keys)
            QTreeWidgetItem(groups[action.group], [action.words, keys])
        self._tree.expandAll()


def fits(action: Action, words: str) -> bool:
    """Return True if each word begins a word of the action or is one of its shortcuts."""
    there = f"{action.group} {action.words}".lower().split()
    first = action.words.lower().split()[:1]
    there += ALSO.get(first[0].rstrip(",…"), "").split() if first else []
    keys = " ".join(action.keys).lower()
    return all(any(one.startswith(word) for one in there) or word in keys for word in words.lower().split())


def readable(keys: str) -> str:
    """Return a shortcut in the notation of this system."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
