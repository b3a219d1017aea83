"""The widget of a confined view: the picture, and everything that a person does on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from liven.liveobjects.confined.view import input_events

if TYPE_CHECKING:
    from liven.liveobjects.confined.view.container import ConfinedView

END = "End it"
NOTE_FLAGS = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
"""A sentence about the object stands in the middle of its picture."""
_GAP = 8
_INPUT = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.KeyPress,
    QEvent.Type.KeyRelease,
    QEvent.Type.InputMethod,
    QEvent.Type.FocusIn,
    QEvent.Type.FocusOut,
    QEvent.Type.Enter,
    QEvent.Type.Leave,
)
_OURS = (Qt.Key.Key_Escape,)
"""Keys that the host also needs: Escape leaves the object on a desktop."""


class Surface(QWidget):
    """Shows the picture in its own size, and passes input on."""

    def __init__(self, view: ConfinedView) -> None:
        super().__init__()
        self._view = view
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self._end = QPushButton(END, self)
        self._end.clicked.connect(view.end_process)
        self._end.hide()

    def refresh(self) -> None:
        """Show what has changed."""
        self._end.setVisible(self._view.is_silent)
        self._place_end()
        self.update()

    def show_cursor(self, shape: int) -> None:
        """Show another cursor over the picture; an unknown shape is the arrow."""
        known = 0 <= shape <= Qt.CursorShape.LastCursor.value
        self.setCursor(Qt.CursorShape(shape) if known else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        """Pass input on."""
        if event.type() in _INPUT:
            row = input_events.written(event)
            if row is not None:
                self._view.input(row)
                if row[0] in ("mouse", "wheel", "text") or (row[0] == "key" and row[2] not in _OURS):
                    event.accept()
                    return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Let Tab go to the process."""
        del forward
        return False

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:
        """Say that text may be written here."""
        if query is Qt.InputMethodQuery.ImEnabled:
            return True
        return super().inputMethodQuery(query)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for a picture of the new size."""
        self._place_end()
        self._ask()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture."""
        del event
        self._ask()
        with QPainter(self) as painter:
            self._view.paint_picture(painter, QRectF(self.rect()), self._view.note())

    def _place_end(self) -> None:
        """Put the button just below the sentence that the object does not answer."""
        self._end.adjustSize()
        said = self.fontMetrics().boundingRect(self.rect(), NOTE_FLAGS, self._view.note())
        x = (self.width() - self._end.width()) // 2
        y = min(said.bottom() + _GAP, self.height() - self._end.height())
        self._end.move(max(0, x), max(0, y))

    def _ask(self) -> None:
        self._view.want(QSizeF(self.size()), self.devicePixelRatioF())
