"""Editing an item where it lies, until it is left."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.drawings.recipes import shape_of
from liven.liveobjects.desktop.spatial_index import reach
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.background import background_of
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.editing.ghosts import Ghosts
from liven.liveobjects.desktop.view.editing.shape_view import ShapeView
from liven.liveobjects.desktop.view.geometry import on_plane, rect, unturned
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.viewport.zoom_and_view import ZoomAndView
from liven.liveobjects.view.contract import View, ViewHost, WritesOnPlane
from liven.liveobjects.view.focus import set_initial_focus
from liven.liveobjects.view.plane_edit import PlaneEdit

_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


class EditingCanvas(Protocol):
    """The part of the canvas that editing needs."""

    editing: str | None

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def ghosts(self) -> Ghosts: ...

    @property
    def zoom_and_view(self) -> ZoomAndView: ...

    @property
    def host(self) -> ViewHost: ...

    def do(self, command: Command) -> bool: ...

    def restart(self, item: Item) -> None: ...

    def editing_changed(self) -> None: ...


class Surface(QWidget):
    """A desktop as the desktop around it sees it."""

    def leave_innermost(self) -> bool:
        """Leave the innermost thing that is open in it. Return False if there is none."""
        raise NotImplementedError


class ItemEditing(QObject):
    """The item of one canvas that is edited. `canvas.editing` has its key.

    Where a person writes, the canvas goes on painting the item, at any zoom, and passes the mouse on to the
    editor, which lies out of sight. Any other widget lies over its item, at 100 %."""

    def __init__(self, canvas: EditingCanvas, below: QWidget) -> None:
        super().__init__(below)
        self._canvas, self._below = canvas, below
        self._holds_mouse = False

    @property
    def is_painted(self) -> bool:
        """True while the canvas paints the edited item."""
        return self._page() is not None

    def edit(self, item: Item) -> None:
        """Enter an item: put its widget where the item lies, or its editor out of sight."""
        canvas = self._canvas
        self.leave()
        shape = shape_of(item.reference)
        if shape is not None:
            done = partial(self._write_label, item.key)
            ground = background_of(canvas.state)
            canvas.item_views.enter_drawing(item.key, ShapeView(shape, item.label, ground, done))
        widget = canvas.item_views.widget(item.key)
        if widget is None and canvas.item_views.is_declined(item.key):
            canvas.restart(item)  # the user wants it after all: ask for permission again
            return
        if widget is None:
            why = canvas.item_views.why_not_shown(item.key)
            canvas.host.show_message(why or "It is still loading.")
            canvas.ghosts.enter()  # the buttons of the card in its place
            return
        is_page = isinstance(widget, PlaneEdit) and _writes(canvas, item.key)
        canvas.zoom_and_view.show_for_editing(item, at_any_zoom=is_page)
        canvas.editing = item.key
        widget.setParent(self._below)
        if isinstance(widget, PlaneEdit) and is_page:
            widget.lie_on_plane(partial(self._seen, item.key))
            widget.overlay_changed.connect(self._repaint)
        if not widget.accessibleName():
            widget.setAccessibleName(canvas.item_views.title(item))
        self.place_widget()
        widget.show()
        widget.lower()  # below the islands
        set_initial_focus(widget)
        widget.installEventFilter(self)
        canvas.editing_changed()

    def leave(self, *, back: bool = False) -> None:
        """Remove the widget of the edited item. Its model has the typed text already. With `back`,
        return to the viewport from before editing."""
        canvas = self._canvas
        key, canvas.editing = canvas.editing, None
        self._holds_mouse = False
        if key is None:
            return
        canvas.zoom_and_view.return_from_editing(back=back)
        widget = canvas.item_views.widget(key)
        if widget is not None:
            widget.removeEventFilter(self)
            canvas.item_views.close_widget(key)
        canvas.item_views.leave_drawing(key)
        self._below.setFocus()
        canvas.editing_changed()

    def leave_inner(self) -> bool:
        """Let a desktop inside the edited item leave its innermost state. Return False if there is none."""
        widget = self._canvas.item_views.widget(self._canvas.editing or "")
        inner = widget if widget is None or isinstance(widget, Surface) else widget.findChild(Surface)
        return isinstance(inner, Surface) and inner.leave_innermost()

    def place_widget(self) -> None:
        """Put the widget where its item lies now."""
        item = self._item()
        widget = self._canvas.item_views.widget(item.key) if item is not None else None
        if item is None or widget is None:
            return
        if isinstance(widget, PlaneEdit) and widget.is_on_plane:
            widget.fit(QSizeF(item.place.width, item.place.height))
        else:
            widget.setGeometry(self._canvas.camera.transform().mapRect(rect(item.place)).toRect())

    def takes_mouse(self, event: QMouseEvent | QContextMenuEvent) -> bool:
        """Pass an event of the mouse on to the editor in which a person writes. Return False if there is
        none under the mouse."""
        page = self._page()
        point = event.position() if isinstance(event, QMouseEvent) else QPointF(event.pos())
        if page is None or not (self._holds_mouse or self._is_inside(point)):
            return False
        if isinstance(event, QContextMenuEvent):
            at = page.to_page(self._to_item(point)).toPoint()
            QApplication.sendEvent(
                page.viewport(), QContextMenuEvent(event.reason(), at, event.globalPos(), event.modifiers())
            )
            return True
        if event.type() in _PRESSES:
            self._holds_mouse = True
            page.setFocus()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._holds_mouse = False
        self._send(page, event.type(), event)
        return True

    def click_at(self, point: QPointF) -> None:
        """Put the caret at a point of the window."""
        page = self._page()
        if page is not None and self._is_inside(point):
            at = page.to_page(self._to_item(point)).toPoint()
            page.setTextCursor(page.cursorForPosition(at))

    def paint(self, painter: QPainter) -> None:
        """Paint caret and selection over the item in which a person writes."""
        item = self._item()
        if item is None or self._page() is None:
            return
        painter.save()
        painter.setTransform(on_plane(item.place) * self._canvas.camera.transform(), True)
        painter.setClipRect(QRectF(0, 0, item.place.width, item.place.height))

        def paint_overlay(view: View) -> None:
            if isinstance(view, WritesOnPlane):
                view.paint_overlay(painter)

        self._canvas.item_views.ask(item.key, paint_overlay, None)
        painter.restore()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the edited item on Esc, whatever its widget does with other keys. A nested desktop first
        leaves what it has open itself."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() != Qt.Key.Key_Escape:
            return False
        if not (isinstance(watched, Surface) and watched.leave_innermost()):
            self.leave(back=True)
        return True

    def _write_label(self, key: str, text: str) -> None:
        state = self._canvas.state
        if key in state.items:
            self._canvas.do(replace(commands.rename(state, key, text), name="Write"))

    def _item(self) -> Item | None:
        return self._canvas.state.items.get(self._canvas.editing or "")

    def _page(self) -> PlaneEdit | None:
        """Return the editor of the item that the canvas paints."""
        key = self._canvas.editing
        widget = None if key is None else self._canvas.item_views.widget(key)
        return widget if isinstance(widget, PlaneEdit) and widget.is_on_plane else None

    def _to_item(self, point: QPointF) -> QPointF:
        item = self._item()
        assert item is not None
        there = unturned(item.place, self._canvas.camera.to_plane(point))
        return there - rect(item.place).topLeft()

    def _is_inside(self, point: QPointF) -> bool:
        item = self._item()
        if item is None:
            return False
        return QRectF(0, 0, item.place.width, item.place.height).contains(self._to_item(point))

    def _seen(self, key: str, area: QRectF) -> QRectF:
        """Return an area of an item as it is seen in the window."""
        item = self._canvas.state.items.get(key)
        if item is None:
            return area
        return (on_plane(item.place) * self._canvas.camera.transform()).mapRect(area)

    def _repaint(self) -> None:
        item = self._item()
        if item is not None:
            self._below.update(self._canvas.camera.area(reach(item.place)).toAlignedRect())

    def _send(self, page: PlaneEdit, kind: QEvent.Type, event: QMouseEvent) -> None:
        at = page.to_page(self._to_item(event.position()))
        sent = QMouseEvent(
            kind, at, event.globalPosition(), event.button(), event.buttons(), event.modifiers()
        )
        QApplication.sendEvent(page.viewport(), sent)
        self._repaint()


def _writes(canvas: EditingCanvas, key: str) -> bool:
    return canvas.item_views.ask(key, lambda view: isinstance(view, WritesOnPlane), False)
