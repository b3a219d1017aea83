"""The widget of an image: it takes pictures by drop, paste and file dialog, and exports them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from liven.liveobjects.image.view.dropped_pictures import DroppedPicture, may_have_picture, pictures_in
from liven.liveobjects.look.view.menu_corners import round_corners
from liven.liveobjects.view.drop_replies import refuse, take_copy
from liven.liveobjects.view.messages import redo_and_report, undo_and_report
from liven.runtime.files import write_file

if TYPE_CHECKING:
    from liven.liveobjects.image.view.image_view import ImageView

_FILTER = "Pictures (*.png *.jpg *.jpeg *.gif *.webp *.bmp);;All files (*)"


class ImagePanel(QWidget):
    """The widget of an image."""

    def __init__(self, view: ImageView) -> None:
        super().__init__()
        self._view = view
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(64, 48)
        self.setAutoFillBackground(True)
        self._name()
        view.changed.connect(self._changed)
        for keys, run in (
            ("Ctrl+Z", self.undo),
            ("Ctrl+Shift+Z", self.redo),
            ("Ctrl+Y", self.redo),
            ("Ctrl+C", self.copy),
            ("Ctrl+V", self.paste),
            ("Ctrl+Shift+O", self.choose),
            ("Ctrl+Alt+S", self.save),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(run)

    def done(self) -> None:
        """Stop listening."""
        self._view.changed.disconnect(self._changed)

    def undo(self) -> None:
        """Return to the picture before your last one."""
        undo_and_report(self._view.model.editor.undo, self._view.host)

    def redo(self) -> None:
        """Show the undone picture again."""
        redo_and_report(self._view.model.editor.redo, self._view.host)

    def copy(self) -> None:
        """Copy picture to the clipboard."""
        if self._view.image is None:
            self._view.host.show_message("There is no picture to copy.")
        else:
            QGuiApplication.clipboard().setImage(self._view.image)

    def paste(self) -> None:
        """Paste the picture of the clipboard."""
        if not self.take(QGuiApplication.clipboard().mimeData()):
            self._view.host.show_message("There is no picture on the clipboard.")

    def choose(self) -> None:
        """Choose a picture in the file dialog."""
        name, _ = QFileDialog.getOpenFileName(self, "Choose a picture", "", _FILTER)
        if name:
            self._view.put(DroppedPicture(Path(name)))

    def save(self) -> None:
        """Save the picture's original file."""
        seen = self._view.model.editor.state.seen
        if seen is None:
            self._view.host.show_message("There is no picture to save.")
            return
        name, _ = QFileDialog.getSaveFileName(self, "Save the picture", seen.about.name)
        if name:
            reply = self._view.model.context.work(write_file, Path(name), seen.data)
            reply.then(lambda done: self._view.host.show_message(_saved(name, done.error)))

    def stop(self) -> None:
        """Stop the upload, and stop waiting for a picture that does not arrive."""
        sending = self._view.model.sending
        if self._view.is_reading:
            self._view.stop_reading()
        elif sending is not None:
            sending.done.cancel()
        elif not self._view.forget_stopped():
            self._view.host.show_message("You are not sending a picture.")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Stop an upload on Esc. Without one, leave the key to the host."""
        view = self._view
        busy = view.is_reading or view.model.sending is not None or view.has_stopped
        if event.key() == Qt.Key.Key_Escape and busy:
            self.stop()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        self._view.paint(painter, QRectF(self.rect()))
        painter.end()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if may_have_picture(event.mimeData()):
            take_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        take_copy(event) if self.dropped(event.mimeData()) else refuse(event)

    def dropped(self, data: QMimeData) -> bool:
        """Put in the dropped picture, or explain why that is impossible."""
        taken = self.take(data)
        if not taken:
            self._view.host.show_message("An image holds one picture: PNG, JPEG, GIF, WebP or BMP.")
        return taken

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = round_corners(QMenu(self))
        for action in self._view.actions():
            menu.addAction(action.words).triggered.connect(lambda _=False, run=action.run: run())
        menu.popup(event.globalPos())

    def take(self, data: QMimeData) -> bool:
        """Put in the first of the pictures. Return false if there is none."""
        found = pictures_in(data)
        for dropped in found[:1]:
            self._view.put(dropped)
        if len(found) > 1:
            self._view.host.show_message(f"An image holds one picture; the first of {len(found)} was added.")
        return bool(found)

    def _changed(self) -> None:
        self._name()
        self.update()

    def _name(self) -> None:
        self.setAccessibleName(f"Image {self._view.title()}".strip())


def _saved(name: str, error: BaseException | None) -> str:
    if error is None:
        return f"Saved as {name}."
    why = error.__cause__ if isinstance(error.__cause__, OSError) else error
    return f"It was not saved as {name}: {getattr(why, 'strerror', None) or why}."
