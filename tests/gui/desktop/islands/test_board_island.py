"""The island with the name of the desktop, undo and redo."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu


def focused() -> Any:
    return QApplication.focusWidget()


def popup() -> Any:
    return QApplication.activePopupWidget()


def field(board: Any) -> Any:
    [found] = [one for one in board.islands.board.findChildren(QLineEdit) if one.isVisible()]
    return found


def begin(board: Any) -> Any:
    board.click(board.islands.board.name, QPoint(20, 17))
    return field(board)


def test_the_name_is_edited_in_place_and_undone(board: Any) -> None:
    island = board.islands.board
    assert island.name.text() == "Board"
    begin(board)
    QTest.keyClicks(focused(), "Open day")
    board.key(Qt.Key.Key_Return)
    assert board.canvas.state.title == "Open day"
    assert island.name.text() == "Open day"
    assert board.window.windowTitle() == "Open day — Liven"
    assert board.canvas.hasFocus()
    board.click(island.undo)
    assert island.name.text() == "Board"
    board.click(island.redo)
    assert island.name.text() == "Open day"


def test_esc_and_an_empty_name_change_nothing(board: Any) -> None:
    begin(board)
    QTest.keyClicks(focused(), "Other")
    board.key(Qt.Key.Key_Escape)
    assert board.canvas.state.title == ""
    begin(board)
    board.key(Qt.Key.Key_Delete)
    board.key(Qt.Key.Key_Return)
    assert board.canvas.state.title == ""
    assert board.islands.board.name.text() == "Board"


def test_a_click_elsewhere_keeps_the_new_name(board: Any) -> None:
    begin(board)
    QTest.keyClicks(focused(), "Harbour")
    board.click(board.canvas, QPoint(700, 400))
    assert board.canvas.state.title == "Harbour"


def test_a_name_by_somebody_else_is_shown_as_it_is(board: Any) -> None:
    from liven.liveobjects.desktop import commands

    board.canvas.do(commands.retitle(board.canvas.state, "<b>Sea & land</b>"))
    assert board.islands.board.name.text() == "<b>Sea & land</b>"


def test_undo_and_redo_are_grey_while_they_would_do_nothing(board: Any) -> None:
    island = board.islands.board
    assert not island.undo.isEnabled()
    key = board.lay(300, 300)
    assert island.undo.isEnabled()
    assert not island.redo.isEnabled()
    board.click(island.undo)
    assert key not in board.canvas.state.items
    assert island.redo.isEnabled()
    board.click(island.redo)
    assert key in board.canvas.state.items


@pytest.mark.qt_log_ignore("does not support", extend=True)  # popups, offscreen
def test_the_arrow_and_the_key_down_open_the_menu_of_the_board(board: Any) -> None:
    name = board.islands.board.name
    board.click(name, QPoint(name.width() - 8, 17))
    shown = QApplication.activePopupWidget()
    assert isinstance(shown, QMenu)
    assert any("Export" in one.text() for one in shown.actions())
    shown.close()
    name.setFocus()
    board.key(Qt.Key.Key_Down)
    assert isinstance(popup(), QMenu)
    popup().close()


def test_return_on_the_name_edits_it(board: Any) -> None:
    board.islands.board.name.setFocus()
    board.key(Qt.Key.Key_Return)
    assert field(board).hasFocus()
