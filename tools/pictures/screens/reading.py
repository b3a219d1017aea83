"""Reading the structure of a window: from its widgets, the items of its canvas, and a picture of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields

import numpy
from PySide6.QtCore import QPoint, QRect, QSizeF
from PySide6.QtGui import QAccessible, QColor, QImage
from PySide6.QtWidgets import QAbstractButton, QMenuBar, QWidget

from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.geometry import edges, rect
from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.island import Island
from liven.liveobjects.look.view.light import current_look
from liven.runtime.foreign_text import shown_line
from tools.pictures.screens.structure import Part, Screen, timeless, token_of

_SILENT = ("Client", "Window", "NoRole", "Separator", "ToolTip")
"""Roles of what only holds other parts."""
_FIRST = ("plane", "island", "popover", "card")
"""A colour of several tokens is called by the first of them."""
_MOST_WORDS = 400
Ground = Callable[[QRect], str]
Colours = dict[str, tuple[int, int, int]]
Pixels = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.uint32]]


def read_screen(window: QWidget, picture: QImage) -> Screen:
    """Return the structure of a window of which this is a picture."""
    look, pixels = current_look(), _pixels(picture)
    tokens = tokens_of(look)

    def ground(area: QRect) -> str:
        return _ground(pixels, area, tokens)

    widgets = [one for one in window.findChildren(QWidget) if one.isVisibleTo(window)]
    parts = [Part("window", "", _numbers(window.rect()), ground(window.rect()))]
    for widget in widgets:
        parts += _controls(window, widget, ground)
        if isinstance(widget, Canvas):
            parts += _cards(window, widget, ground)
    ordered = sorted(parts, key=lambda one: (one.area[1], one.area[0], one.kind, one.name))
    return Screen((window.width(), window.height()), _name_of(look), tuple(ordered))


def tokens_of(look: Look) -> Colours:
    """Return the opaque colours of a look by their names; papers by theirs."""
    found: Colours = {}
    for name in dict.fromkeys((*_FIRST, *(one.name for one in fields(look)))):
        value = getattr(look, name)
        if isinstance(value, str) and value.startswith("#") and len(value) == len("#rrggbb"):
            found[name] = _channels(value)
    for place, hue in enumerate(look.people):
        found[f"person {place + 1}"] = _channels(hue)
    for place, hue in enumerate(look.hues):
        found[f"hue {place + 1}"] = _channels(hue)
    return found | {f"paper {name}": _channels(paper.sheet) for name, paper in look.papers.items()}


def _name_of(look: Look) -> str:
    return f"{look.name}, high contrast" if look.high_contrast else look.name


def _controls(window: QWidget, widget: QWidget, ground: Ground) -> Iterator[Part]:
    """Yield an island, or a control that has a name for screen readers, if it is seen."""
    seen = widget.visibleRegion().boundingRect()
    told = QAccessible.queryAccessibleInterface(widget)
    if seen.isEmpty() or isinstance(widget, (Canvas, QMenuBar)):
        return
    kind = "Island" if isinstance(widget, Island) else told.role().name
    name = timeless(told.text(QAccessible.Text.Name).replace("&", ""))
    if not name or kind in _SILENT:
        return
    area = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()) & window.rect()
    if not area.isEmpty():
        words = timeless(widget.text().replace("&", "")) if isinstance(widget, QAbstractButton) else ""
        shown = words if words != name else ""
        yield Part(kind, shown_line(name)[:_MOST_WORDS], _numbers(area), ground(area), shown)


def _cards(window: QWidget, canvas: Canvas, ground: Ground) -> Iterator[Part]:
    """Yield the items of a canvas that are seen."""
    seen = canvas.camera.seen(QSizeF(canvas.size()))
    for item in canvas.state.items.values():
        if not rect(item.place).intersects(seen):
            continue
        area = (
            canvas.camera.area(edges(rect(item.place)))
            .toRect()
            .translated(canvas.mapTo(window, QPoint(0, 0)))
        )
        inside = area & window.rect()
        words = timeless(canvas.item_views.words(item))[:_MOST_WORDS]
        if not inside.isEmpty():
            yield Part("Card", shown_line(item.label), _numbers(inside), ground(inside), words)


def _pixels(picture: QImage) -> Pixels:
    image = picture.convertToFormat(QImage.Format.Format_RGB32)
    flat = numpy.frombuffer(bytes(image.constBits()), dtype=numpy.uint32)
    whole: Pixels = flat.reshape(image.height(), image.bytesPerLine() // 4)[:, : image.width()]
    return whole  # the first byte is 255 everywhere


def _ground(pixels: Pixels, area: QRect, tokens: Colours) -> str:
    """Return the token of the most frequent colour in an area."""
    inside = pixels[area.top() : area.bottom() + 1, area.left() : area.right() + 1]
    if not inside.size:
        return ""
    colours, counts = numpy.unique(inside, return_counts=True)
    most = int(colours[counts.argmax()])
    return token_of((most >> 16 & 0xFF, most >> 8 & 0xFF, most & 0xFF), tokens)


def _channels(colour: str) -> tuple[int, int, int]:
    made = QColor(colour)
    return made.red(), made.green(), made.blue()


def _numbers(area: QRect) -> tuple[int, int, int, int]:
    return area.x(), area.y(), area.width(), area.height()
