"""Pictures of a window's contents as PNG, SVG or PDF: the visible part, the selection or everything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPageSize, QPainter, QPainterPath, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from liven.app.export.outlined_text import outlined
from liven.liveobjects.desktop.drawings.recipes import drawing_of
from liven.liveobjects.desktop.frames import frames_beneath, is_frame, with_contents
from liven.liveobjects.desktop.spatial_index import extent
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.background import text_colour_on
from liven.liveobjects.desktop.view.drawings.painting import paint_drawing
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.items.connectors import names_reach, paint_links
from liven.liveobjects.desktop.view.items.frame_view import paint_frame_name
from liven.liveobjects.desktop.view.items.item_edge import fitting_radius, paint_edge
from liven.liveobjects.look.view.light import painted_on
from liven.runtime.files import write_file
from liven.runtime.foreign_text import shown_line

KINDS = {".png": "PNG picture", ".svg": "SVG drawing", ".pdf": "PDF page"}
LARGEST_SIDE = 8000
_AROUND = 20.0
_SMALLEST = QSize(4, 4)
"""The smallest picture: a PDF page must not be empty."""
_DOTS = 96
"""Dots per inch, as on a screen: font sizes are in points, everything else in pixels."""

Draw = Callable[[QPainter], None]


class ExportError(OSError):
    """Raised when a picture cannot be written; the message is the reason."""


def drawing(widget: QWidget, *, selection: bool, ground: QColor | None = None) -> tuple[QSize, Draw]:
    """Return a size and a function that draws: all of a desktop, its selection, or the visible part of
    another object. Without a colour of the ground it is white paper."""
    if not isinstance(widget, Canvas) or not widget.state.items:
        return widget.size(), lambda painter: widget.render(painter, widget.rect().topLeft())
    chosen = with_contents(widget.state, widget.selected)
    items = [one for one in widget.state.stacked() if not selection or one.key in chosen]
    if not items:
        raise ExportError("nothing is selected")
    there = {item.key for item in items}
    links = [link for link in widget.state.links.values() if {link.source, link.target} <= there]
    left, top, right, bottom = extent(items)
    area = QRectF(left, top, right - left, bottom - top) | names_reach(widget, links)
    area.adjust(-_AROUND, -_AROUND, _AROUND, _AROUND)
    scale = min(1.0, LARGEST_SIDE / max(area.width(), area.height()))
    size = QSizeF(area.size() * scale).toSize().expandedTo(_SMALLEST)
    below = QColor(Qt.GlobalColor.white) if ground is None else ground

    def draw(painter: QPainter) -> None:
        painter.scale(scale, scale)
        painter.translate(-area.topLeft())
        beneath = frames_beneath(items)
        with painted_on(below):
            for item in items[:beneath]:
                _draw_item(painter, widget, item, below)
            paint_links(painter, widget, links, ground)
            for item in items[beneath:]:
                _draw_item(painter, widget, item, below)

    return size, draw


def export(
    widget: QWidget, path: Path, *, selection: bool, scale: int = 1, transparent: bool = False
) -> None:
    """Write a picture in the format given by the file's suffix. A PNG picture is larger by a factor of
    `scale`, and has a ground only if it is not `transparent`."""
    size, draw = drawing(widget, selection=selection)
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise ExportError(f"{path.name} has no known suffix; use {', '.join(KINDS)}")
    picture = _png(size, draw, scale, transparent=transparent) if kind == ".png" else _MAKE[kind](size, draw)
    try:
        write_file(path, picture)  # Qt itself would only print a warning on errors
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}; choose another place") from None


def copy_image(widget: QWidget, *, selection: bool) -> None:
    """Copy a picture to the clipboard."""
    size, draw = drawing(widget, selection=selection)
    QGuiApplication.clipboard().setImage(_image(size, draw))


def _image(size: QSize, draw: Draw, scale: float = 1.0, *, transparent: bool = False) -> QImage:
    scale = min(scale, max(1.0, LARGEST_SIDE / max(size.width(), size.height(), 1)))
    pixels = (QSizeF(size) * scale).toSize().expandedTo(QSize(1, 1))
    made = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.transparent if transparent else Qt.GlobalColor.white)
    painter = QPainter(made)
    painter.scale(scale, scale)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    _paint(painter, draw)
    return made


def _png(size: QSize, draw: Draw, scale: float = 1.0, *, transparent: bool = False) -> bytes:
    held = _held()
    _image(size, draw, scale, transparent=transparent).save(held, "PNG")  # type: ignore[call-overload]  # its stub wants bytes for the format
    return bytes(held.data().data())


def _svg(size: QSize, draw: Draw) -> bytes:
    held = _held()
    made = QSvgGenerator()
    made.setOutputDevice(held)
    made.setResolution(_DOTS)
    made.setSize(size)
    made.setViewBox(QRectF(QPointF(0, 0), QSizeF(size)))
    made.setTitle("Liven")
    _paint(QPainter(made), draw)
    return outlined(bytes(held.data().data()))


def _pdf(size: QSize, draw: Draw) -> bytes:
    held = _held()
    made = QPdfWriter(held)
    made.setResolution(_DOTS)
    points = QSizeF(size) * 72 / _DOTS
    made.setPageSize(QPageSize(points, QPageSize.Unit.Point))
    made.setPageMargins(QMarginsF(0, 0, 0, 0))
    _paint(QPainter(made), draw)
    return bytes(held.data().data())


def _held() -> QBuffer:
    """Return a buffer, so that no file is written until the picture is complete."""
    made = QBuffer()
    made.open(QIODevice.OpenModeFlag.WriteOnly)
    return made


def _paint(painter: QPainter, draw: Draw) -> None:
    """Paint, and end the painter in any case: Qt aborts the program if the device is destroyed first."""
    if not painter.isActive():
        raise ExportError("there is not enough memory for a picture of this size")
    try:
        draw(painter)
    except Exception as error:  # views are code of their authors
        raise ExportError(f"it cannot be drawn: {type(error).__name__}: {error}") from error
    finally:
        painter.end()


def _draw_item(painter: QPainter, canvas: Canvas, item: Item, ground: QColor) -> None:
    """Draw an item by its view, sharp at every size; if it does not run, draw its last picture."""
    area = rect(item.place)
    painter.save()
    painter.translate(area.center())
    painter.rotate(item.place.degrees)
    painter.translate(-area.width() / 2, -area.height() / 2)
    whole, drawing = QRectF(QPointF(0, 0), area.size()), drawing_of(item.reference)
    if drawing is not None:
        paint_drawing(painter, whole, drawing, item.label, ground)
    elif not _draws_itself(painter, canvas, item, whole):
        canvas.item_views.paint(painter, item, 1.0, hurry=True)
    if is_frame(item.reference):
        paint_frame_name(painter, whole, shown_line(item.label), text_colour_on(ground))
    painter.restore()


def _draws_itself(painter: QPainter, canvas: Canvas, item: Item, area: QRectF) -> bool:
    """Draw an item by its view and return True; False if the view raises, which affects this item only."""
    view = canvas.item_views.view(item.key)
    if view is None:
        return False
    radius = fitting_radius(canvas.item_views.radius(item.key), area)
    shape = QPainterPath()
    shape.addRoundedRect(area, radius, radius)
    painter.save()
    painter.setClipPath(shape)
    try:
        view.paint(painter, area)
    except Exception:  # code of the view's author; the desktop reports it
        return False
    finally:
        painter.restore()
    paint_edge(painter, area, radius, view.edge_colour())
    return True


_MAKE: dict[str, Callable[[QSize, Draw], bytes]] = {".png": _png, ".svg": _svg, ".pdf": _pdf}
