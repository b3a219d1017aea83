"""All islands: where they stand, their zoom, their looks, and that a nested desktop has none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from tests.gui.appearance.theme_reset import undress

from liven.app.appearance.settings import Appearance
from liven.app.appearance.theme import Theme
from liven.liveobjects.look.tokens import SMALLEST_HIT
from liven.liveobjects.look.view.island import Island
from liven.liveobjects.look.view.light import current_look


@pytest.fixture
def theme(qapp: Any, tmp_path: Any) -> Iterator[Theme]:
    blinks = qapp.cursorFlashTime()
    made = Theme(qapp, Appearance("normal", "full", "day"), {"XDG_CONFIG_HOME": str(tmp_path)})
    yield made
    made.setParent(None)
    made.deleteLater()
    undress(qapp, blinks)


@pytest.mark.parametrize("size", [(1440, 900), (900, 620), (640, 480)])
def test_no_island_covers_another_or_leaves_the_window(board: Any, size: tuple[int, int]) -> None:
    board.lay(0, 0)
    board.lay(5000, 3000)
    board.window.resize(*size)
    board.desk.wait(lambda: board.canvas.width() == size[0])
    board.canvas.minimap.wanted = True
    board.canvas.minimap.update_visibility()
    shown = [one for one in board.canvas.findChildren(Island) if one.isVisible()]
    assert len(shown) >= 5
    for one in shown:
        assert board.canvas.rect().contains(one.geometry()), one.accessibleName()
    for one, other in combinations(shown, 2):
        assert not one.geometry().intersects(other.geometry()), (one.accessibleName(), other.accessibleName())


def test_every_control_has_a_name_a_focus_and_room_for_a_finger(board: Any) -> None:
    board.canvas.select([board.lay(500, 400)])
    for island in board.canvas.findChildren(Island):
        for one in island.findChildren(QAbstractButton):
            if one.isVisible():
                assert one.accessibleName()
                assert one.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
                assert min(one.width(), one.height()) >= SMALLEST_HIT


def test_zoom_is_shown_and_changed(board: Any) -> None:
    board.lay(0, 0)
    board.lay(3000, 2000)
    zoom = board.islands.zoom
    assert zoom.percent.text() == "100 %"
    board.click(zoom.larger)
    assert zoom.percent.text() == "125 %"
    board.click(zoom.smaller)
    board.click(zoom.smaller)
    assert zoom.percent.text() == "80 %"
    board.click(zoom.percent)
    assert board.canvas.camera.zoom == 1
    board.click(zoom.all)
    assert board.canvas.camera.zoom < 0.5


def test_a_press_on_an_island_does_nothing_to_what_lies_below(board: Any) -> None:
    bar = board.islands.toolbar
    there = board.canvas.camera.to_plane(bar.geometry().center().toPointF())
    key = board.lay(there.x() - 100, there.y() - 75)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    QTest.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert key not in board.canvas.selected
    assert board.canvas.editing is None


@pytest.mark.parametrize("contrast", ["normal", "high"])
@pytest.mark.parametrize("light", ["day", "dusk"])
def test_islands_are_painted_in_every_look(board: Any, theme: Theme, light: str, contrast: str) -> None:
    theme.choose(Appearance(contrast, "reduced", light))
    QApplication.processEvents()
    look = current_look()
    picture = board.window.grab().toImage()
    bar = board.islands.toolbar
    corner = bar.mapTo(board.window, QPoint(4, bar.height() // 2))
    assert picture.pixelColor(corner).name() == look.island
    share = board.islands.people.findChildren(
        QAbstractButton, options=Qt.FindChildOption.FindChildrenRecursively
    )[-1]
    assert picture.pixelColor(share.mapTo(board.window, QPoint(5, 17))).name() == look.accent
    select = bar.buttons["Select"]
    ground = picture.pixelColor(select.mapTo(board.window, QPoint(5, 20))).name()
    assert ground == look.select_soft


def test_f6_goes_from_the_desktop_to_each_island_and_on(board: Any) -> None:
    board.canvas.setFocus()
    names = []
    for _ in range(8):
        board.key(Qt.Key.Key_F6)
        focused = QApplication.focusWidget()
        island = next((one for one in board.canvas.findChildren(Island) if one.isAncestorOf(focused)), None)
        names.append("" if island is None else island.accessibleName())
    assert {"Board", "People", "Tools", "Zoom", "Help", ""} <= set(names)
    assert names.index("Board") < names.index("People") < names.index("Zoom") < names.index("Tools")


def test_a_desktop_inside_a_desktop_has_no_islands(board: Any) -> None:
    key = board.lay(300, 200, "liven:desktop")
    board.desk.wait(lambda: board.canvas.item_views.view(key) is not None)
    board.canvas.edit(board.canvas.state.items[key])
    inner = board.canvas.item_views.widget(key)
    assert inner is not None
    assert inner.islands is None
    assert not [one for one in inner.findChildren(Island) if one.isVisible()]


def test_the_bar_and_the_tools_stay_above_an_entered_item(board: Any) -> None:
    key = board.lay(600, 700, "liven:text")
    board.desk.wait(lambda: board.canvas.item_views.view(key) is not None)
    board.canvas.edit(board.canvas.state.items[key])
    widget = board.canvas.item_views.widget(key)
    middle = board.islands.toolbar.geometry().center()
    over = board.canvas.childAt(middle)
    assert over is not widget
    assert not widget.isAncestorOf(over)


def test_what_was_removed_comes_back_by_the_button_of_the_message(board: Any) -> None:
    keys = [board.lay(300, 300), board.lay(700, 300)]
    board.canvas.select(keys)
    board.key(Qt.Key.Key_Delete)
    assert board.said == "2 items removed"
    button = board.window._message._more
    assert button.text() == "Undo"
    board.click(button)
    assert set(board.canvas.state.items) == set(keys)
