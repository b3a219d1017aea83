"""The yardstick: a fixed piece of painting and computing, measured in the same run as the rest.

It says what this machine can do now, so a time divided by it holds on other machines and on a busy one, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from figure_report import Figure
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

ROUNDS = 30
_SIZE = (1600, 1000)
_BOXES = 200


def measure(rounds: int = ROUNDS) -> float:
    """Return the processor seconds of one piece: the least of several."""
    image = QImage(*_SIZE, QImage.Format.Format_RGB32)
    return min(_one(image) for _ in range(rounds))


def beside(yardstick: float, figures: Iterable[Figure]) -> Iterator[Figure]:
    """Yield the figures, and each time in milliseconds that has a target also as a multiple of the
    yardstick."""
    for one in figures:
        yield one
        if one.unit == "ms" and one.target is not None:
            yield Figure(f"{one.id}: of the yardstick", one.value / 1000 / yardstick, "x")


def _one(image: QImage) -> float:
    begun = time.process_time()
    image.fill(QColor("#f3f5f8"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for number in range(_BOXES):
        row, column = divmod(number, 20)
        painter.setBrush(QColor.fromHsv(number, 90, 240))
        painter.drawRoundedRect(QRectF(column * 80, row * 100, 70, 90), 6, 6)
    painter.end()
    sum(number * number % 7 for number in range(20_000))
    return time.process_time() - begun
