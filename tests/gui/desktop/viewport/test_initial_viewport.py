"""The initial viewport: all items, or the saved one, until the user moves it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF


def test_initial_viewport_shows_all_items(table: Any) -> None:
    table.lay("far", 4000, 4000)
    assert table.canvas.camera.seen(QSizeF(table.canvas.size())).contains(QRectF(4000, 4000, 100, 60))


def test_initial_viewport_of_too_many_items_shows_their_upper_left(table: Any) -> None:
    table.arrive(3000, 2000)
    table.arrive(12_000, 9_000)
    assert table.canvas.camera.zoom == 1
    assert (table.canvas.camera.corner.x(), table.canvas.camera.corner.y()) == (3000, 2000)


def test_initial_viewport_includes_late_items_unless_the_user_has_moved_it(table: Any) -> None:
    def seen(x: float, y: float) -> bool:
        return bool(table.canvas.camera.seen(QSizeF(table.canvas.size())).contains(QRectF(x, y, 100, 60)))

    table.arrive(1000, 0)
    table.arrive(0, 1000)
    assert seen(1000, 0)
    assert seen(0, 1000)
    table.canvas.zoom_and_view.go_to(QPointF(0, 0))
    table.arrive(2000, 0)
    assert not seen(2000, 0)


def test_viewport_stays_after_the_initial_one(table: Any) -> None:
    table.arrive(0, 0)
    table.bot.waitUntil(lambda: table.canvas.initial_viewport.over, timeout=60_000)
    before = table.canvas.camera.corner
    table.arrive(3000, 0)
    assert table.canvas.camera.corner == before


def test_new_item_in_view_does_not_move_the_viewport(table: Any) -> None:
    camera = table.canvas.camera
    table.arrive(100, 100)
    assert (camera.zoom, camera.corner) == (1, QPointF(0, 0))
    table.arrive(3000, 100)
    assert (camera.zoom, camera.corner) != (1, QPointF(0, 0)), "an item out of view moves it"
