"""The bar above the selection: what it offers, where it stands, and when it has gone."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from liven.liveobjects.desktop import commands


def bar(board: Any) -> Any:
    return board.islands.selection


def press(board: Any, name: str) -> None:
    board.click(bar(board).buttons[name])


def test_it_stands_above_the_selection_and_goes_with_it(board: Any) -> None:
    key = board.lay(500, 400)
    assert not bar(board).isVisible()
    board.canvas.select([key])
    assert bar(board).isVisible()
    area = bar(board).geometry()
    top = board.canvas.camera.to_window(QPointF(500, 400)).y()
    assert area.bottom() + 1 == round(top) - 12
    assert abs(area.center().x() - board.canvas.camera.to_window(QPointF(600, 400)).x()) <= 1
    board.canvas.select([])
    assert not bar(board).isVisible()


@pytest.mark.parametrize("at", [(20, 20), (1380, 30), (700, 820), (-150, 400), (-300, 500)])
def test_it_stays_in_the_window_and_off_the_other_islands(board: Any, at: tuple[int, int]) -> None:
    key = board.lay(*at)
    board.canvas.select([key])
    shown = bar(board)
    if not shown.isVisible():
        assert at[0] + 200 <= board.canvas.visible_area.left()
        return
    assert board.canvas.rect().contains(shown.geometry())
    assert not any(one.intersects(shown.geometry()) for one in board.islands.covered)


def test_it_is_hidden_while_something_is_dragged_or_edited(board: Any) -> None:
    key = board.lay(500, 400)
    board.desk.wait(lambda: board.canvas.item_views.view(key) is not None)
    board.canvas.select([key])
    seen: list[bool] = []
    board.canvas.collaborators.publish = lambda: seen.append(bar(board).isVisible())
    board.drag(QPointF(510, 540), QPointF(560, 560))
    assert not seen or not all(seen)
    assert bar(board).isVisible()
    board.key(Qt.Key.Key_Return)
    assert board.canvas.editing == key
    assert not bar(board).isVisible(), "a counter has no formats"
    board.key(Qt.Key.Key_Escape)
    assert bar(board).isVisible()


def focused() -> Any:
    return QApplication.focusWidget()


def note(board: Any) -> str:
    board.key(Qt.Key.Key_N)
    board.click(board.canvas, QPoint(600, 400))
    board.desk.wait(lambda: board.canvas.editing is not None)
    return str(board.canvas.editing)


def test_over_a_note_in_which_one_writes_it_has_formats(board: Any) -> None:
    key = note(board)
    assert {"Bold", "Italic", "Check list", "Link…", "Colour", "Size"} <= set(bar(board).buttons)
    page = focused()
    QTest.keyClicks(page, "tent")
    page.selectAll()
    press(board, "Bold")
    assert focused() is page, "one goes on writing"
    view = board.canvas.item_views.view(key)
    board.desk.wait(lambda: "font-weight:7" in page.toHtml() or "font-weight:6" in page.toHtml())
    assert view is not None


@pytest.mark.qt_log_ignore("does not support", extend=True)  # popups, offscreen
def test_the_paper_is_chosen_in_the_bar_and_undone(board: Any) -> None:
    key = note(board)
    board.key(Qt.Key.Key_Escape)
    before = bar(board).buttons["Colour"].grab().toImage()
    press(board, "Colour")
    menu: Any = QApplication.activePopupWidget()
    [mint] = [one for one in menu.actions() if one.text() == "Mint"]
    mint.trigger()
    menu.close()
    [choice] = [one for one in board.canvas.item_views.choices(key) if one.key == "paper"]
    assert choice.chosen() == "mint"
    board.desk.wait(lambda: bar(board).buttons["Colour"].grab().toImage() != before)
    board.canvas.undo()
    assert choice.chosen() == "sun"


@pytest.mark.qt_log_ignore("does not support", extend=True)  # popups, offscreen
def test_each_tool_for_one_item_does_what_it_says(board: Any) -> None:
    key = board.lay(500, 400)
    board.desk.wait(lambda: board.canvas.item_views.view(key) is not None)
    board.canvas.select([key])
    press(board, "Lock")
    assert board.canvas.state.items[key].locked
    assert "Draw a connector" not in bar(board).buttons, "what does not apply is not there"
    press(board, "Unlock")
    assert not board.canvas.state.items[key].locked
    press(board, "Draw a connector")
    assert board.canvas.held_tool.name == "Connector"
    board.key(Qt.Key.Key_Escape)
    press(board, "More")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    press(board, "Duplicate")
    board.desk.wait(lambda: len(board.canvas.state.items) == 2)
    board.canvas.select([key])
    press(board, "Edit")
    assert board.canvas.editing == key


def test_several_items_are_connected_grouped_and_ungrouped(board: Any) -> None:
    keys = [board.lay(300, 300), board.lay(600, 300)]
    board.canvas.select(keys)
    assert "Edit" not in bar(board).buttons
    press(board, "Connect or disconnect")
    assert len(board.canvas.state.links) == 1
    press(board, "Group")
    assert len({board.canvas.state.items[key].group for key in keys}) == 1
    press(board, "Ungroup")
    assert {board.canvas.state.items[key].group for key in keys} == {""}


def test_a_connector_is_removed_by_its_bar(board: Any) -> None:
    one, other = board.lay(300, 300), board.lay(700, 300)
    board.canvas.do(commands.connect(board.canvas.state, one, other))
    [link] = board.canvas.state.links.values()
    board.canvas.connectors.select(link)
    press(board, "Remove")
    assert not board.canvas.state.links


def test_tab_goes_through_the_bar_and_esc_back_to_the_desktop(board: Any) -> None:
    board.canvas.select([board.lay(500, 400)])
    buttons = list(bar(board).buttons.values())
    buttons[0].setFocus()
    board.key(Qt.Key.Key_Tab)
    assert buttons[1].hasFocus()
    board.key(Qt.Key.Key_Backtab)
    board.key(Qt.Key.Key_Backtab)
    assert buttons[-1].hasFocus(), "it goes round"
    board.key(Qt.Key.Key_Escape)
    assert board.canvas.hasFocus()
