"""The widget of a window: the caption, and below it the widget of the inner object."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QMouseEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from liven.liveobjects.desktop.view.transfer.drop_and_paste import accept_drop
from liven.liveobjects.desktop.view.transfer.drop_contents import SEVERAL
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.view.drop_replies import refuse, take_copy
from liven.runtime.folder.item_files import MIME

if TYPE_CHECKING:
    from liven.liveobjects.window.view.window_view import WindowView


class _Caption(QLabel):
    """The caption. Drag it to take the inner object out: as a copy, or with Shift the object itself."""

    def __init__(self, view: WindowView) -> None:
        super().__init__()
        self._view = view
        self._pressed: QPointF | None = None
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName("Caption")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position() if event.button() == Qt.MouseButton.LeftButton else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        del event
        self._pressed = None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        far = QApplication.startDragDistance()
        if self._pressed is not None and (event.position() - self._pressed).manhattanLength() >= far:
            self._pressed = None
            self._drag_out()

    def _drag_out(self) -> None:
        """Start a drag. An object dragged to another program stays here as well, because that program
        may still refuse it."""
        held = self._view.held
        if not held:
            return
        data = QMimeData()
        data.setData(MIME, held.encode())
        data.setText(held)
        drag = QDrag(self)
        drag.setMimeData(data)
        both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
        moved = drag.exec(both, Qt.DropAction.CopyAction) == Qt.DropAction.MoveAction
        if moved and drag.target() is not None and self._view.held == held:
            self._view.take_out()


class WindowPanel(QWidget):
    """The caption over the inner object's widget. It accepts objects by drop."""

    def __init__(self, view: WindowView) -> None:
        super().__init__()
        self._view = view
        self.setAcceptDrops(True)
        self.setAutoFillBackground(True)
        self._caption = _Caption(view)
        self._out = QToolButton()
        self._out.setText("×")
        self._out.setAccessibleName("Take the object out")
        self._out.setToolTip(plain_tip("Take the object out"))
        self._out.clicked.connect(lambda _=False: view.take_out())
        self._empty = plain_label()
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._again = QPushButton("Start it again")
        self._again.clicked.connect(lambda _=False: view.start_again())
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        top = QHBoxLayout()
        top.addWidget(self._caption, 1)
        top.addWidget(self._out)
        layout.addLayout(top)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self._again, 0, Qt.AlignmentFlag.AlignHCenter)
        self._shortcuts = [
            self._shortcut("Ctrl+Z", view.undo),
            self._shortcut("Ctrl+Shift+Z", view.redo),
            self._shortcut("Ctrl+Y", view.redo),
        ]
        self.show_change()

    def show_change(self) -> None:
        """Show what is in the window now."""
        self._caption.setText(self._view.title())
        full = bool(self._view.held)
        self._caption.setCursor(Qt.CursorShape.OpenHandCursor if full else Qt.CursorShape.ArrowCursor)
        self._out.setVisible(full)
        inner = self._view.inner
        if inner is not None and self._stack.indexOf(inner.widget()) < 0:
            self._stack.addWidget(inner.widget())
        self._empty.setText(self._view.words())
        self._again.setVisible(inner is None and self._view.has_trouble)
        self._stack.setCurrentWidget(self._empty if inner is None else inner.widget())
        self.setFocusProxy(self._empty if inner is None else inner.widget())
        for shortcut in self._shortcuts:
            shortcut.setEnabled(inner is None)  # otherwise these keys belong to the inner object
        if inner is None and self.isActiveWindow() and self._lost_keys():
            self._empty.setFocus()  # so that they undo its removal

    def _lost_keys(self) -> bool:
        """Return true if no widget has the keyboard focus, or a removed one had it."""
        focused = QApplication.focusWidget()
        return focused is None or (self.isAncestorOf(focused) and not focused.isVisible())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        data = event.mimeData()
        if event.source() is self._caption:
            event.ignore()  # it is the window's own object already
        elif data.hasFormat(MIME) or data.hasFormat(SEVERAL) or data.hasUrls() or data.hasText():
            take_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Move the object if the window keeps it; otherwise copy it."""
        data = event.mimeData()
        if not self._view.receive(data):
            refuse(event)
        elif self._view.holds(data):
            accept_drop(event)
        else:
            take_copy(event)

    def _shortcut(self, keys: str, run: Callable[[], object]) -> QShortcut:
        made = QShortcut(QKeySequence(keys), self)
        made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        made.activated.connect(run)
        return made
