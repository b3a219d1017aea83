"""The island with the name of the desktop, which is edited in place, and with undo and redo."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.model import LONGEST_TITLE
from liven.liveobjects.desktop.view.islands.canvas_protocol import IslandCanvas
from liven.liveobjects.look.view.buttons import ToolButton
from liven.liveobjects.look.view.island import RULE, Island
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.signs import Sign
from liven.liveobjects.view.window_controls import WindowControls
from liven.runtime.foreign_text import shown_line

_TOOL: Final = 34
_GLYPH: Final = 18
_ARROW_FROM: Final = 26
"""Pixels from the right end of the name within which a press opens the menu."""
_NARROWEST_FIELD: Final = 160


class NameButton(ToolButton):
    """The name: a press edits it, its arrow opens the menu of the board."""

    menu_requested = Signal()

    def __init__(self) -> None:
        super().__init__("Name of this desktop", size=_TOOL, label="…", drops=True)
        self.setToolTip(plain_tip("Click to rename it; the arrow opens its menu"))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isDown() and event.position().x() >= self.width() - _ARROW_FROM:
            self.setDown(False)
            self.menu_requested.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the menu with the arrow that points down."""
        if event.key() == Qt.Key.Key_Down:
            self.menu_requested.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class BoardIsland(Island):
    """The island at the upper left."""

    def __init__(self, canvas: IslandCanvas, parent: QWidget, controls: WindowControls) -> None:
        super().__init__(parent, "Board", pad=5, gap=1)
        self._canvas, self._controls, self._below = canvas, controls, parent
        self._field: QLineEdit | None = None
        self.name = NameButton()
        self.name.clicked.connect(self.edit_name)
        self.name.menu_requested.connect(self._open_menu)
        self.undo = ToolButton("Undo", Sign.UNDO, key="Ctrl+Z", size=_TOOL, glyph=_GLYPH)
        self.redo = ToolButton("Redo", Sign.REDO, key="Ctrl+Shift+Z", size=_TOOL, glyph=_GLYPH)
        self.undo.clicked.connect(canvas.undo)
        self.redo.clicked.connect(canvas.redo)
        self.add(controls.mark, self.name, RULE, self.undo, self.redo)

    def refresh(self) -> None:
        """Show the present name, and which of undo and redo would do something."""
        name = shown_line(self._controls.name())[:LONGEST_TITLE]
        self.name.set_label(name)
        self.name.setAccessibleDescription(name)
        steps = self._canvas.editor.undo_list
        self.undo.setEnabled(bool(steps.undo_names))
        self.redo.setEnabled(bool(steps.redo_names))
        self.adjustSize()

    def edit_name(self) -> None:
        """Edit the name where it stands. Enter keeps it, Esc does not."""
        if self._field is not None:
            return
        field = self._field = QLineEdit(self._controls.name(), self)
        field.setMaxLength(LONGEST_TITLE)
        field.setAccessibleName("Name of this desktop")
        field.setFont(font("strong"))
        area = self.name.geometry()
        field.setGeometry(area.left(), area.top() + 1, max(area.width(), _NARROWEST_FIELD), _TOOL - 2)
        self.resize(max(self.width(), field.geometry().right() + 6), self.height())
        field.returnPressed.connect(lambda: self._end(keep=True))
        field.editingFinished.connect(lambda: self._end(keep=True))
        field.installEventFilter(self)
        field.selectAll()
        field.show()
        field.raise_()
        field.setFocus()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Leave the name as it was on Esc."""
        if (
            watched is self._field
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Escape
        ):
            self._end(keep=False)
            return True
        return False

    def _end(self, *, keep: bool) -> None:
        field, self._field = self._field, None
        if field is None:
            return
        text, had_focus = field.text().strip(), field.hasFocus()
        field.hide()
        field.deleteLater()
        if keep and text and text != self._controls.name():
            self._canvas.do(commands.retitle(self._canvas.state, text))
        self.refresh()
        if had_focus:
            self._below.setFocus()

    def _open_menu(self) -> None:
        self._controls.open_board_menu(self.name.mapToGlobal(QPoint(0, self.name.height() + 6)))
