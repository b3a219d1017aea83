"""The tool in hand: what the next press on the plane does.

Select, hand, pen and eraser stay in hand. A tool that puts an object or a shape, and the one that draws a
connector, are let go after one use; Enter puts the object in the middle of the view, without the mouse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from PySide6.QtCore import QMimeData, QObject, QPointF, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from liven.liveobjects.desktop.drawings.ink import PLAIN, Ink
from liven.liveobjects.desktop.drawings.shape import BOX, DIAMOND, ELLIPSE, Shape
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.editing.new_note_typing import NewNoteTyping
from liven.liveobjects.desktop.view.gestures.draw_connector import DrawConnector
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, GestureCanvas
from liven.liveobjects.desktop.view.tools.pen_tool import DrawInk, Erase
from liven.liveobjects.desktop.view.tools.shape_tool import DrawShape, add_shape_at
from liven.liveobjects.desktop.view.transfer.drop_and_paste import DropAndPaste
from liven.liveobjects.desktop.view.transfer.drop_contents import NewItem
from liven.liveobjects.desktop.view.transfer.insertion_point import InsertionPoint
from liven.liveobjects.desktop.view.viewport.zoom_and_view import ZoomAndView
from liven.liveobjects.look.tokens import DEFAULT_PAPER
from liven.liveobjects.look.view.signs import Sign
from liven.liveobjects.text.recipe import note, plain_text
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.window_controls import ObjectTool
from liven.runtime.reference.xml import write

SELECT: Final = "Select"
HAND: Final = "Hand"
CONNECTOR: Final = "Connector"
PEN: Final = "Pen"
ERASER: Final = "Eraser"
SHAPES: Final = {"Box": BOX, "Ellipse": ELLIPSE, "Diamond": DIAMOND}
"""The outlines of the shape tools, by the names of the tools."""
NOTE: Final = ObjectTool("Note", Sign.NOTE, lambda: write(note("Note")).decode(), "N", "write")
TEXT: Final = ObjectTool("Text", Sign.TEXT, lambda: write(plain_text("Text")).decode(), "T", "write")
"""The tools that a desktop without a window of its own has."""
_PICTURES: Final = "Pictures (*.png *.jpg *.jpeg *.gif *.webp *.bmp *.svg);;All files (*)"
_PUT: Final = "{}: click where it goes, or press Enter for the middle. Esc puts the tool down."
_HOW: Final = {
    PEN: "Pen: draw with the mouse or a pen. P or Esc puts it down.",
    ERASER: "Eraser: drag over ink to rub it out. E or Esc puts it down.",
    **{name: f"{name}: drag from corner to corner, or click. Esc puts the tool down." for name in SHAPES},
}
_DRAW: Final = "Connector: drag from one item to another. Esc puts the tool down."


class ToolCanvas(GestureCanvas, Protocol):
    """The part of the canvas that tools need."""

    @property
    def camera(self) -> Camera: ...

    @property
    def host(self) -> ViewHost: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def zoom_and_view(self) -> ZoomAndView: ...

    @property
    def drop_and_paste(self) -> DropAndPaste: ...

    @property
    def insertion_point(self) -> InsertionPoint: ...

    @property
    def new_note_typing(self) -> NewNoteTyping: ...

    def item_at(self, point: QPointF) -> Item | None: ...

    def leave_editing(self) -> None: ...

    def request_palette(self) -> None: ...


class HeldTool(QObject):
    """The tool in hand of one canvas."""

    changed = Signal()

    def __init__(self, canvas: ToolCanvas, widget: QWidget) -> None:
        super().__init__(widget)
        self._canvas, self._widget = canvas, widget
        self._taken = SELECT
        self.paper = DEFAULT_PAPER
        """The paper of the next note."""
        self.objects: tuple[ObjectTool, ...] = (NOTE, TEXT)
        """The tools that put objects."""
        self.pen = Ink(())
        """The hue and the width of what the pen draws."""
        self.pressure = PLAIN
        """The pressure that the pen tells."""
        self.turned_over = False
        """True while the other end of the pen is used, which rubs out."""

    def offer(self, objects: Iterable[ObjectTool]) -> None:
        """Offer tools that put these objects."""
        self.objects = tuple(objects)

    @property
    def name(self) -> str:
        """The name of the tool in hand."""
        return HAND if self._taken == SELECT and self._canvas.zoom_and_view.hand else self._taken

    @property
    def cursor(self) -> Qt.CursorShape | None:
        """The cursor of the tool; None for that of what lies under it."""
        return None if self._taken == SELECT else Qt.CursorShape.CrossCursor

    def take(self, name: str) -> None:
        """Take a tool. One that is in hand already puts its object in the middle of the view; the pen and the
        eraser are put down."""
        if name == self._taken and name not in (SELECT, CONNECTOR):
            self.put_down() if name in (PEN, ERASER) else self.put_in_middle()
            return
        self._canvas.leave_editing()
        self._widget.setFocus()
        view = self._canvas.zoom_and_view
        if view.hand != (name == HAND):
            view.toggle_hand()
        self._set(SELECT if name == HAND else name)
        if name == CONNECTOR:
            self._canvas.host.show_message(_DRAW)
        if name in (PEN, ERASER):
            self._canvas.select(())
        if name in _HOW:
            self._canvas.host.show_message(_HOW[name])
        elif self._object() is not None:
            self._canvas.host.show_message(_PUT.format(name))

    def take_paper(self, paper: str) -> None:
        """Take the tool for notes, with this paper for the next ones."""
        self.paper = paper
        self.changed.emit()
        if self._taken != NOTE.name:
            self.take(NOTE.name)

    def take_by_key(self, key: str) -> None:
        """Take the tool with this key, if one is offered."""
        found = next((one for one in self.objects if one.key == key), None)
        if found is not None:
            self.take(found.name)

    def put_down(self) -> bool:
        """Go back to selecting. Return False if that is what one does."""
        if self._taken == SELECT:
            return False
        self._set(SELECT)
        return True

    def hand_changed(self) -> None:
        """Announce that the hand was taken or put down."""
        if self._canvas.zoom_and_view.hand:
            self._taken = SELECT
        self.changed.emit()

    def press(self, event: QMouseEvent) -> Gesture | None:
        """Use the tool where the mouse is pressed. Return the gesture that begins there, if the tool makes
        one."""
        if event.button() != Qt.MouseButton.LeftButton:
            return None
        if self._taken == CONNECTOR:
            item = self._canvas.item_at(event.position())
            self._set(SELECT)
            return None if item is None else DrawConnector(self._canvas, event.position(), item)
        if self._taken == ERASER or (self._taken == PEN and self.turned_over):
            return Erase(self._canvas, event.position())
        if self._taken == PEN:
            return DrawInk(self._canvas, event.position(), self.pen, self.pressure)
        if self._taken in SHAPES:
            shape = Shape(SHAPES[self._taken])
            self._set(SELECT)
            return DrawShape(self._canvas, event.position(), shape)
        tool = self._object()
        if tool is None:
            return None
        self._put(tool, self._canvas.camera.to_plane(event.position()))
        return Gesture(self._canvas, event.position())

    def put_in_middle(self) -> bool:
        """Put the object of the tool in the middle of the view. Return False if the tool has none."""
        if self._taken in SHAPES:
            shape = Shape(SHAPES[self._taken])
            self._set(SELECT)
            add_shape_at(self._canvas, shape, self._canvas.visible_area.center())
            return True
        tool = self._object()
        if tool is not None:
            self._put(tool, None)
        return tool is not None

    def put(self, name: str) -> None:
        """Put an object of this name in the middle of the view, and let the person write in it at once."""
        self.put_down()
        tool = next((one for one in self.objects if one.name == name), None)
        if tool is not None:
            self._widget.setFocus()
            self._put(tool, None)

    def choose_pen(self, pen: Ink) -> None:
        """Choose the hue and the width of the pen."""
        self.pen = pen
        self.changed.emit()

    def choose_pictures(self) -> None:
        """Ask for pictures and put them in the middle of the view."""
        self.put_down()
        names, _ = QFileDialog.getOpenFileNames(self._widget, "Add pictures", "", _PICTURES)
        if names:
            self._put_files(names)
        self._widget.setFocus()

    def add_something(self) -> None:
        """Show everything that can be added."""
        self.put_down()
        self._canvas.request_palette()

    def _put_files(self, names: Sequence[str]) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(name) for name in names])
        self._canvas.drop_and_paste.add_files(data)

    def _put(self, tool: ObjectTool, at: QPointF | None) -> None:
        canvas = self._canvas
        self._set(SELECT)
        if at is None:
            canvas.insertion_point.forget()
        else:
            canvas.insertion_point.set(at)
        if canvas.drop_and_paste.add_at_insertion_point(NewItem(self._recipe(tool), tool.name)):
            canvas.new_note_typing.begin()

    def _recipe(self, tool: ObjectTool) -> str:
        if tool.sign is Sign.NOTE and self.paper != DEFAULT_PAPER:
            return write(note(tool.name, paper=self.paper)).decode()
        return tool.recipe()

    def _object(self) -> ObjectTool | None:
        return next((one for one in self.objects if one.name == self._taken), None)

    def _set(self, name: str) -> None:
        if name != self._taken:
            self._taken = name
            cursor = self.cursor
            self._widget.unsetCursor() if cursor is None else self._widget.setCursor(cursor)
            self.changed.emit()
