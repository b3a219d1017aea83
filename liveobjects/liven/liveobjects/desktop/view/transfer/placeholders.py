"""What is about to lie on a desktop: a picture that is still being read has a place there at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen, QTextOption
from PySide6.QtWidgets import QApplication

from liven.liveobjects.image.view.upload_job import UploadJob
from liven.liveobjects.view.labels import brief

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_SIZE = QSizeF(220, 130)
_APART = 28.0
_MOST = 3
"""So many have a place; the others are counted."""
_LONGEST_NAME = 60


def paint_expected(painter: QPainter, canvas: Canvas, coming: Sequence[UploadJob]) -> None:
    """Paints a place for each, in the window: as large at every zoom, since it is there to be read."""
    shown = coming[:_MOST]
    for number, gift in reversed(list(enumerate(shown))):
        more = len(coming) - len(shown) if number == 0 else 0
        _paint_place(painter, _area(canvas, gift, number), words(gift.name, more))


def words(name: str, more: int) -> str:
    """What stands in the place of a picture, and of so many that have none."""
    also = f"\nand {more} more" if more else ""
    return f"{brief(name, _LONGEST_NAME) or 'The picture'} is being read…{also}\nEsc stops it"


def _area(canvas: Canvas, gift: UploadJob, number: int) -> QRectF:
    area = QRectF(QPointF(0, 0), _SIZE)
    if gift.spot is None:
        area.moveCenter(canvas.rect().toRectF().center() + QPointF(_APART, _APART) * number)
    else:
        area.moveCenter(canvas.camera.to_window(gift.spot))
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
