"""An empty desktop: its picture, its words and its buttons."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from liven.liveobjects.desktop import commands


def labels(board: Any) -> list[str]:
    return [item.label for item in board.canvas.state.items.values()]


def button(board: Any, words: str) -> Any:
    return next(one for one in board.islands.empty.buttons if one.text() == words)


def test_an_empty_desktop_offers_three_beginnings_until_something_is_there(board: Any) -> None:
    empty = board.islands.empty
    assert [one.text() for one in empty.buttons if one.isVisible()] == [
        "Write a note",
        "Drop a picture",
        "Ask a question",
    ]
    board.click(button(board, "Write a note"))
    board.desk.wait(lambda: labels(board) == ["Note"])
    assert not empty.picture.isVisible()
    assert not any(one.isVisible() for one in empty.buttons)
    board.canvas.do(commands.remove(board.canvas.state, board.canvas.state.items.keys()))
    board.desk.wait(empty.picture.isVisible)


def test_a_question_is_a_vote(board: Any) -> None:
    board.click(button(board, "Ask a question"))
    board.desk.wait(lambda: labels(board) == ["Vote"])


def test_pictures_are_asked_for(board: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def ask(*words: object) -> tuple[list[str], str]:
        asked.append(words)
        return [], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", ask)
    board.click(button(board, "Drop a picture"))
    assert len(asked) == 1


def test_the_words_let_presses_through(board: Any) -> None:
    at = board.islands.empty.picture.geometry().center()
    at.setY(board.islands.empty.picture.y() + 20)
    assert board.canvas.childAt(at) is None
    QTest.mouseClick(board.canvas, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(board.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert board.window.insertion.popover is not None


def test_in_a_small_window_there_is_less_of_it(board: Any) -> None:
    empty = board.islands.empty
    for width, height, sheets, buttons in ((1300, 900, True, 3), (640, 500, False, 3), (400, 460, False, 2)):
        board.window.resize(width, height)
        board.desk.wait(lambda width=width: board.canvas.width() == width)
        seen = [one for one in empty.buttons if one.isVisible()]
        assert (empty.picture.has_sheets, len(seen)) == (sheets, buttons)
        tools = board.islands.toolbar.geometry()
        assert not any(one.geometry().intersects(tools) for one in seen)
        assert all(board.canvas.rect().contains(one.geometry()) for one in seen)


def test_the_buttons_are_reached_by_tab_and_have_names(board: Any) -> None:
    for one in board.islands.empty.buttons:
        assert one.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert one.accessibleName() == one.text()
    assert board.canvas.childAt(QPoint(5, board.canvas.height() // 2)) is None
