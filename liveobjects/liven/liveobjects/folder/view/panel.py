"""The widget of a folder: icons or a list, with drag and drop, rename and delete."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QPointF, QSize, QSizeF, Qt, QTemporaryDir, QUrl
from PySide6.QtGui import (
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QMenu

from liven.liveobjects.desktop.foreign.board import Board, ForeignError, sentence_of
from liven.liveobjects.desktop.recipe import object_of
from liven.liveobjects.desktop.view.transfer.drop_and_paste import accept_drop
from liven.liveobjects.desktop.view.transfer.drop_contents import (
    SEVERAL,
    SIZE,
    NewItem,
    RefusedDropError,
    items_in,
)
from liven.liveobjects.desktop.view.transfer.foreign_drops import send_pictures
from liven.liveobjects.desktop.view.transfer.foreign_reading import ForeignReading, ReadingBoard, rest_of
from liven.liveobjects.folder.model import fitting_name
from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.liveobjects.icons.object_kind import kind_of
from liven.liveobjects.icons.view import SIZE as TILE
from liven.liveobjects.icons.view import icon_of
from liven.liveobjects.image.view.uploads import UploadQueue, may_have_picture, pictures_in
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.view.drop_replies import refuse, take_copy
from liven.liveobjects.view.messages import redo_and_report, undo_and_report
from liven.runtime.fold import RefusedError
from liven.runtime.folder import item_files
from liven.runtime.folder.item_files import MIME
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import read_object, write

if TYPE_CHECKING:
    from liven.liveobjects.folder.view.folder_view import FolderView

_NAME = Qt.ItemDataRole.UserRole
_TAKE, _CHANGE = "take", "change"
"""Kinds of failures."""
_NEW_NOTE = "Note"
"""The name of notes without a name."""
_OF_ITEMS = ("Copy", "Cut", "Rename", "Remove from the folder", "Open the selected items")
_WITHOUT_ITEMS = ("Undo", "Redo", "Select all", "Paste", "Show icons", "Show a list")
"""The commands that a menu leaves out where nothing is selected, and where something is."""
_HELD = 32
"""The most new images to keep open: nobody runs them in a folder, and a picture is available only from a
program that runs its image."""


class FolderPanel(QListWidget):
    """The widget of a folder. Each command asks the folder, and shows once the folder has done it."""

    def __init__(self, view: FolderView) -> None:
        super().__init__()
        self._view = view
        self._shelf = view.shelf
        self._out: QTemporaryDir | None = None
        """Files of dragged items, for programs that accept only files; deleted with this widget."""
        self._giving = UploadQueue(self._shelf.context, view.host, keep=_HELD)
        self._foreign = ForeignReading(self._shelf.context, view.failures)
        self._rows: dict[str, QListWidgetItem] = {}
        self._for_another = False
        """True while another object, such as a desktop, makes changes that it undoes itself."""
        self.setAccessibleName("Folder")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setDropIndicatorShown(False)
        self.setSortingEnabled(True)
        self.setIconSize(QSize(TILE, TILE))
        self.show_list() if view.as_list else self.show_icons()
        self.itemActivated.connect(lambda item: self._open(item))
        self.itemChanged.connect(self._renamed)
        self._listen_to_keys()
        self.show_change(Content(), self._shelf.content)

    @contextmanager
    def step_of_another(self) -> Iterator[None]:
        """Leave what is done here out of the undo list of the folder: the desktop around it undoes it."""
        self._for_another = True
        try:
            yield
        finally:
            self._for_another = False

    def done(self) -> None:
        """Delete the temporary files of drags."""
        self._out = None
        self._foreign.stop()
        self._giving.close()

    def show_change(self, before: Content, after: Content) -> None:
        """Update the items and keep the selection."""
        for name in sorted(after.items.changed_since(before.items)):
            if name in self._rows:
                self.takeItem(self.row(self._rows.pop(name)))
            if name in after.items:
                self._add(name, after.items[name])
        self.viewport().update()

    def show_icons(self) -> None:
        """Show tiles side by side."""
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setMovement(QListWidget.Movement.Static)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setGridSize(QSize(104, 92))
        self.setWordWrap(True)
        self._let_drag()
        self._show_as(lines=False)

    def show_list(self) -> None:
        """Show one line for each item."""
        self.setViewMode(QListWidget.ViewMode.ListMode)
        self.setGridSize(QSize())
        self.setWordWrap(False)
        self._let_drag()
        self._show_as(lines=True)

    def _show_as(self, *, lines: bool) -> None:
        if self._view.as_list != lines:
            self._view.as_list = lines
            self._view.view_state_changed.emit()

    def _let_drag(self) -> None:
        """Allow dragging, which Qt disables for icons that do not move inside the widget."""
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.viewport().setAcceptDrops(True)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the selected items, or of the empty place under the mouse."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            under = self.itemAt(event.pos())
            if under is None:
                self.clearSelection()
            elif not under.isSelected():
                self.setCurrentItem(under)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        left_out = _WITHOUT_ITEMS if self.selectedItems() else _OF_ITEMS
        for action in self._view.keys(self):
            if action.words not in left_out:
                entry = menu.addAction(f"{action.words}\t{QKeySequence(action.keys[0]).toString()}")
                entry.triggered.connect(lambda _=False, run=action.run: run())
        menu.popup(event.globalPos())

    def open_selected(self) -> None:
        """Open the selected items in windows."""
        for item in self.selectedItems():
            self._open(item)

    def rename_selected(self) -> None:
        """Edit the name of the selected item in place."""
        if self.currentItem() is not None:
            self.editItem(self.currentItem())

    def remove_selected(self) -> None:
        """Remove the selected items."""
        self._take_out(self.chosen())

    def take_out(self, entries: Mapping[str, object]) -> bool:
        """Remove these items if each is still there under its name."""
        items = self._shelf.content.items
        return all(items.get(name) == one for name, one in entries.items()) and self._take_out(
            tuple(sorted(entries))
        )

    def _take_out(self, names: tuple[str, ...]) -> bool:
        if not names:
            return False
        what = f"Take out {names[0]}" if len(names) == 1 else f"Take out {len(names)} things"
        return self._do(what, *(Take(name) for name in names))

    def copy(self) -> bool:
        """Copy the selected items to the clipboard."""
        data = self._data(self.chosen(), files_too=False)
        if data is not None:
            QGuiApplication.clipboard().setMimeData(data)
        return data is not None

    def cut(self) -> None:
        """Copy the selected items and remove them."""
        if self.copy():
            self.remove_selected()

    def paste(self) -> None:
        """Add the items of the clipboard."""
        self.take(QGuiApplication.clipboard().mimeData())

    def undo(self) -> None:
        undo_and_report(self._shelf.undo, self._view.host)

    def redo(self) -> None:
        redo_and_report(self._shelf.redo, self._view.host)

    def chosen(self) -> tuple[str, ...]:
        """The names of the selected items in order."""
        return tuple(sorted(item.data(_NAME) for item in self.selectedItems()))

    def take(self, data: QMimeData, read: Callable[[dict[str, str]], object] = lambda _: None) -> bool:
        """Add what was dropped or pasted and explain what was left out. Items that must be read first are
        passed to `read` once they are added."""
        is_ours = data.hasFormat(SEVERAL) or data.hasFormat(MIME)
        if not is_ours and self._foreign.take(data, partial(self._take_board, read)):
            rest = rest_of(data)
            if rest is None:
                return True
            data = rest
        pictures = [] if is_ours else pictures_in(data)
        if pictures:
            self._giving.take(pictures, partial(self._take_image, read))
            if len(pictures) >= len(data.urls()):
                return True
        self._view.failures.withdraw(_TAKE)
        try:
            offers = items_in(data, partial(self._view.failures.show, _TAKE))
        except RefusedDropError as why:
            self._view.failures.show(_TAKE, f"This cannot go into a folder: {why}")
            return False
        return self.put(tuple((_name_of(offer), offer.reference) for offer in offers))

    def put(self, things: tuple[tuple[str, str], ...]) -> bool:
        """Add items, by name and recipe, as one step."""
        changes = tuple(
            Put(fitting_name(label or kind_of(reference)), reference) for label, reference in things
        )
        name = f"Put in {changes[0].name}" if len(changes) == 1 else f"Put in {len(changes)} things"
        return self._do(name, *changes)

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag out a copy of the selected items, or move them with Shift. Another program may announce a
        move and refuse the drop, so items that go there stay here as well."""
        del actions
        names = self.chosen()
        data = self._data(names, files_too=True)
        if data is None:
            return
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.setPixmap(self.selectedItems()[0].icon().pixmap(TILE, TILE))
        both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
        if drag.exec(both, Qt.DropAction.CopyAction) != Qt.DropAction.MoveAction:
            return
        if drag.target() is None:
            self._view.host.show_message(f"{names[0]} went to another program and stays here as well.")
        else:
            self._do(f"Move {names[0]} out", *(Take(name) for name in names))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if may_take(event.mimeData()) and event.source() is not self:
            accept_drop(event)
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Move the items only if all of them have visibly arrived here; otherwise copy them."""
        data = event.mimeData()
        if event.source() is self or not self.take(data):
            refuse(event)
        elif self.has_all(data):
            accept_drop(event)
        else:
            take_copy(event)

    def changeEvent(self, event: QEvent) -> None:
        """Make the tiles again in the new colours, such as those of high contrast."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for name, item in self._rows.items():
                item.setIcon(icon_of(kind_of(self._shelf.content.items.get(name, ""))))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        words = self._shelf.state_in_words or ("" if self._rows else "Drop items here to keep them")
        if words:
            painter = QPainter(self.viewport())
            wrapped = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect(), wrapped, words)
            painter.end()

    def _add(self, name: str, reference: str) -> None:
        kind = kind_of(reference)
        item = QListWidgetItem(icon_of(kind), shown_line(name))
        item.setData(_NAME, name)
        item.setToolTip(plain_tip(f"{name}\n{kind}"))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        self._rows[name] = item
        self.addItem(item)

    def _renamed(self, item: QListWidgetItem) -> None:
        """Ask the folder for the new name. The old one shows until then."""
        old, new = item.data(_NAME), item.text().strip()
        if new == old:
            return
        self.blockSignals(True)
        item.setText(old)
        self.blockSignals(False)
        self._do(f"Rename {old}", Rename(old, new))

    def _open(self, item: QListWidgetItem) -> None:
        name = item.data(_NAME)
        reference = self._shelf.content.items.get(name)
        if reference is not None:
            self._view.host.open_object(reference, name)

    def has_all(self, data: QMimeData) -> bool:
        """Return true if the folder holds all of our own items in a drop. A folder on a disk may need a
        moment."""
        if not (data.hasFormat(SEVERAL) or data.hasFormat(MIME)):
            return False
        here = set(self._shelf.content.items.values())
        return all(offer.reference in here for offer in items_in(data))

    def _take_image(
        self,
        read: Callable[[dict[str, str]], object],
        recipe: str,
        name: str,
        size: QSizeF,
        by: QPointF,
    ) -> bool:
        del size, by
        before = self._shelf.content.items
        if not self.put(((name or "Picture", recipe),)):
            return False
        after = self._shelf.content.items
        read({one: after[one] for one in after.changed_since(before) if one in after})
        return True

    def _take_board(self, read: Callable[[dict[str, str]], object], board: Board, one: ReadingBoard) -> None:
        """Add a board of another program as one object, and send its pictures into it."""
        name = one.source.name
        before = self._shelf.content.items
        try:
            made = object_of(board, name.partition(".")[0])
        except ForeignError as why:
            self._foreign.refuse(name, f"{str(why)[:1].upper()}{str(why)[1:]}.")
            return
        if not self.put(((made.name, made.recipe),)):
            return
        after = self._shelf.content.items
        read({one: after[one] for one in after.changed_since(before) if one in after})
        send_pictures(self._giving, made.uploads, lambda _: True)
        if left_out := sentence_of(made.left_out):
            self._view.host.show_message(f"{name}: {left_out}")

    def _data(self, names: tuple[str, ...], *, files_too: bool) -> QMimeData | None:
        items = self._shelf.content.items
        things = [(name, _document(items[name])) for name in names if name in items]
        if not things:
            return None
        data = QMimeData()
        several = [
            [reference, name, 24 * at, 24 * at, SIZE.width(), SIZE.height()]
            for at, (name, reference) in enumerate(things)
        ]
        data.setData(SEVERAL, json.dumps(several).encode())
        data.setData(MIME, things[0][1].encode())
        data.setText("\n".join(reference for _, reference in things))
        if files_too:
            data.setUrls(self._written(things))
        return data

    def _written(self, things: list[tuple[str, str]]) -> list[QUrl]:
        """Write each item to a file, for programs that accept only files."""
        self._out = QTemporaryDir()
        found: list[QUrl] = []
        for name, reference in things:
            try:
                item_files.store(Path(self._out.path()), fitting_name(name), reference)
            except item_files.ItemError as why:
                self._view.host.show_message(f"“{name}” cannot be dragged out as a file: {why}")
            else:
                found.append(QUrl.fromLocalFile(self._out.filePath(fitting_name(name) + item_files.SUFFIX)))
        return found

    def _do(self, name: str, *changes: Change) -> bool:
        try:
            change = self._shelf.also if self._for_another else self._shelf.change
            change(name, *changes)
        except RefusedError as why:
            self._view.failures.show(_CHANGE, f"{name}: {why}")
            return False
        self._view.failures.withdraw(_CHANGE)
        return True

    def _listen_to_keys(self) -> None:
        for action in self._view.keys(self):
            for keys in action.keys:
                shortcut = QShortcut(QKeySequence(keys), self)
                shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
                shortcut.activated.connect(partial(_run, action.run))


def _name_of(offer: NewItem) -> str:
    """Return the name of an item at its origin; if that only repeats its kind, the object's own title."""
    word = re.sub(r" \d+$", "", offer.label)
    unnamed = word in ("", _NEW_NOTE, kind_of(offer.reference))
    return offer.title if unnamed and offer.title else offer.label


def may_take(data: QMimeData) -> bool:
    """Return true if a drag may contain items. The drop shows what they are."""
    return data.hasFormat(MIME) or data.hasUrls() or data.hasText() or may_have_picture(data)


def _document(reference: str) -> str:
    """Return a recipe as a complete file: some folders store less."""
    try:
        return write(read_object(reference)).decode()
    except ReadError:
        return reference


def _run(action: Callable[[], object]) -> None:
    action()
