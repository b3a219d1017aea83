"""The last picture of an object over its window until its contents are complete.

An object needs a moment to load, and what lies on a desktop loads one by one. Until then, and for at most
`LONGEST_MS`, the window shows what it showed when it was closed. Whoever presses a key or a button sees the
real contents at once.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from liven.app.window.object_window import ObjectWindow

LONGEST_MS: Final = 5000
_LOOK_MS: Final = 50
_EVENTS = QEvent.Type
_PRESSES: Final = (_EVENTS.KeyPress, _EVENTS.MouseButtonPress, _EVENTS.Wheel, _EVENTS.DragEnter)


class LastPicture(QWidget):
    """A picture over the contents of a window. It takes no events, and ends by itself."""

    def __init__(self, window: ObjectWindow, picture: QPixmap) -> None:
        super().__init__(window)
        self.setObjectName("last-picture")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._window = window
        self._picture = picture
        self._picture.setDevicePixelRatio(window.devicePixelRatioF())  # as it was painted
        self._watched: QWidget | None = None
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._follow)
        self._look.start()
        QTimer.singleShot(LONGEST_MS, self, self._end)
        window.installEventFilter(self)
        self._follow()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().window())
        painter.drawPixmap(0, 0, self._picture)
        painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window, and end at the first press in its contents."""
        if watched is not self._window and event.type() in _PRESSES:
            self._end()
        elif watched is self._window and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        """Lie over the present contents; end if they are complete, will not come, or if the past is shown."""
        window = self._window
        if window.view is not None and (window.contents_complete() or window.past.view is not None):
            self._end()
        elif window.view is None and window.awaited is None and self._watched is not None:
            self._end()  # it failed, or was cancelled
        else:
            shown = window.centralWidget()
            if shown is not self._watched and shown is not None:
                self._watched = shown
                for one in (shown, shown.viewport() if isinstance(shown, QAbstractScrollArea) else shown):
                    one.installEventFilter(self)
            self._place()

    def _place(self) -> None:
        layout, shown = self._window.layout(), self._window.centralWidget()
        if layout is not None and shown is not None:
            shown.show()  # Qt would do so later, and give it its place only then
            layout.activate()
            self.setGeometry(shown.geometry())
            self.raise_()

    def _end(self) -> None:
        self._look.stop()
        self._window.removeEventFilter(self)
        self.hide()
        self.deleteLater()
