"""The mouse over a canvas: each event goes to the helper that handles it."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QEvent, QPointF, Qt, SignalInstance
from PySide6.QtGui import QMouseEvent, QPointingDevice, QTabletEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.drawings.ink import PLAIN
from liven.liveobjects.desktop.view.actions.item_ear import ItemEar
from liven.liveobjects.desktop.view.editing.item_editing import ItemEditing
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, Pan, SelectionFrame
from liven.liveobjects.desktop.view.gestures.move_items import MoveItems
from liven.liveobjects.desktop.view.gestures.press_tool import PressCanvas, cursor_over, is_over_zone, pressed
from liven.liveobjects.desktop.view.items.problem_badges import ProblemBadges
from liven.liveobjects.desktop.view.people.collaborators import Collaborators
from liven.liveobjects.desktop.view.tools.held_tool import HeldTool, ToolCanvas
from liven.liveobjects.desktop.view.tools.pen_tool import DrawInk
from liven.liveobjects.desktop.view.viewport.zoom_and_view import HAND, ZoomAndView

OUT: Final = 32
"""Pixels outside the window at which a drag leaves it."""
_ZOOM: Final = 1.0015
"""The factor of zoom for each unit of a wheel's angle: 1.2 for a step."""


class MouseCanvas(PressCanvas, ToolCanvas, Protocol):
    """The part of the canvas that the mouse needs."""

    gesture: Gesture | None

    @property
    def ear(self) -> ItemEar: ...

    @property
    def badges(self) -> ProblemBadges: ...

    @property
    def collaborators(self) -> Collaborators: ...

    @property
    def held_tool(self) -> HeldTool: ...

    @property
    def item_editing(self) -> ItemEditing: ...

    @property
    def zoom_and_view(self) -> ZoomAndView: ...

    @property
    def problems_requested(self) -> SignalInstance: ...

    def edit_at(self, point: QPointF) -> bool: ...

    def refresh_selection(self) -> None: ...

    def viewport_changed(self) -> None: ...


class MouseInput:
    """The mouse over one canvas, whose widget gets the focus and the cursors."""

    def __init__(self, canvas: MouseCanvas, widget: QWidget) -> None:
        self._canvas, self._widget = canvas, widget
        self.holds_space = False
        """True while the space bar is pressed: the mouse pans."""

    def press(self, event: QMouseEvent) -> None:
        """Begin a gesture, or press what floats over the items."""
        canvas = self._canvas
        if canvas.ear.pressed(event):
            return
        step = canvas.badges.at(event.position())
        if step:
            canvas.problems_requested.emit(step)
            return
        if canvas.item_editing.takes_mouse(event):
            return
        canvas.leave_editing()
        self._widget.setFocus()
        canvas.new_note_typing.cancel()
        canvas.insertion_point.forget()
        if event.button() == Qt.MouseButton.RightButton:
            return  # the context menu follows
        panning = self.holds_space or canvas.zoom_and_view.hand
        canvas.gesture = (None if panning else canvas.held_tool.press(event)) or pressed(
            canvas, event, panning=panning
        )
        if isinstance(canvas.gesture, Pan | SelectionFrame):
            canvas.collaborators.stop_following()
        self._widget.setCursor(canvas.gesture.cursor)
        canvas.refresh_selection()

    def move(self, event: QMouseEvent) -> None:
        """Follow with the gesture; without one, show what a press would do."""
        canvas, point = self._canvas, event.position()
        canvas.collaborators.set_pointer(canvas.camera.to_plane(point))
        if canvas.gesture is None and canvas.item_editing.takes_mouse(event):
            self._widget.setCursor(Qt.CursorShape.IBeamCursor)
        elif canvas.gesture is None:
            over = canvas.ear.follow(point) or is_over_zone(canvas, point)
            plain = Qt.CursorShape.PointingHandCursor if over else cursor_over(canvas, point)
            self._widget.setCursor(HAND if canvas.zoom_and_view.hand else canvas.held_tool.cursor or plain)
        else:
            self._drag(canvas.gesture, event)

    def _drag(self, gesture: Gesture, event: QMouseEvent) -> None:
        canvas, point = self._canvas, event.position()
        if isinstance(gesture, MoveItems) and self._is_outside(point):
            gesture.cancel()
            self.end_gesture()
            canvas.drop_and_paste.drag_out()
            return
        gesture.follow(point, event.modifiers())
        canvas.viewport_changed() if isinstance(gesture, Pan) else self._widget.update()

    def release(self, event: QMouseEvent) -> None:
        """End the gesture."""
        gesture = self._canvas.gesture
        if gesture is None:
            self._canvas.item_editing.takes_mouse(event)
        else:
            gesture.follow(event.position(), event.modifiers())
            self.end_gesture()
            gesture.end()

    def double_click(self, event: QMouseEvent) -> None:
        """Edit the item under the mouse; on the plane, ask for what to add there."""
        canvas, point = self._canvas, event.position()
        if canvas.item_editing.takes_mouse(event):
            return
        if is_over_zone(canvas, point):
            self.press(event)  # two quick clicks act twice
        elif not canvas.edit_at(point) and event.button() == Qt.MouseButton.LeftButton:
            canvas.insertion_point.set(canvas.camera.to_plane(point))
            canvas.request_palette()

    def tablet(self, event: QTabletEvent) -> None:
        """Note how a pen is held. Qt sends the same as an event of the mouse afterwards, since this one is
        not accepted."""
        held, gesture = self._canvas.held_tool, self._canvas.gesture
        held.turned_over = event.pointerType() == QPointingDevice.PointerType.Eraser
        is_up = event.type() == QEvent.Type.TabletRelease
        held.pressure = PLAIN if is_up else event.pressure()
        if isinstance(gesture, DrawInk) and not is_up:
            gesture.pressure = event.pressure()
        event.ignore()

    def wheel(self, event: QWheelEvent) -> None:
        """Pan, sideways with Shift; zoom with Ctrl."""
        canvas = self._canvas
        canvas.collaborators.stop_following()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            canvas.zoom_and_view.zoom(_ZOOM ** event.angleDelta().y(), event.position())
        else:
            delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta()
            sideways = event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not delta.x()
            canvas.camera.pan(QPointF(delta.y(), 0) if sideways else QPointF(delta))
            canvas.viewport_changed()
        event.accept()

    def end_gesture(self) -> None:
        """Forget the gesture, and show the canvas as without one."""
        canvas = self._canvas
        canvas.gesture = None
        canvas.refresh_selection()
        canvas.collaborators.publish()
        self._widget.unsetCursor()
        self._widget.update()

    def _is_outside(self, point: QPointF) -> bool:
        """Return true for a point so far outside the window that the person means to drag elsewhere."""
        inside = self._widget.rect().adjusted(-OUT, -OUT, OUT, OUT)
        return bool(self._canvas.selected) and not inside.contains(point.toPoint())
