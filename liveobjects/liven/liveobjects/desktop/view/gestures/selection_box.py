"""The box around several selected items: its corners resize them together, its knob turns them together."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QTransform

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.frames import with_contents
from liven.liveobjects.desktop.spatial_index import reach
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, GestureCanvas
from liven.liveobjects.desktop.view.gestures.handles import CORNERS, NEAR, OUTSIDE, TURN, Handle, HandleCanvas
from liven.liveobjects.desktop.view.gestures.resize import TURN as STEP

AROUND: Final = 8.0
"""Pixels between the outermost items and the box."""


def box_of(canvas: HandleCanvas) -> QRectF | None:
    """Return the box in the window; None unless several items are selected of which one can be moved."""
    items = [canvas.state.items[key] for key in canvas.selected]
    if len(items) < 2 or all(item.locked for item in items):
        return None
    whole = QRectF()
    for item in items:
        whole |= canvas.camera.area(reach(canvas.place_of(item)))
    return whole.adjusted(-AROUND, -AROUND, AROUND, AROUND)


def box_handles(canvas: HandleCanvas) -> list[tuple[Handle, QPointF]]:
    """Return the handles of the box with their positions in the window."""
    box = box_of(canvas)
    if box is None:
        return []
    found = [
        ((x, y), QPointF(box.left() if x < 0 else box.right(), box.top() if y < 0 else box.bottom()))
        for x, y in CORNERS
    ]
    return [*found, (TURN, box.bottomLeft() + QPointF(-OUTSIDE, OUTSIDE))]


def box_handle_at(canvas: HandleCanvas, point: QPointF) -> Handle | None:
    """Return the handle of the box that is nearest to a point of the window, if one is near."""
    far = [(math.hypot(at.x() - point.x(), at.y() - point.y()), handle) for handle, at in box_handles(canvas)]
    found = min(far, default=(math.inf, TURN))
    return found[1] if found[0] <= NEAR else None


class _TogetherGesture(Gesture):
    """A gesture on all selected items, and on what lies in frames among them."""

    name = ""

    def __init__(self, canvas: GestureCanvas, start: QPointF, box: QRectF) -> None:
        super().__init__(canvas, start)
        state = canvas.state
        keys = with_contents(state, canvas.selected)
        self._items = [state.items[key] for key in sorted(keys) if not state.items[key].locked]
        inverted = canvas.camera.transform().inverted()[0]
        self._box = inverted.mapRect(box.adjusted(AROUND, AROUND, -AROUND, -AROUND))

    def end(self) -> None:
        places = dict(self.canvas.preview)
        self.canvas.preview.clear()
        there = {key: place for key, place in places.items() if key in self.canvas.state.items}
        self.canvas.do(commands.place(self.canvas.state, there, self.name))

    def _show(self, item: Item, middle: QPointF, scale: float, degrees: float) -> None:
        old = item.place
        width, height = old.width * scale, old.height * scale
        place = Place(middle.x() - width / 2, middle.y() - height / 2, width, height, degrees)
        self.canvas.preview[item.key] = place


class ResizeTogether(_TogetherGesture):
    """Drags a corner of the box: all items grow or shrink alike, and so do the gaps between them."""

    name = "Resize"

    def __init__(self, canvas: GestureCanvas, start: QPointF, box: QRectF, handle: Handle) -> None:
        super().__init__(canvas, start, box)
        across, down = handle
        self._fixed = QPointF(
            self._box.left() if across > 0 else self._box.right(),
            self._box.top() if down > 0 else self._box.bottom(),
        )
        self._corner = QPointF(
            self._box.right() if across > 0 else self._box.left(),
            self._box.bottom() if down > 0 else self._box.top(),
        )
        short = min((min(item.place.width, item.place.height) for item in self._items), default=1.0)
        self._least = min(commands.SHORTEST / short, 1.0)

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        arm = self._corner - self._fixed
        pulled = self._corner + self.delta - self._fixed
        length = max(QPointF.dotProduct(arm, arm), 1e-6)
        scale = max(QPointF.dotProduct(pulled, arm) / length, self._least)
        for item in self._items:
            middle = self._fixed + (rect(item.place).center() - self._fixed) * scale
            self._show(item, middle, scale, item.place.degrees)


class TurnTogether(_TogetherGesture):
    """Drags the knob: all items turn around the middle of the box; with Shift, in steps."""

    name = "Turn"
    cursor = Qt.CursorShape.CrossCursor

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        middle = self._box.center()
        seen = self.canvas.camera.to_window(middle)
        turned = _angle(point - seen) - _angle(self.start - seen)
        if keys & Qt.KeyboardModifier.ShiftModifier:
            turned = round(turned / STEP) * STEP
        turn = QTransform().rotate(turned)
        for item in self._items:
            there = middle + turn.map(rect(item.place).center() - middle)
            self._show(item, there, 1.0, (item.place.degrees + turned) % 360)


def _angle(vector: QPointF) -> float:
    return math.degrees(math.atan2(vector.y(), vector.x()))
