"""Shadows of rounded boxes: made once for each height, radius and scale, cut in nine, and put beneath things.

A layer of a shadow is a stack of nested rounded boxes, each of which overwrites the one around it, along the
curve of a blurred edge. That needs neither a blur nor numpy, which would take 0.1 s to import.

Corners are copied pixel for pixel, and edges are stretched in one direction, so nothing is interpolated. The
middle is left out, as the thing covers it: never paint the thing alone half transparent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from liven.liveobjects.look.tokens import Layer

_SMALLEST: Final = 0.12
"""At a smaller scale a shadow is invisible."""
_LARGEST: Final = 3.0
"""At a larger scale the shadow of this one is stretched: it is soft anyway."""
_STEPS: Final = 4
"""Shadows for each doubling of the scale."""
_SIGMA: Final = 2.2
"""Blur, as designers count it, for each standard deviation of its curve."""
_FAR: Final = 2.6
"""Standard deviations after which a shadow has ended."""
_STRETCHED: Final = 4
"""Pixels between the corners that are stretched to edges."""
_MOST_WHOLE: Final = 1024
"""Pixels of the longer side of a shadow that is painted whole."""
_MOST_IN_ONE: Final = 160
"""Pixels of the longer side of a thing whose shadow is kept in one piece. A board seen from afar has hundreds
of them, and eight pieces take longer than one with an empty middle. Large ones would take much memory."""

_Layers = tuple[Layer, ...]


@dataclass(frozen=True, slots=True)
class _Shadow:
    """A painted shadow; its lengths are pixels of the picture."""

    picture: QPixmap
    reach: int
    """Pixels beyond the thing at each side."""
    corner: int = 0
    """Side of the corners that must not be stretched."""


def reach(layers: _Layers) -> float:
    """Return how far a shadow goes beyond its thing at most, at scale 1."""
    return max((abs(layer.down) + layer.blur for layer in layers), default=0.0)


def paint_shadow(painter: QPainter, area: QRectF, layers: _Layers, radius: float) -> None:
    """Paint a shadow around an area with rounded corners, in the painter's coordinates."""
    world = painter.combinedTransform()  # down to the pixels of the screen
    scale = math.sqrt(abs(world.determinant()))
    if not layers or scale < _SMALLEST or area.isEmpty():
        return
    painter.save()
    if world.m12() == 0 == world.m21() and world.m11() > 0 and world.m22() > 0:
        ratio = painter.device().devicePixelRatio()
        painter.resetTransform()
        painter.scale(1 / ratio, 1 / ratio)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        seen = world.mapRect(area)
        left, top = round(seen.left()), round(seen.top())
        thing = QRect(left, top, round(seen.right()) - left, round(seen.bottom()) - top)
        _paint_in_pixels(painter, thing, layers, radius, _stepped(scale))
    else:
        _paint_turned(painter, area, layers, radius, scale)
    painter.restore()


def _paint_in_pixels(painter: QPainter, thing: QRect, layers: _Layers, radius: float, scale: float) -> None:
    kept = _nine(layers, radius, scale)
    width, height = thing.width(), thing.height()
    if min(width, height) // 2 + kept.reach < kept.corner:  # smaller than its blur: the corners do not meet
        whole = _whole(layers, radius, scale, width, height)
        painter.drawPixmap(thing.left() - whole.reach, thing.top() - whole.reach, whole.picture)
        return
    if max(width, height) <= _MOST_IN_ONE:
        put = _in_one(layers, radius, scale, width, height)
        painter.drawPixmap(thing.left() - kept.reach, thing.top() - kept.reach, put)
        return
    painter.translate(thing.left() - kept.reach, thing.top() - kept.reach)
    _paint_pieces(painter, kept, width, height)


def _paint_pieces(painter: QPainter, kept: _Shadow, width: int, height: int) -> None:
    """Paint the shadow of a thing of this size, which begins at the origin."""
    for target, source in _pieces(kept.reach, kept.corner, kept.picture.width(), width, height):
        painter.drawPixmap(target, kept.picture, source)


@lru_cache(maxsize=256)
def _in_one(layers: _Layers, radius: float, scale: float, width: int, height: int) -> QPixmap:
    """Return the eight pieces put together around an empty middle."""
    kept = _nine(layers, radius, scale)
    made = QPixmap(width + 2 * kept.reach, height + 2 * kept.reach)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    _paint_pieces(painter, kept, width, height)
    painter.end()
    return made


@lru_cache(maxsize=1024)
def _pieces(out: int, corner: int, side: int, width: int, height: int) -> tuple[tuple[QRect, QRect], ...]:
    """Return the eight pieces around a thing: where each lies in the shadow, and what it shows."""
    columns, rows, cuts = (_cuts(one, corner) for one in (width + 2 * out, height + 2 * out, side))
    return tuple(
        (
            QRect(columns[x][0], rows[y][0], columns[x][1], rows[y][1]),
            QRect(cuts[x][0], cuts[y][0], cuts[x][1], cuts[y][1]),
        )
        for y in range(3)
        for x in range(3)
        if not x == 1 == y
    )


def _paint_turned(painter: QPainter, area: QRectF, layers: _Layers, radius: float, scale: float) -> None:
    """Paint the shadow of a turned thing in one piece: nine would show their seams."""
    scale = _stepped(min(scale, _MOST_WHOLE / max(area.width(), area.height())))
    whole = _whole(layers, radius, scale, math.ceil(area.width() * scale), math.ceil(area.height() * scale))
    out = whole.reach / scale
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawPixmap(area.adjusted(-out, -out, out, out), whole.picture, QRectF(whole.picture.rect()))


def _cuts(length: int, corner: int) -> tuple[tuple[int, int], ...]:
    """Return beginnings and lengths of corner, edge and corner."""
    return (0, corner), (corner, length - 2 * corner), (length - corner, corner)


def _stepped(scale: float) -> float:
    step = float(2 ** (round(_STEPS * math.log2(scale)) / _STEPS))
    return min(max(step, _SMALLEST), _LARGEST)


@lru_cache(maxsize=128)
def _nine(layers: _Layers, radius: float, scale: float) -> _Shadow:
    """Make the shadow of a box that is as small as it can be."""
    core = math.ceil((radius + max(layer.blur for layer in layers)) * scale)
    side = 2 * core + _STRETCHED
    made = _painted(layers, radius, scale, side, side)
    return _Shadow(made.picture, made.reach, made.reach + core)


@lru_cache(maxsize=64)
def _whole(layers: _Layers, radius: float, scale: float, width: int, height: int) -> _Shadow:
    return _painted(layers, radius, scale, width, height)


def _painted(layers: _Layers, radius: float, scale: float, width: int, height: int) -> _Shadow:
    """Make the shadow of a box of this size in pixels."""
    out = math.ceil(reach(layers) * scale)
    made = QPixmap(width + 2 * out, height + 2 * out)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    for layer in layers:
        body = QRectF(out, out + layer.down * scale, width, height)
        painter.drawPixmap(QPointF(0, 0), _layer(made, body, layer, radius * scale, scale))
    painter.end()
    return _Shadow(made, out)


def _layer(onto: QPixmap, body: QRectF, layer: Layer, radius: float, scale: float) -> QPixmap:
    made = QPixmap(onto.size())
    made.fill(Qt.GlobalColor.transparent)
    sigma = max(layer.blur * scale / _SIGMA, 0.3)
    step, far = max(sigma / 10, 0.5), _FAR * sigma
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    painter.setPen(Qt.PenStyle.NoPen)
    out = far
    while out > -min(far, body.width() / 2, body.height() / 2):
        dark = layer.dark * 0.5 * math.erfc(out / (sigma * math.sqrt(2)))
        painter.setBrush(QColor(0, 0, 0, round(dark)))
        round_by = max(0.0, radius + out)
        painter.drawRoundedRect(body.adjusted(-out, -out, out, out), round_by, round_by)
        out -= step
    painter.end()
    return made
