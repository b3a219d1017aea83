"""The structure of a painted face: its runs of text with their places, and the colours at points."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

Paint = Callable[[QPainter, QRectF], object]
_GROUP = re.compile(r'<g [^>]*?transform="matrix\(([^)]*)\)"[^>]*>(.*?)</g>', re.DOTALL)
_TEXT = re.compile(r'<text fill="([^"]*)"[^>]*? x="([^"]*)" y="([^"]*)"[^>]*>(.*?)</text>', re.DOTALL)


class Run(NamedTuple):
    """One run of text, with the start of its base line."""

    text: str
    x: float
    y: float
    ink: str


def runs(paint: Paint, width: float, height: float) -> list[Run]:
    """Return the runs of text that are painted into an area at the origin, in the order of painting."""
    stored = QByteArray()
    buffer = QBuffer(stored)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    device = QSvgGenerator()
    device.setOutputDevice(buffer)
    device.setSize(QSize(round(width), round(height)))
    painter = QPainter(device)
    paint(painter, QRectF(0, 0, width, height))
    painter.end()
    found: list[Run] = []
    for matrix, inside in _GROUP.findall(bytes(stored.data()).decode()):
        scale_x, _, _, scale_y, right, down = map(float, matrix.split(","))
        for ink, x, y, text in _TEXT.findall(inside):
            place = float(x) * scale_x + right, float(y) * scale_y + down
            found.append(Run(unescape(text), *place, ink))
    return found


def texts(paint: Paint, width: float, height: float) -> list[str]:
    """Return the runs of text alone."""
    return [run.text for run in runs(paint, width, height)]


def picture(paint: Paint, width: int, height: int) -> QImage:
    """Return a picture of the face, on a ground that no look has."""
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(QColor("#ff00ff"))
    painter = QPainter(made)
    paint(painter, QRectF(0, 0, width, height))
    painter.end()
    return made
