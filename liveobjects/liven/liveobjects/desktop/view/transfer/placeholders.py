"""Placeholders for pictures that are still being read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen, QTextOption
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.look.view.labels import brief

_SIZE = QSizeF(220, 130)
_APART = 28.0
_MOST = 3
"""Placeholders at a time; further pictures are only counted."""
_LONGEST_NAME = 60


class PendingPicture(Protocol):
    """A picture, or a board of another program, that is being read."""

    @property
    def name(self) -> str: ...

    @property
    def spot(self) -> QPointF | None:
        """Where it was dropped on the plane; None if it was pasted."""


def paint_placeholders(
    painter: QPainter, camera: Camera, window: QRectF, coming: Sequence[PendingPicture]
) -> None:
    """Paint a placeholder for each picture. They have the same size at every zoom, so that you can read
    them."""
    shown = coming[:_MOST]
    for number, job in reversed(list(enumerate(shown))):
        more = len(coming) - len(shown) if number == 0 else 0
        _paint_place(painter, _area(camera, window, job, number), words(job.name, more))


def words(name: str, more: int) -> str:
    """Return the text of a placeholder, counting pictures without one."""
    also = f"\nand {more} more" if more else ""
    return f"{brief(name, _LONGEST_NAME) or 'The picture'} is being read…{also}\nPress Esc to stop"


def _area(camera: Camera, window: QRectF, job: PendingPicture, number: int) -> QRectF:
    area = QRectF(QPointF(0, 0), _SIZE)
    if job.spot is None:
        area.moveCenter(window.center() + QPointF(_APART, _APART) * number)
    else:
        area.moveCenter(camera.to_window(job.spot))
    return area


def _paint_place(painter: QPainter, area: QRectF, text: str) -> None:
    palette = QApplication.palette()
    painter.setBrush(palette.base())
    painter.setPen(QPen(palette.color(QPalette.ColorRole.Highlight), 2, Qt.PenStyle.DashLine))
    painter.drawRect(area)
    painter.setPen(palette.color(QPalette.ColorRole.Text))
    option = QTextOption(Qt.AlignmentFlag.AlignCenter)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    painter.drawText(area.adjusted(8, 8, -8, -8), text, option)
