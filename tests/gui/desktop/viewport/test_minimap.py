"""The minimap: when and where it appears, clicks on it, and the viewports of others."""

from __future__ import annotations

import uuid
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from liven.liveobjects.desktop.peer_delay import NOBODY
from liven.liveobjects.desktop.view.people.peer_colours import distance
from liven.liveobjects.desktop.wire import Gaze
from liven.liveobjects.look.view.light import current_look


def gaze(name: str = "Bob", **more: Any) -> Gaze:
    said: dict[str, Any] = {
        "window": uuid.uuid5(uuid.NAMESPACE_DNS, name), "name": name, "colour": "#1e8449", "left": 1000.0,
        "top": 0.0, "width": 400.0, "height": 300.0, "x": 200.0, "y": 200.0, "pointing": True, "chosen": [],
        "clock": 0.0, "answers": NOBODY, "answered": 0.0, "held": 0.0,
        **more,
    }  # fmt: skip
    return Gaze(**said)


def test_minimap_appears_when_an_item_is_out_of_view_and_disappears_again(table: Any) -> None:
    table.lay("a", 100, 100)
    assert not table.canvas.minimap.isVisible()
    far = table.lay("far", 4000, 4000)
    assert table.canvas.minimap.isVisible()
    table.canvas.select({far})
    table.canvas.remove_selected()
    assert not table.canvas.minimap.isVisible()


def test_minimap_takes_a_free_corner_or_waits_until_it_is_requested(table: Any) -> None:
    minimap = table.canvas.minimap
    table.lay("a", 300, 100)
    table.lay("far", 4000, 4000)
    right = minimap.pos()
    table.lay("lower right", 650, 500)
    assert minimap.isVisible()
    assert minimap.pos().x() < right.x()
    table.lay("wide", 0, 450, 800, 100)
    assert minimap.pos().y() < right.y()
    assert minimap.isVisible()
    table.lay("everywhere", 0, 0, 800, 600)
    assert not minimap.isVisible()
    table.key(Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert minimap.isVisible()
    table.key(Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert not minimap.isVisible()


def test_minimap_stays_while_the_plane_moves_and_then_takes_a_free_corner(table: Any) -> None:
    minimap = table.canvas.minimap
    table.lay("a", 300, 100)
    table.lay("far", 4000, 4000)
    table.lay("near", 650, 800)
    before = minimap.pos()
    start, end = QPointF(100, 400), QPointF(100, 100)
    table.press(start, button=Qt.MouseButton.MiddleButton)
    table.move(end, button=Qt.MouseButton.MiddleButton)
    assert table.canvas.is_moving
    assert minimap.pos() == before
    table.release(end, button=Qt.MouseButton.MiddleButton)
    table.bot.waitUntil(lambda: minimap.pos() != before, timeout=60_000)
    assert minimap.isVisible()


def test_click_and_drag_on_the_minimap_move_the_viewport(table: Any) -> None:
    table.lay("a", 0, 0)
    table.lay("far", 4000, 0)
    minimap = table.canvas.minimap
    minimap.grab()
    at = QPoint(150, 60)
    wanted = minimap.to_plane(QPointF(at))
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=at)
    middle = table.canvas.camera.to_plane(QPointF(table.canvas.rect().center()))
    assert (middle - wanted).manhattanLength() < 1


def test_minimap_shows_the_viewports_of_others_in_their_colours(table: Any) -> None:
    table.lay("a", 0, 0)
    table.lay("far", 4000, 3000)
    minimap = table.canvas.minimap
    plain = minimap.grab().toImage()
    table.desktop.instance.shown("bob", gaze(left=1000.0, top=1000.0, width=1500.0, height=1000.0))
    shown = minimap.grab().toImage()
    corner = minimap.to_plane(QPointF(0, 0))
    scale = (minimap.to_plane(QPointF(100, 0)) - corner).x() / 100
    at = (QPointF(1750, 1000) - corner) / scale  # the middle of the upper edge of Bob's viewport
    wanted = QColor("#1e8449").hue()

    def has_edge(image: QImage) -> bool:
        edge = (QColor(image.pixel(round(at.x()), round(at.y()) + by)) for by in (-1, 0, 1))
        return any(abs(colour.hue() - wanted) < 25 for colour in edge)

    assert has_edge(shown)
    assert not has_edge(plain)
    table.desktop.instance.gone("bob")
    assert minimap.grab().toImage() == plain


def test_own_viewport_has_the_thicker_line_on_the_minimap(table: Any) -> None:
    table.lay("a", 100, 100)
    table.lay("far", 4000, 4000)
    own = QColor(current_look().select)
    table.desktop.instance.shown(
        "bob", gaze(colour=own.name(), left=2000.0, top=2000.0, width=900, height=900)
    )
    minimap = table.canvas.minimap
    image = minimap.grab().toImage()
    seen, transform = minimap._canvas.visible_area, minimap._transform()
    mine = transform.mapRect(seen)
    theirs = transform.mapRect(QRectF(2000, 2000, 900, 900))

    def wide(area: QRectF) -> int:
        y = round(area.center().y())
        across = (image.pixelColor(round(area.left()) + by, y) for by in range(-3, 4))
        return sum(distance(one, own) < 30 for one in across)

    assert wide(mine) >= 1  # of two pixels, one may be mixed with what lies beside it
    assert wide(theirs) == 0
