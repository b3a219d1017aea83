"""One view of a confined process: the author's view, painted into a shared picture whenever it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QImage, QPainter, QResizeEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.confined.view import input_events
from liven.liveobjects.confined.view.shared_picture import SharedPicture, blank
from liven.liveobjects.view.contract import View, summary_of
from liven.runtime import author_traceback

_LONGEST = 500
_REPAINTS = (QEvent.Type.UpdateRequest, QEvent.Type.Show, QEvent.Type.Hide)
_MOST_EARLY = 1000
_LONGEST_SUMMARY = 10_000


class PaintedView(QObject):
    """Paints one view, one picture at a time: the next one waits until the program has shown the last."""

    def __init__(self, send: Callable[..., object]) -> None:
        super().__init__()
        self._send = send
        self._view: View | None = None
        self._window: QWidget | None = None
        self._picture: SharedPicture | None = None
        self._area = QRectF()
        self._scale = 1.0
        self._which = 0
        """The number of the request for this picture."""
        self._busy = False
        self._dirty = False
        self._about: tuple[object, ...] = ()
        self._cursor = -1
        self._popups: list[QWidget] = []
        self._early: list[list[Any]] = []
        """Input that came before the window, such as the first letter of one who begins to type."""
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._paint)

    def begin(self, view: View) -> None:
        """Show this view."""
        self._view = view
        view.changed.connect(self._changed)
        self._changed()

    def show_in(
        self, picture: SharedPicture, which: int, works: bool, width: float, height: float, scale: float
    ) -> None:
        """Paint into another picture; with the widget in which a person `works`, or without."""
        if self._picture is not None:
            self._picture.close()
        self._picture, self._scale, self._area = picture, scale, QRectF(0, 0, width, height)
        self._which = which
        if works:
            self._open_window(round(width), round(height))
            early, self._early = self._early, []
            for row in early:
                self.input(row)
        else:
            self._close_window()
        self._busy = False
        self._changed()

    def taken(self) -> None:
        """The program has shown the last picture."""
        self._busy = False
        if self._dirty:
            self._soon.start()

    def input(self, row: list[Any]) -> None:
        """Let something happen in the widget."""
        if self._window is None:
            self._early = [*self._early, row][-_MOST_EARLY:]  # its window is about to open
            return
        match row:
            case ["focus", has]:
                self._focus(bool(has))
            case ["enter", x, y]:
                at = QPointF(x, y)
                self._deliver(QEnterEvent(at, at, at))
            case ["leave"]:
                self._deliver(QEvent(QEvent.Type.Leave))
            case ["text", _]:
                writer = QApplication.focusWidget()
                event = input_events.read(row)
                if writer is not None and event is not None:
                    QCoreApplication.sendEvent(writer, event)
            case _:
                event = input_events.read(row)
                if event is not None:
                    self._deliver(event)
        self._tell_cursor(row)
        self._watch_popups()

    def show_message(self, message: str) -> None:
        """Pass a sentence on to the person."""
        self._send("message", message[:_LONGEST])

    def withdraw_message(self, message: str) -> None:
        """Do nothing: messages pass by themselves."""

    def open_object(self, recipe: str, name: str) -> None:
        """Refuse: what a confined object opens, nobody has asked for."""
        del recipe
        self.show_message(f"{name} cannot be opened from here: this object is confined")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that the window wants to be painted."""
        if event.type() in _REPAINTS:
            self._changed()
        return super().eventFilter(watched, event)

    def close(self) -> None:
        """End the view."""
        self._soon.stop()
        self._close_window()
        view, self._view = self._view, None
        if view is not None:
            view.close()
        if self._picture is not None:
            self._picture.close()
            self._picture = None
        self.deleteLater()

    def _open_window(self, width: int, height: int) -> None:
        if self._view is None:
            return
        if self._window is None:
            window = self._window = _Filled(self._view.widget())
            window.resize(width, height)
            window.move(0, 0)
            window.show()
            window.installEventFilter(self)
        self._window.resize(width, height)

    def _close_window(self) -> None:
        window, self._window = self._window, None
        if window is not None and self._view is not None:
            window.removeEventFilter(self)
            self._view.close_widget()
            window.deleteLater()

    def _focus(self, has: bool) -> None:
        assert self._window is not None
        if has:
            self._window.activateWindow()
            QApplication.setActiveWindow(self._window)
            if QApplication.focusWidget() is None and self._view is not None:
                self._view.widget().setFocus(Qt.FocusReason.OtherFocusReason)
        elif QApplication.activeWindow() is self._window:
            QApplication.setActiveWindow(None)  # type: ignore[arg-type]  # Qt allows none

    def _deliver(self, event: QEvent) -> None:
        """Send an event as the window system would: Qt then finds the widget below the mouse, and grabs."""
        handle = self._window.windowHandle() if self._window is not None else None
        if isinstance(handle, QWindow):
            QCoreApplication.sendEvent(handle, event)

    def _tell_cursor(self, row: list[Any]) -> None:
        if row[0] != "mouse" or self._window is None:
            return
        below = self._window.childAt(QPoint(int(row[2]), int(row[3]))) or self._window
        shape = below.cursor().shape().value
        if shape != self._cursor:
            self._cursor = shape
            self._send("cursor", shape)

    def _watch_popups(self) -> None:
        """Repaint when menus and lists open, change and close: they are windows of their own."""
        popups = _popups()
        if popups != self._popups:
            for popup in popups:
                popup.installEventFilter(self)  # a second time has no effect
            self._popups = popups
            self._changed()

    def _changed(self) -> None:
        self._dirty = True
        if not self._busy and not self._soon.isActive():
            self._soon.start()

    def _paint(self) -> None:
        if self._view is None or self._busy:
            return
        try:
            self._tell_about()
            if self._picture is None:
                return
            self._dirty = False
            image = blank(self._picture.width, self._picture.height)
            self._paint_into(image)
        except Exception as error:  # code of the view's author
            said = f"{type(error).__name__}: {error}{author_traceback.author_line(error)}"
            self._send("failed", f"its view cannot be painted: {said}"[:_LONGEST])
            return
        self._picture.write(image)
        self._busy = True
        self._send("frame", self._which)

    def _paint_into(self, image: QImage) -> None:
        image.setDevicePixelRatio(self._scale)
        assert self._view is not None
        with QPainter(image) as painter:
            if self._window is None:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self._view.paint(painter, self._area)
                return
            self._window.render(painter, QPoint())
            for popup in _popups():
                popup.render(painter, popup.pos() - self._window.pos())

    def _tell_about(self) -> None:
        assert self._view is not None
        hint = self._view.size_hint()
        texts = (self._view.title()[:200], summary_of(self._view)[:_LONGEST_SUMMARY])
        about = (*texts, bool(self._view.is_loading()), float(hint.width()), float(hint.height()))
        if about != self._about:
            self._about = about
            self._send("about", *about)


class _Filled(QWidget):
    """A window that one widget fills. No layout places it: one would heed the widget's size policy, and give
    a button without a size hint no height at all. A window or a desktop of the program fills its place."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        content.setParent(self)
        content.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the content fill the window."""
        super().resizeEvent(event)
        self._content.setGeometry(self.rect())


def _popups() -> list[QWidget]:
    """Return the open menus and lists, the oldest first."""
    return [one for one in QApplication.topLevelWidgets() if one.isVisible() and _is_popup(one)]


def _is_popup(widget: QWidget) -> bool:
    return widget.windowType() in (Qt.WindowType.Popup, Qt.WindowType.ToolTip)
