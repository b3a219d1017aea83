"""The camera: points and areas between plane and window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from liven.liveobjects.desktop.view.camera import CLOSEST, FARTHEST, Camera


def test_camera_converts_points_there_and_back_within_its_limits() -> None:
    camera = Camera()
    camera.zoom_by(3, QPointF(50, 60))
    camera.pan(QPointF(-20, 7))
    point = QPointF(123, 45)
    there = camera.to_plane(camera.to_window(point))
    assert (there - point).manhattanLength() < 1e-9
    assert camera.transform().map(point) == camera.to_window(point)
    camera.zoom_by(1e9, point)
    assert camera.zoom == CLOSEST
    camera.zoom_by(1e-9, point)
    assert camera.zoom == FARTHEST


@pytest.mark.parametrize("area", [QRectF(0, 0, 0, 0), QRectF(-1e6, -1e6, 2e6, 2e6), QRectF(10, 10, 50, 50)])
def test_fitted_area_is_centred(area: QRectF) -> None:
    camera = Camera()
    camera.fit(area, QSizeF(400, 300))
    assert (camera.to_window(area.center()) - QPointF(200, 150)).manhattanLength() < 1e-3
    assert camera.zoom <= 1
