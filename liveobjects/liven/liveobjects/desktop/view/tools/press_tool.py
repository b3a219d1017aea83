"""What a press of the mouse on the canvas chooses, and which gesture it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.canvas import painting
from liven.liveobjects.desktop.view.tools import gestures
from liven.liveobjects.desktop.view.tools.gestures import Gesture

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_SHIFT, _CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def pressed(canvas: Canvas, event: QMouseEvent, *, panning: bool) -> Gesture:
    """The gesture that begins here; while one pans, or with the middle button, that of the plane."""
    point, keys = event.position(), event.modifiers()
    if panning or event.button() == Qt.MouseButton.MiddleButton:
        return gestures.Pan(canvas, point)
    held = _handle(canvas, point)
    if held is not None:
        return held
    item = canvas.thing_at(point)
    if item is None and (link := canvas.connectors.at(point)) is not None:
        canvas.connectors.choose(link)
        return Gesture(canvas, point)
    if item is None:
        before = canvas.chosen if keys & _SHIFT else frozenset[str]()
        canvas.choose(before)
        return gestures.Choose(canvas, point, before)
    _click(canvas, item, keys)
    return gestures.MoveThings(canvas, point)


def _handle(canvas: Canvas, point: QPointF) -> Gesture | None:
    """What begins at a handle of the one thing that is chosen."""
    one = canvas.state.items[next(iter(canvas.chosen))] if len(canvas.chosen) == 1 else None
    if one is None or one.locked:
        return None
    handle = painting.handle_at(canvas, one, point)
    if handle == painting.TURN:
        return gestures.Rotate(canvas, point, one)
    if handle == painting.LINK:
        return gestures.DrawLink(canvas, point, one)
    return None if handle is None else gestures.Resize(canvas, point, one, handle)


def _click(canvas: Canvas, item: Item, keys: Qt.KeyboardModifier) -> None:
    """A click chooses a thing with its group; with Ctrl the thing alone; with Shift one more or less."""
    with_group = commands.with_groups(canvas.state, {item.key})
    if keys & _SHIFT:
        canvas.choose(canvas.chosen - with_group if item.key in canvas.chosen else canvas.chosen | with_group)
    elif keys & _CONTROL:
        canvas.choose({item.key})
    elif item.key not in canvas.chosen:
        canvas.choose(with_group)
