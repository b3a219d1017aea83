"""Mouse presses: what a press on the canvas selects, and which gesture it starts."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.gestures import handles
from liven.liveobjects.desktop.view.gestures.draw_connector import DrawConnector
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, Pan, SelectionFrame
from liven.liveobjects.desktop.view.gestures.handles import HandleCanvas
from liven.liveobjects.desktop.view.gestures.move_items import MoveItems
from liven.liveobjects.desktop.view.gestures.resize import Resize, Rotate
from liven.liveobjects.desktop.view.gestures.selection_box import (
    ResizeTogether,
    TurnTogether,
    box_handle_at,
    box_of,
)
from liven.liveobjects.desktop.view.gestures.zone_tool import PressZone, ZoneCanvas, zone_at
from liven.liveobjects.desktop.view.items.connectors import Connectors

_SHIFT, _CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class PressCanvas(ZoneCanvas, HandleCanvas, Protocol):
    """The part of the canvas that presses need."""

    @property
    def connectors(self) -> Connectors: ...


def pressed(canvas: PressCanvas, event: QMouseEvent, *, panning: bool) -> Gesture:
    """Return the gesture that a press starts; while panning, or with the middle button, Pan."""
    point, keys = event.position(), event.modifiers()
    if panning or event.button() == Qt.MouseButton.MiddleButton:
        return Pan(canvas, point)
    held = _handle_gesture(canvas, point)
    if held is not None:
        return held
    item = canvas.item_at(point)
    if item is None and (link := canvas.connectors.at(point)) is not None:
        canvas.connectors.select(link)
        return Gesture(canvas, point)
    if item is None:
        before = canvas.selected if keys & _SHIFT else frozenset[str]()
        canvas.select(before)
        return SelectionFrame(canvas, point, before)
    _click(canvas, item, keys)
    zone = zone_at(canvas, item, point) if keys == Qt.KeyboardModifier.NoModifier else None
    return MoveItems(canvas, point) if zone is None else PressZone(canvas, point, item.key, zone)


def is_over_zone(canvas: ZoneCanvas, point: QPointF) -> bool:
    """Return true if a click at a point of the window acts in an item."""
    item = canvas.item_at(point)
    return item is not None and zone_at(canvas, item, point) is not None


def cursor_over(canvas: HandleCanvas, point: QPointF) -> Qt.CursorShape:
    """Return the cursor for what a press at this point would do."""
    together = box_handle_at(canvas, point)
    return handles.cursor_at(canvas, point) if together is None else handles.CURSORS[together]


def _handle_gesture(canvas: PressCanvas, point: QPointF) -> Gesture | None:
    """Return the gesture that starts at a handle of the selected items."""
    box = box_of(canvas)
    if box is not None:
        together = box_handle_at(canvas, point)
        if together == handles.TURN:
            return TurnTogether(canvas, point, box)
        return None if together is None else ResizeTogether(canvas, point, box, together)
    one = canvas.state.items[next(iter(canvas.selected))] if len(canvas.selected) == 1 else None
    if one is None or one.locked:
        return None
    handle = handles.handle_at(canvas, one, point)
    if handle == handles.TURN:
        return Rotate(canvas, point, one)
    if handle in handles.CONNECTS:
        return DrawConnector(canvas, point, one)
    return None if handle is None else Resize(canvas, point, one, handle)


def _click(canvas: PressCanvas, item: Item, keys: Qt.KeyboardModifier) -> None:
    """Select an item with its group; with Ctrl, the item alone; with Shift, add or remove it."""
    group = commands.with_groups(canvas.state, {item.key})
    if keys & _SHIFT:
        canvas.select(canvas.selected - group if item.key in canvas.selected else canvas.selected | group)
    elif keys & _CONTROL:
        canvas.select({item.key})
    elif item.key not in canvas.selected:
        canvas.select(group)
