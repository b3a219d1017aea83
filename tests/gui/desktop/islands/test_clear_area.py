"""Items come to lie where no island covers them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.runtime.reference.xml import write


def seen(board: Any, key: str) -> QRectF:
    place = board.canvas.state.items[key].place
    area = QRectF(place.x, place.y, place.width, place.height)
    found: QRectF = board.canvas.camera.transform().mapRect(area)
    return found


def is_covered(board: Any, key: str) -> bool:
    return any(seen(board, key).intersects(QRectF(one)) for one in board.islands.covered)


def test_a_first_item_in_the_corner_is_not_beneath_the_name(board: Any) -> None:
    recipe = write(board._recipe("liven:shared-counter", "First")).decode()
    key, command = commands.add(board.canvas.state, recipe, "First", Place(0, 0, 200, 150))
    assert board.canvas.do(command)
    assert not is_covered(board, key)


def test_zoom_to_fit_keeps_clear_of_the_islands(board: Any) -> None:
    first, last = board.lay(300, 200), board.lay(3000, 2400)
    board.key(Qt.Key.Key_Exclam, Qt.KeyboardModifier.ShiftModifier)
    board.canvas.zoom_and_view.zoom_to_fit()
    assert not is_covered(board, first)
    assert not is_covered(board, last)
    assert board.canvas.clear_area.contains(seen(board, first).united(seen(board, last)))


def test_what_is_pasted_finds_room_beside_the_islands(board: Any) -> None:
    canvas = board.canvas
    board.lay(300, 200)
    clear = canvas.clear_area
    canvas.camera.pan(QPointF(0, 0))
    middle = QRectF(0, 0, clear.width() - 300, clear.height() - 120)
    middle.moveCenter(canvas.camera.to_plane(clear.center()))
    board.lay(middle.x(), middle.y())
    wide = Place(middle.x(), middle.y(), middle.width(), middle.height())
    [big] = [key for key, item in canvas.state.items.items() if item.place.x == middle.x()]
    canvas.do(commands.place(canvas.state, {big: wide}, "Place"))
    before = set(canvas.state.items)
    canvas.held_tool.take("Vote")
    board.key(Qt.Key.Key_Return)
    [new] = set(canvas.state.items) - before
    assert not is_covered(board, new)


def test_an_item_put_at_the_foot_is_brought_above_the_toolbar(board: Any) -> None:
    board.click(board.islands.toolbar.buttons["Vote"])
    board.click(board.canvas, QPoint(300, 800))
    [key] = board.canvas.selected
    assert not is_covered(board, key)
