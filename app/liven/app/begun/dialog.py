"""The dialog that lists the objects that the user began, opens, deletes and restores them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from liven.app.begun.begun_objects import Begun, BegunObjects
from liven.liveobjects.look.view.labels import brief, plain_label, plain_tip
from liven.runtime.signing.known_signers import day_for_people

_LONGEST = 120
_PATH = Qt.ItemDataRole.UserRole
_HELP = "Everything that you began is here until you delete it. Enter opens it."
_NONE = "You have not begun anything yet. File › New begins a desktop or a note."
_NONE_DELETED = "Nothing is deleted."
_NO_MATCH = "Nothing has this name."
_WITHOUT_CONTENTS = "“{}” is deleted. Others who have it open keep it."


class BegunDialog(QDialog):
    """A list of objects, the last used first. Typing searches, Enter opens, Del deletes, Ctrl+Z restores."""

    chosen = Signal(object)
    """Emitted with the path of an object that is to be opened."""

    def __init__(self, parent: QWidget | None, begun: BegunObjects) -> None:
        super().__init__(parent)
        self.setWindowTitle("Your objects")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._begun = begun
        self._undone: list[Path] = []
        """The deletions of this dialog, the last one at the end."""
        self._words = QLineEdit()
        self._words.setPlaceholderText("Search")
        self._words.setAccessibleName("Search your objects")
        self._words.setClearButtonEnabled(True)
        self._words.textChanged.connect(lambda _: self._show())
        self._list = QListWidget()
        self._list.setAccessibleName("Your objects")
        self._list.itemActivated.connect(lambda _: self.accept())
        self._list.currentRowChanged.connect(lambda _: self._enable())
        self._said = plain_label(_HELP)
        self._said.setWordWrap(True)
        self._deleted = QCheckBox("&Show deleted")
        self._deleted.toggled.connect(lambda _: self._show())
        self._open, self._delete = QPushButton("&Open"), QPushButton("&Delete")
        self._undo, self._close = QPushButton("&Undo"), QPushButton("&Close")
        self._open.clicked.connect(self.accept)
        self._delete.clicked.connect(self._delete_or_restore)
        self._undo.clicked.connect(self._undo_last)
        self._close.clicked.connect(self.reject)
        self._arrange()
        for watched in (self._words, self._list):
            watched.installEventFilter(self)
        self._show()

    def accept(self) -> None:
        """Open the selected object, and close the dialog."""
        path = self._path()
        if path is not None and not self._deleted.isChecked():
            super().accept()
            self.chosen.emit(path)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the search field move in the list, and both handle Enter, Del and Ctrl+Z."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        key, typing = event.key(), watched is self._words
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif typing and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = 1 if key == Qt.Key.Key_Down else -1
            self._list.setCurrentRow((self._list.currentRow() + step) % max(self._list.count(), 1))
        elif key == Qt.Key.Key_Delete and not (typing and self._words.text()):
            self._delete_or_restore()
        elif key == Qt.Key.Key_Z and event.modifiers() == Qt.KeyboardModifier.ControlModifier and not typing:
            self._undo_last()
        else:
            return super().eventFilter(watched, event)
        return True

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self._deleted)
        row.addStretch(1)
        for button in (self._undo, self._delete, self._open, self._close):
            button.setAutoDefault(False)
            row.addWidget(button)
        layout = QVBoxLayout(self)
        for widget in (self._words, self._list, self._said):
            layout.addWidget(widget)
        layout.addLayout(row)
        self.resize(560, 420)

    def _show(self, path: Path | None = None) -> None:
        """List the objects again, and select the one at `path`."""
        deleted, words = self._deleted.isChecked(), self._words.text().casefold()
        found = self._begun.deleted() if deleted else self._begun.all()
        self._list.clear()
        for one in found:
            if words in one.title.casefold() or words in one.path.stem.casefold():
                self._add(one)
        self._list.setCurrentRow(max(0, self._row_of(path)))
        if not self._list.count():
            none = _NONE_DELETED if deleted else _NONE
            self._said.setText(_NO_MATCH if found else none)
        elif path is None:
            self._said.setText(_HELP)
        self._delete.setText("&Restore" if deleted else "&Delete")
        self._enable()

    def _add(self, one: Begun) -> None:
        name = "" if one.title == one.path.stem else f"{brief(one.path.stem, _LONGEST)}, "
        item = QListWidgetItem(f"{brief(one.title, _LONGEST)}\n{name}{used_for_people(one.used)}", self._list)
        item.setData(_PATH, one.path)
        item.setToolTip(plain_tip(str(one.path)))

    def _row_of(self, path: Path | None) -> int:
        rows = range(self._list.count())
        return next((row for row in rows if self._list.item(row).data(_PATH) == path), -1)

    def _enable(self) -> None:
        here, deleted = self._path() is not None, self._deleted.isChecked()
        self._open.setEnabled(here and not deleted)
        self._delete.setEnabled(here)
        self._undo.setEnabled(bool(self._undone))

    def _path(self) -> Path | None:
        chosen = self._list.selectedItems()
        return Path(chosen[0].data(_PATH)) if chosen else None

    def _delete_or_restore(self) -> None:
        path, row = self._path(), self._list.currentRow()
        if path is None:
            return
        restores = self._deleted.isChecked()
        title = self._list.item(row).text().partition("\n")[0]
        try:
            if restores:
                self._begun.restore(path)
                self._undone = [one for one in self._undone if one != path]
            else:
                self._undone.append(self._begun.delete(path))
        except OSError as error:
            self._said.setText(f"“{title}” stays where it is: {error.strerror or error}.")
            return
        self._show()
        self._list.setCurrentRow(min(row, self._list.count() - 1))
        self._said.setText(f"“{title}” is restored." if restores else _WITHOUT_CONTENTS.format(title))

    def _undo_last(self) -> None:
        if not self._undone:
            self._said.setText("There is nothing to undo.")
            return
        try:
            path = self._begun.restore(self._undone[-1])
        except OSError as error:
            self._said.setText(f"It cannot be restored: {error.strerror or error}.")
            return
        self._undone.pop()
        self._show(path)
        self._said.setText(f"“{path.stem}” is restored.")


def used_for_people(seconds: float) -> str:
    """Return when an object was last used, such as "last used today, 14:03"."""
    try:
        then = datetime.fromtimestamp(seconds).astimezone()
    except (OverflowError, ValueError, OSError):
        return "last used on an unknown day"
    same = then.date() == datetime.now().astimezone().date()
    day = "today" if same else day_for_people(then.date().isoformat())
    return f"last used {day}, {then:%H:%M}"
