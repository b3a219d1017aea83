"""The handles of the selected item: eight to resize it, of which the corners are seen, a knob to rotate it,
and dots at three sides to draw a connector."""

from __future__ import annotations

import math
from typing import Final, Protocol, TypeAlias

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QTransform

from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.look.tokens import SMALLEST_HIT

Handle: TypeAlias = tuple[int, int]
"""-1, 0 or 1 horizontally and vertically; 2 for the handles outside the frame."""
NEAR: Final = SMALLEST_HIT / 2
"""The farthest press that a handle takes, in pixels."""
TURN: Final[Handle] = (-2, 2)
CONNECT: Final[Handle] = (2, 0)
CONNECTS: Final[tuple[Handle, ...]] = (CONNECT, (-2, 0), (0, 2))
CORNERS: Final[tuple[Handle, ...]] = ((-1, -1), (1, -1), (-1, 1), (1, 1))
OUTSIDE = 18.0
"""Distance in pixels of the knob and the dots from the frame."""
_LEAST_NEAR = 5.0
_OF_SIDE = 4
"""A handle takes at most this part of a short side, so that a small item can still be moved."""
_SIDES = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
CURSORS = {
    (-1, -1): Qt.CursorShape.SizeFDiagCursor,
    (1, 1): Qt.CursorShape.SizeFDiagCursor,
    (-1, 1): Qt.CursorShape.SizeBDiagCursor,
    (1, -1): Qt.CursorShape.SizeBDiagCursor,
    (0, -1): Qt.CursorShape.SizeVerCursor,
    (0, 1): Qt.CursorShape.SizeVerCursor,
    (-1, 0): Qt.CursorShape.SizeHorCursor,
    (1, 0): Qt.CursorShape.SizeHorCursor,
    TURN: Qt.CursorShape.CrossCursor,
    **dict.fromkeys(CONNECTS, Qt.CursorShape.CrossCursor),
}


class HandleCanvas(Protocol):
    """The part of the canvas that handles need."""

    @property
    def camera(self) -> Camera: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    def place_of(self, item: Item) -> Place: ...


def handles_of(canvas: HandleCanvas, item: Item) -> list[tuple[Handle, QPointF]]:
    """Return the handles of an item with their positions in the window."""
    place = canvas.place_of(item)
    area = rect(place)
    half = QSizeF(area.width() / 2, area.height() / 2) * canvas.camera.zoom
    turn = QTransform().rotate(place.degrees)
    middle = canvas.camera.to_window(area.center())

    def at(x: float, y: float) -> QPointF:
        return middle + turn.map(QPointF(x, y))

    found = [((x, y), at(x * half.width(), y * half.height())) for x, y in _SIDES]
    found.append((TURN, at(-half.width() - OUTSIDE, half.height() + OUTSIDE)))
    for x, y in CONNECTS:
        across, down = (half.width() + OUTSIDE) * x / 2, (half.height() + OUTSIDE) * y / 2
        found.append(((x, y), at(across, down)))
    return found


def handle_at(canvas: HandleCanvas, item: Item, point: QPointF) -> Handle | None:
    """Return the handle of a selected item that is nearest to a point of the window, if one is near."""
    place = canvas.place_of(item)
    side = min(place.width, place.height) * canvas.camera.zoom
    near = min(NEAR, max(_LEAST_NEAR, side / _OF_SIDE))
    found: list[tuple[float, Handle]] = []
    for handle, at in handles_of(canvas, item):
        far = math.hypot(at.x() - point.x(), at.y() - point.y())
        outside = handle == TURN or handle in CONNECTS
        if far <= (NEAR if outside else near):
            found.append((far, handle))
    return min(found)[1] if found else None


def cursor_at(canvas: HandleCanvas, point: QPointF) -> Qt.CursorShape:
    """Return the cursor for what a press at this point would do."""
    if len(canvas.selected) == 1:
        item = canvas.state.items[next(iter(canvas.selected))]
        handle = None if item.locked else handle_at(canvas, item, point)
        if handle is not None:
            return CURSORS[handle]
    return Qt.CursorShape.ArrowCursor
