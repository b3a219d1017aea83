"""The palette: a list of objects to add to a desktop, by double-click, Enter or drag."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDrag, QKeyEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QDockWidget, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget
from shiboken6 import isValid

from liven.app.palette.item_delegates import HeadedDelegate
from liven.app.palette.new_objects import Kind
from liven.app.palette.sections import NEW, Offers, Section, nothing_else, ranked
from liven.liveobjects.look.view.labels import plain_tip
from liven.runtime.folder.item_files import MIME
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write

Row = tuple[str, Kind | None, bool]
"""A heading, or an entry and a flag that says if it fits."""


class _Kinds(QListWidget):
    """The list, from which objects can be dragged."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Objects to add")
        self.setDragEnabled(True)
        self.setItemDelegate(HeadedDelegate(self))

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Start a drag with a new object that has a channel of its own."""
        del actions
        kind: Kind = self.currentItem().data(Qt.ItemDataRole.UserRole)
        data = QMimeData()
        data.setData(MIME, write(kind.make(kind.name)))
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add the selected object on Enter, as a double-click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentRow() >= 0:
            self.itemActivated.emit(self.currentItem())
        else:
            super().keyPressEvent(event)


class Palette(QDockWidget):
    """The dock with the list. `lay_down` is called with the recipe and the name of the object that the user
    picks."""

    made_new = Signal()
    """Emitted after a new object was added."""

    def __init__(self, lay_down: Callable[[Object, str], object], offers: Offers = nothing_else) -> None:
        """Create the dock. `offers` is called whenever it opens, to list files, samples and registry entries
        below the new objects."""
        super().__init__("Palette")
        self.setObjectName("palette")
        self._lay_down = lay_down
        self._offers = offers
        self._fits: Callable[[Object], bool] = lambda _: True
        self._sections: tuple[Section, ...] = (NEW,)
        self._rows: list[Row] = []
        self._asking = False
        self._words = QLineEdit()
        self._words.setPlaceholderText("Find")
        self._words.setAccessibleName("Find an object to add")
        self._words.setClearButtonEnabled(True)
        self._words.textChanged.connect(self._find)
        self._words.returnPressed.connect(self._pick_first)
        self._kinds = _Kinds()
        self._kinds.itemActivated.connect(self._pick)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self._words)
        layout.addWidget(self._kinds)
        page.setFocusProxy(self._words)
        self.setWidget(page)
        self._list()

    def showEvent(self, event: QShowEvent) -> None:
        """Read files and the registry again."""
        super().showEvent(event)
        if not self._asking:
            self._asking = True
            self._offers(self._take)

    def rank(self, fits: Callable[[Object], bool]) -> None:
        """List first what the shown object accepts; the rest follows in grey."""
        self._fits = fits
        self._list()

    def _take(self, sections: tuple[Section, ...]) -> None:
        """Show the sections that were read, unless the window is gone by now."""
        self._asking = False
        if isValid(self) and self._sections != (NEW, *sections):
            self._sections = (NEW, *sections)
            self._list()

    def _list(self) -> None:
        rows: list[Row] = []
        for section, good in ranked(self._sections, self._fits):
            rows.append((section.title, None, True))
            rows += [(section.title, kind, True) for kind in good]
            rows += [(section.title, kind, False) for kind in section.kinds if kind not in good]
        if rows == self._rows:
            return
        chosen = self._kind(self._kinds.currentItem())
        self._rows = rows
        self._kinds.clear()
        for title, kind, fits in rows:
            item = _heading(title) if kind is None else self._entry(kind, fits)
            self._kinds.addItem(item)
            if kind is not None and kind == chosen:
                self._kinds.setCurrentItem(item)
        self._find(self._words.text())

    def _entry(self, kind: Kind, fits: bool) -> QListWidgetItem:
        item = QListWidgetItem(f"{shown_line(kind.name)}\n{shown_line(kind.words)}")
        item.setData(Qt.ItemDataRole.UserRole, kind)
        tip = f"{kind.name}: {kind.words}. Double-click it, or drag it into place."
        item.setToolTip(plain_tip(tip))
        if not fits:
            item.setForeground(self.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text))
        told = f"{kind.name}, {kind.words}" if fits else f"{kind.name}, {kind.words}; does not fit here"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, told)
        return item

    def _find(self, words: str) -> None:
        """Hide entries that lack one of the words, and headings without entries."""
        wanted = words.lower().split()
        seen: set[str] = set()
        for row in range(self._kinds.count() - 1, -1, -1):
            item, (title, kind, _) = self._kinds.item(row), self._rows[row]
            if kind is None:
                item.setHidden(title not in seen)
                continue
            item.setHidden(not all(word in item.text().lower() for word in wanted))
            if not item.isHidden():
                seen.add(title)

    def _pick_first(self) -> None:
        """Add the first visible entry, when Enter is pressed in the search field."""
        rows = (self._kinds.item(row) for row in range(self._kinds.count()))
        found = next((item for item in rows if not item.isHidden() and self._kind(item) is not None), None)
        if found is not None and self._words.text().strip():
            self._pick(found)

    def _pick(self, item: QListWidgetItem) -> None:
        kind = self._kind(item)
        if kind is not None:
            self._lay_down(kind.make(kind.name), kind.name)
        if kind in NEW.kinds:
            self.made_new.emit()

    def _kind(self, item: QListWidgetItem | None) -> Kind | None:
        return None if item is None else self._rows[self._kinds.row(item)][1]


def _heading(title: str) -> QListWidgetItem:
    """Return a heading. It cannot be selected, so the arrow keys skip it."""
    item = QListWidgetItem(title)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}: section")
    return item
