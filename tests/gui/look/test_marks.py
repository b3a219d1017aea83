"""Boxes, rings, handles and corners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from liven.liveobjects.look.contrast import MARK, contrast
from liven.liveobjects.look.tokens import DAY, DUSK, HIGH_DARK, Look
from liven.liveobjects.look.view import marks

AREA = QRectF(30, 30, 60, 40)


def painted(paint: Callable[[QPainter], object], ground: str = "#00000000") -> QImage:
    picture = QImage(120, 100, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(QColor(ground))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter)
    painter.end()
    return picture


def test_a_box_has_its_edge_inside_and_round_corners(qapp: Any) -> None:
    seen = painted(lambda p: marks.paint_box(p, AREA, 10, "#ffffff", "#ff0000", 2))
    assert seen.pixelColor(60, 30).name() == seen.pixelColor(60, 31).name() == "#ff0000"
    assert seen.pixelColor(60, 32).name() == "#ffffff"
    assert seen.pixelColor(60, 29).alpha() == 0
    assert seen.pixelColor(31, 31).alpha() == 0


@pytest.mark.parametrize("look", [DAY, DUSK, HIGH_DARK], ids=lambda look: look.name)
@pytest.mark.parametrize("paper", ["sun", "slate", "paper"])
def test_a_ring_is_seen_on_every_paper(qapp: Any, look: Look, paper: str) -> None:
    sheet = look.papers[paper].sheet
    seen = painted(lambda p: marks.paint_ring(p, AREA, 3, look), sheet)
    column = [seen.pixelColor(60, y).name() for y in range(22, 32)]
    assert look.select in column
    beside = [column[column.index(look.select) - 1], column[len(column) - column[::-1].index(look.select)]]
    assert all(contrast(look.select, one) >= 2.0 for one in beside)
    if look.high_contrast:
        assert contrast(look.select, sheet) >= MARK


def test_a_ring_may_have_the_colour_of_a_person(qapp: Any) -> None:
    seen = painted(lambda p: marks.paint_ring(p, AREA, 10, DAY, DAY.people[1], 1.75))
    names = {seen.pixelColor(60, y).name() for y in range(20, 35)}
    assert DAY.people[1] in names
    assert DAY.select not in names


@pytest.mark.parametrize("paint", [marks.paint_handle, marks.paint_dot, marks.paint_knob])
def test_handles_are_small_and_in_the_colour_of_the_selection(qapp: Any, paint: Any) -> None:
    seen = painted(lambda p: paint(p, QPointF(60, 50), DAY))
    places = [(x, y) for x in range(120) for y in range(100) if seen.pixelColor(x, y).alpha() > 128]
    width = max(x for x, _ in places) - min(x for x, _ in places) + 1
    assert 9 <= width <= 24
    assert DAY.select in {seen.pixelColor(x, y).name() for x, y in places}


def test_corners_are_erased_smoothly_and_nothing_else(qapp: Any) -> None:
    def paint(painter: QPainter) -> None:
        painter.fillRect(AREA, QColor("#ff0000"))
        marks.clear_corners(painter, AREA, 10)

    seen = painted(paint)
    for x, y in ((30, 30), (89, 30), (30, 69), (89, 69)):
        assert seen.pixelColor(x, y).alpha() == 0
    for x, y in ((40, 30), (60, 50), (30, 45), (89, 45), (60, 69)):
        assert seen.pixelColor(x, y).alpha() == 255
    alphas = {seen.pixelColor(x, y).alpha() for x in range(30, 40) for y in range(30, 40)}
    assert len(alphas) > 4, "the arc is smooth"


def test_corners_without_a_radius_stay(qapp: Any) -> None:
    def paint(painter: QPainter) -> None:
        painter.fillRect(AREA, QColor("#ff0000"))
        marks.clear_corners(painter, AREA, 0)

    assert painted(paint).pixelColor(30, 30).alpha() == 255


def test_a_line_inside_has_one_width_at_every_zoom(qapp: Any) -> None:
    def paint(painter: QPainter) -> None:
        painter.scale(0.5, 0.5)
        marks.paint_line_inside(painter, QRectF(60, 60, 120, 80), 0, "#ff0000", 2)

    seen = painted(paint)
    assert [seen.pixelColor(60, y).alpha() > 200 for y in range(28, 34)] == [False, False, True, True] + [
        False
    ] * 2
