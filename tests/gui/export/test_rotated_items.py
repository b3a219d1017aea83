"""Pictures of a desktop with rotated items and long connector names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QTransform
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest

from liven.app.export.picture import copy_image, export
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.geometry import rect
from liven.runtime.reference.xml import write

WIDE, HIGH = 240.0, 180.0
MARGIN = 20
ACROSS, DOWN = 299.99, 288.19
"""From corner to corner of such a thing that is turned by 37 degrees."""
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def canvas(desk: Any, local_recipe: Any) -> Canvas:
    """A desktop with two notes, of which the upper left one is rotated."""
    window = desk.open(local_recipe("liven:desktop", "Table"))
    for name in ("a", "b"):
        window.view.insert(write(local_recipe("liven:text", name)).decode(), name)
    made: Canvas = window.centralWidget()
    desk.wait(lambda: all(made.item_views.view(key) is not None for key in made.state.items))
    places = [Place(0, 0, WIDE, HIGH, 37.0), Place(400, 300, WIDE, HIGH)]
    made.do(commands.place(made.state, dict(zip(keys(made), places, strict=True)), "Place"))
    desk.wait(lambda: made.state.items[keys(made)[0]].place == places[0])
    return made


def keys(canvas: Canvas) -> list[str]:
    """Return the keys of the rotated note and of the other one."""
    return [item.key for item in sorted(canvas.state.items.values(), key=lambda one: one.label)]


def png(canvas: Canvas, folder: Path, *, selection: bool) -> QImage:
    export(canvas, folder / "x.png", selection=selection)
    return QImage(str(folder / "x.png"))


def svg(canvas: Canvas, folder: Path, *, selection: bool) -> QImage:
    export(canvas, folder / "x.svg", selection=selection)
    drawn = QSvgRenderer(str(folder / "x.svg"))
    made = QImage(drawn.viewBox().size(), QImage.Format.Format_RGB32)
    made.fill(Qt.GlobalColor.white)
    painter = QPainter(made)
    drawn.render(painter)
    painter.end()
    return made


def copied(canvas: Canvas, folder: Path, *, selection: bool) -> QImage:
    del folder
    copy_image(canvas, selection=selection)
    return QGuiApplication.clipboard().image()


def covered(image: QImage) -> QRect:
    """Return the area that is not white."""
    white = Qt.GlobalColor.white
    dots = [
        (x, y) for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y) != white
    ]
    xs, ys = [x for x, _ in dots], [y for _, y in dots]
    return QRect(QPointF(min(xs), min(ys)).toPoint(), QPointF(max(xs), max(ys)).toPoint())


def margins(image: QImage) -> tuple[int, int, int, int]:
    """Return the white margins: left, top, right, bottom."""
    area = covered(image)
    return area.left(), area.top(), image.width() - area.right() - 1, image.height() - area.bottom() - 1


@pytest.mark.parametrize("taken", [png, svg, copied])
def test_a_picture_of_a_rotated_selection_includes_all_corners(
    canvas: Canvas, tmp_path: Path, taken: Callable[..., QImage]
) -> None:
    canvas.select(keys(canvas)[:1])
    image = taken(canvas, tmp_path, selection=True)
    assert abs(image.width() - ACROSS - 2 * MARGIN) <= 1
    assert abs(image.height() - DOWN - 2 * MARGIN) <= 1
    assert margins(image) == pytest.approx((MARGIN,) * 4, abs=2)


@pytest.mark.parametrize("taken", [png, svg, copied])
def test_a_picture_of_everything_includes_rotated_corners(
    canvas: Canvas, tmp_path: Path, taken: Callable[..., QImage]
) -> None:
    image = taken(canvas, tmp_path, selection=False)
    assert abs(image.width() - (640 + (ACROSS - WIDE) / 2) - 2 * MARGIN) <= 1
    assert margins(image) == pytest.approx((MARGIN,) * 4, abs=2)


def test_a_pdf_page_is_as_large_as_the_picture(canvas: Canvas, tmp_path: Path) -> None:
    canvas.select(keys(canvas)[:1])
    export(canvas, tmp_path / "x.pdf", selection=True)
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", (tmp_path / "x.pdf").read_bytes())
    assert found is not None
    points = [(side + 2 * MARGIN) * 72 / 96 for side in (ACROSS, DOWN)]
    assert [float(one) for one in found.groups()] == pytest.approx(points, abs=1)


@pytest.mark.parametrize("taken", [png, svg, copied])
def test_a_connector_name_beyond_its_items_is_not_cut(
    canvas: Canvas, tmp_path: Path, taken: Callable[..., QImage]
) -> None:
    """The items are narrow and one is below the other."""
    places = [Place(0, 0, 40, 40), Place(0, 150, 40, 40)]
    canvas.do(commands.place(canvas.state, dict(zip(keys(canvas), places, strict=True)), "Place"))
    canvas.do(commands.connect(canvas.state, *keys(canvas)))
    [link] = canvas.state.links.values()
    canvas.do(commands.rename_link(canvas.state, link.key, "what the one has to do with the other"))
    image = taken(canvas, tmp_path, selection=False)
    assert image.width() > 200
    assert min(margins(image)) >= MARGIN - 2


def test_zoom_to_fit_includes_rotated_corners(desk: Any, canvas: Canvas) -> None:
    place = Place(0, 0, 2000, 100, 90.0)
    canvas.do(commands.place(canvas.state, {keys(canvas)[0]: place}, "Place"))
    canvas.select(keys(canvas)[:1])
    canvas.setFocus()
    for key in (Qt.Key.Key_1, Qt.Key.Key_2):
        canvas.camera.zoom, canvas.camera.corner = 1.0, QPointF(0, 0)
        QTest.keyClick(canvas, key, SHIFT)
        turn = QTransform.fromTranslate(1000, 50).rotate(90).translate(-1000, -50)
        seen = canvas.camera.transform().mapRect(turn.mapRect(rect(replace(place, degrees=0.0))))
        assert canvas.rect().toRectF().contains(seen)
