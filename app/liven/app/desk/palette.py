"""The palette: what can be laid on a desktop. Double-click or Enter lays it down, or drag it there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDrag, QKeyEvent, QPalette
from PySide6.QtWidgets import QDockWidget, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from liven.app.desk.entries import TwoLines
from liven.app.desk.plain_file import content
from liven.app.desk.recipes import KINDS, Kind
from liven.liveobjects.view import plain_tip
from liven.runtime.folder.files import MIME
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object, name_of
from liven.runtime.reference.xml import read, write

MOST_FILES = 100
LARGEST = 1024 * 1024


class _Kinds(QListWidget):
    """The list, from which one can drag."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What can be made")
        self.setDragEnabled(True)
        self.setItemDelegate(TwoLines(self))

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Each drag makes a thing with a channel of its own."""
        del actions
        item = self.currentItem()
        kind: Kind = item.data(Qt.ItemDataRole.UserRole)
        data = QMimeData()
        data.setData(MIME, write(kind.make(kind.name)))
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter lays the chosen kind down, as a double-click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentRow() >= 0:
            self.itemActivated.emit(self.currentItem())
        else:
            super().keyPressEvent(event)


class Palette(QDockWidget):
    """`lay_down` is called with a recipe and its name when the person picks one."""

    def __init__(self, lay_down: Callable[[Object, str], object], folders: Sequence[Path] = ()) -> None:
        """`folders` hold files of objects, which are listed after what can be made."""
        super().__init__("Palette")
        self.setObjectName("palette")
        self._lay_down = lay_down
        self._words = QLineEdit()
        self._words.setPlaceholderText("Find")
        self._words.setAccessibleName("Find what can be made")
        self._words.setClearButtonEnabled(True)
        self._words.textChanged.connect(self._find)
        self._words.returnPressed.connect(self._pick_first)
        self._kinds = _Kinds()
        self._kinds.itemActivated.connect(self._pick)
        for kind in (*KINDS, *(one for folder in folders for one in kinds_in(folder))):
            item = QListWidgetItem(f"{kind.name}\n{kind.words}")
            item.setData(Qt.ItemDataRole.UserRole, kind)
            tip = f"{kind.name}: {kind.words}. Double-click, or drag it to where it shall lie."
            item.setToolTip(plain_tip(tip))
            self._kinds.addItem(item)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self._words)
        layout.addWidget(self._kinds)
        page.setFocusProxy(self._words)
        self.setWidget(page)

    def _find(self, words: str) -> None:
        for row in range(self._kinds.count()):
            item = self._kinds.item(row)
            item.setHidden(not all(word in item.text().lower() for word in words.lower().split()))

    def rank(self, fits: Callable[[Object], bool]) -> None:
        """What can be put where one is now stands first; the rest below, in grey, for it would be refused."""
        items = [self._kinds.item(row) for row in range(self._kinds.count())]
        grey = self.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        good = [item for item in items if fits(item.data(Qt.ItemDataRole.UserRole).make(""))]
        rest = [item for item in items if item not in good]
        for item in rest:
            item.setForeground(grey)
        if [*good, *rest] == items:
            return
        chosen = self._kinds.currentItem()
        for item in [*good, *rest]:
            self._kinds.takeItem(self._kinds.row(item))
            self._kinds.addItem(item)
        self._kinds.setCurrentItem(chosen)
        self._find(self._words.text())

    def _pick_first(self) -> None:
        """Enter after some words takes the first that has them."""
        rows = (self._kinds.item(row) for row in range(self._kinds.count()))
        found = next((item for item in rows if not item.isHidden()), None)
        if found is not None and self._words.text().strip():
            self._pick(found)

    def _pick(self, item: QListWidgetItem) -> None:
        kind: Kind = item.data(Qt.ItemDataRole.UserRole)
        self._lay_down(kind.make(kind.name), kind.name)


def kinds_in(folder: Path) -> list[Kind]:
    """The objects in the files of a folder; a file that is none is left out. Each is the very object that the
    file is about, not a new one."""
    found: list[Kind] = []
    for path in sorted(folder.glob("*.liveobject"))[:MOST_FILES]:
        try:
            thing = read(content(path, LARGEST)).object
        except (OSError, ReadError):
            continue
        if thing is not None:
            name = name_of(thing) or path.stem
            found.append(Kind(name, f"from {folder.name}", _the_same(thing)))
    return found


def _the_same(thing: Object) -> Callable[[str], Object]:
    return lambda _: thing
