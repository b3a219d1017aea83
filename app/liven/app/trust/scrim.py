"""The scrim over a window while a question in it waits for an answer: nothing beneath can be pressed, and
nothing else is as bright as the question."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QMargins, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from liven.liveobjects.look.tokens import DIALOG_RADIUS
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.shade import paint_shadow

_RIM: Final = 16
"""Pixels that a question keeps from the edges of its window."""


class Scrim(QWidget):
    """A layer over all of a window, beneath a dialog that is a part of the window."""

    def __init__(self, window: QWidget, dialog: QDialog) -> None:
        super().__init__(window)
        self._dialog: QDialog | None = dialog
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setAcceptDrops(False)
        self._enough = dialog.minimumSize()
        window.installEventFilter(self)
        dialog.installEventFilter(self)
        dialog.finished.connect(self._finished)
        dialog.destroyed.connect(self._gone)
        self.place()
        self.show()

    def place(self) -> None:
        """Lie over all of the window, with the dialog in the middle and above."""
        window, dialog = self.parentWidget(), self._dialog
        if window is None or dialog is None:
            return
        self.setGeometry(window.rect())
        self.raise_()
        room = window.size().shrunkBy(_margins())
        dialog.setMinimumSize(self._enough.boundedTo(room))
        dialog.resize(dialog.sizeHint().boundedTo(room).expandedTo(dialog.minimumSize()))
        middle = window.rect().center() - dialog.rect().center()
        dialog.move(max(middle.x(), 0), max(middle.y(), 0))
        dialog.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window and of the dialog; stay above what is added to the window."""
        kind = event.type()
        if watched is self.parentWidget() and kind in (QEvent.Type.Resize, QEvent.Type.ChildAdded):
            QTimer.singleShot(0, self, self.place)  # after the layout of the window
        elif watched is self._dialog and kind in (QEvent.Type.LayoutRequest, QEvent.Type.Move):
            if kind is QEvent.Type.LayoutRequest:
                QTimer.singleShot(0, self, self.place)
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the scrim, and the shadow of the dialog."""
        del event
        if self._dialog is None:
            return  # the answer is given; only clicks are kept off
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(look.scrim))
        area = QRectF(self._dialog.geometry())
        paint_shadow(painter, area, look.shadows.dialog, DIALOG_RADIUS)
        painter.end()

    def _finished(self) -> None:
        """Go, but keep clicks off the window for a moment: the second click of a double-click on the answer
        would press what lies beneath."""
        self._gone()
        QTimer.singleShot(QApplication.doubleClickInterval(), self, self.deleteLater)

    def _gone(self) -> None:
        self._dialog = None
        self.update()


def _margins() -> QMargins:
    return QMargins(_RIM, _RIM, _RIM, _RIM)
