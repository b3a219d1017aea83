"""Painting of the plane: background, grid, items, selection frames and handles."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.drawings.recipes import drawing_of
from liven.liveobjects.desktop.frames import frames_beneath, is_frame
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.snap import GRID
from liven.liveobjects.desktop.spatial_index import SpatialIndex
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.actions.item_ear import ItemEar
from liven.liveobjects.desktop.view.background import background_of, paint_grid, text_colour_on
from liven.liveobjects.desktop.view.editing.item_editing import ItemEditing
from liven.liveobjects.desktop.view.geometry import edges, rect
from liven.liveobjects.desktop.view.gestures import handles
from liven.liveobjects.desktop.view.gestures.handles import HandleCanvas
from liven.liveobjects.desktop.view.gestures.selection_box import box_handles, box_of
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.items.frame_view import paint_frame_name
from liven.liveobjects.desktop.view.items.item_edge import Height, paint_item_shadow
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.transfer.drop_and_paste import DropAndPaste
from liven.liveobjects.look.view.island import paint_shadows
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_dot, paint_handle, paint_knob, paint_ring
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.accessibility import is_motion_reduced
from liven.runtime.foreign_text import shown_line

_MARGIN = 10
"""Pixels around a message."""
_LIFTED: Final = 1.015
"""The size of an item while it is moved, of its size at rest."""
_FADED: Final = 0.25
"""The opacity of an item that is about to be removed."""
_LOCK: Final = 20.0
"""Pixels of the sign on a locked item."""
_NARROWEST_GRID = 16
"""Pixels between grid points; zoomed out further, only every fourth point is painted."""
EMPTY = "This desktop is empty.\nDouble-click to add something, or drop a picture."


class PaintedCanvas(HandleCanvas, Protocol):
    """The part of the canvas that painting needs."""

    grid: bool

    @property
    def model(self) -> DesktopObject: ...

    @property
    def islands(self) -> object: ...

    @property
    def spatial_index(self) -> SpatialIndex: ...

    @property
    def connectors(self) -> Connectors: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def drop_and_paste(self) -> DropAndPaste: ...

    @property
    def moving(self) -> frozenset[str]: ...

    @property
    def item_editing(self) -> ItemEditing: ...

    @property
    def faded(self) -> frozenset[str]: ...

    @property
    def editing(self) -> str | None: ...

    @property
    def ear(self) -> ItemEar: ...

    @property
    def is_moving(self) -> bool: ...

    @property
    def visible_area(self) -> QRectF: ...

    def rect(self) -> QRect: ...

    def devicePixelRatioF(self) -> float: ...


def paint(painter: QPainter, canvas: PaintedCanvas, exposed: QRectF, widget: QWidget) -> None:
    """Paint the exposed part of the canvas, which is this widget."""
    background = background_of(canvas.state)
    if canvas.grid:
        _paint_grid(painter, canvas, background, exposed)
    else:
        painter.fillRect(exposed, background)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not canvas.is_moving)
    seen = canvas.visible_area
    painter.setWorldTransform(canvas.camera.transform())
    moving = canvas.moving
    items = canvas.spatial_index.within(edges(seen), moving)
    if moving:  # what is moved, above all others
        items.sort(key=lambda one: one.key in moving and not is_frame(one.reference))
    beneath = frames_beneath(items)
    for item in items[:beneath]:
        _paint_item(painter, canvas, item, canvas.place_of(item))
    canvas.connectors.paint(painter, seen)
    for item in items[beneath:]:
        _paint_item(painter, canvas, item, canvas.place_of(item))
    painter.resetTransform()
    paint_shadows(painter, widget)
    for key in sorted(canvas.selected):
        _paint_frame(painter, canvas, canvas.state.items[key])
    if canvas.editing is None:
        _paint_box_of_several(painter, canvas)
    if _is_known_empty(canvas) and canvas.islands is None:  # which have more to say about it
        _paint_message(painter, canvas, EMPTY)  # before that, the host says that it is loading


def _is_known_empty(canvas: PaintedCanvas) -> bool:
    return canvas.model.ready and not canvas.state.items and not canvas.drop_and_paste.is_reading


def _paint_item(painter: QPainter, canvas: PaintedCanvas, item: Item, place: Place) -> None:
    painter.save()
    area, height = rect(place), _height(canvas, item, place)
    sharp = canvas.camera.zoom * canvas.devicePixelRatioF()  # in device pixels, so that it is sharp
    painter.translate(area.center())
    painter.rotate(place.degrees)
    if height is Height.LIFTED and not is_motion_reduced():
        painter.scale(_LIFTED, _LIFTED)
    painter.translate(-area.width() / 2, -area.height() / 2)
    whole = QRectF(QPointF(0, 0), area.size())
    drawing = drawing_of(item.reference)
    if item.key in canvas.faded:
        painter.setOpacity(_FADED)
    if drawing is None and not canvas.item_views.is_flat(item.key):
        paint_item_shadow(painter, whole, canvas.item_views.radius(item.key), height)
    if item.key == canvas.editing and not canvas.item_editing.is_painted:
        pass  # its widget lies there
    elif place == item.place or canvas.item_views.pictures.kept(item.key, area.size()) is not None:
        canvas.item_views.paint(painter, item, sharp, hurry=canvas.is_moving)
    else:  # it is being resized: stretch its last picture
        old = QSizeF(item.place.width, item.place.height)
        painter.scale(area.width() / old.width(), area.height() / old.height())
        canvas.item_views.paint(painter, item, sharp, hurry=True)
    if is_frame(item.reference):
        look = current_look()
        ink = (
            QColor(look.quiet) if not canvas.state.background else text_colour_on(background_of(canvas.state))
        )
        paint_frame_name(painter, whole, shown_line(item.label), ink)
    painter.restore()


def _height(canvas: PaintedCanvas, item: Item, place: Place) -> Height:
    """Return the height of an item above the plane: lifted while it is moved."""
    if place is not item.place and place != item.place and _form(place) == _form(item.place):
        return Height.LIFTED
    hovered = item.key == canvas.ear.hovered and item.key != canvas.editing
    return Height.HOVER if hovered else Height.REST


def _form(place: Place) -> tuple[float, float, float]:
    return place.width, place.height, place.degrees


def _paint_grid(painter: QPainter, canvas: PaintedCanvas, background: QColor, exposed: QRectF) -> None:
    step = GRID
    while step * canvas.camera.zoom < _NARROWEST_GRID:
        step *= 4
    origin = canvas.camera.to_window(QPointF(0, 0))
    paint_grid(painter, exposed, background, origin, step * canvas.camera.zoom)


def _paint_frame(painter: QPainter, canvas: PaintedCanvas, item: Item) -> None:
    """Paint the ring around a selected item, with handles if it is the only one; a lock tells without colour
    that an item stays where it is."""
    look = current_look()
    place, zoom = canvas.place_of(item), canvas.camera.zoom
    area = rect(place)
    painter.save()
    painter.translate(canvas.camera.to_window(area.center()))
    painter.rotate(place.degrees)
    size = area.size() * zoom
    ring = QRectF(QPointF(-size.width() / 2, -size.height() / 2), size)
    radius = 0.0 if drawing_of(item.reference) is not None else canvas.item_views.radius(item.key)
    paint_ring(painter, ring, radius * zoom, look, look.quiet if item.locked else "")
    if item.locked:
        corner = ring.topRight()
        badge = QRectF(corner.x() - _LOCK / 2, corner.y() - _LOCK / 2, _LOCK, _LOCK)
        paint_box(painter, badge, _LOCK / 2, look.island, look.quiet, look.edge_width)
        paint_sign(painter, badge, Sign.LOCK, _LOCK / 2, look.quiet)
    painter.restore()
    if len(canvas.selected) != 1 or item.locked or canvas.editing is not None:
        return
    for handle, at in handles.handles_of(canvas, item):
        if handle == handles.TURN:
            paint_knob(painter, at, look)
        elif handle in handles.CONNECTS:
            paint_dot(painter, at, look)
        elif handle in handles.CORNERS:
            paint_handle(painter, at, look)


def _paint_box_of_several(painter: QPainter, canvas: PaintedCanvas) -> None:
    """Paint the box around several selected items with its handles."""
    box, look = box_of(canvas), current_look()
    if box is None:
        return
    painter.setPen(QPen(QColor(look.select), 1.0 if not look.high_contrast else look.edge_width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    for handle, at in box_handles(canvas):
        if handle == handles.TURN:
            paint_knob(painter, at, look)
        else:
            paint_handle(painter, at, look)


def _paint_message(painter: QPainter, canvas: PaintedCanvas, words: str) -> None:
    painter.setFont(font("body"))
    painter.setPen(text_colour_on(background_of(canvas.state)))
    area = canvas.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)  # narrow in a nested desktop
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
