"""The timer of a desktop, by real keys and clicks."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from liven.liveobjects.desktop.view.islands.timer_island import OVER, clock_text

ALT_SHIFT = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier


def at(board: Any, now: float) -> Any:
    """Set the clock, and let the timer look at it."""
    board.canvas.timer_menu.clock = lambda: now
    island = board.canvas.islands.timer
    island._tick.timeout.emit()
    return island


@pytest.fixture
def menus(monkeypatch: pytest.MonkeyPatch) -> list[QMenu]:
    """The menus that were opened: the offscreen screen cannot show any."""
    opened: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: opened.append(menu))
    return opened


def choose(board: Any, menus: list[QMenu], words: str) -> None:
    """Press the keys of the timer, and choose an entry of its menu."""
    QTest.keyClick(board.canvas, Qt.Key.Key_T, ALT_SHIFT)
    [entry] = [one for one in menus[-1].actions() if one.text() == words]
    entry.trigger()
    QApplication.processEvents()


def test_a_timer_counts_down_is_lengthened_and_ends(board: Any, menus: list[QMenu]) -> None:
    at(board, 1000.0)
    choose(board, menus, "5 minutes")
    island = board.canvas.islands.timer
    assert island.isVisible()
    assert at(board, 1000.0).face.words == "05:00"
    assert at(board, 1061.5).face.words == "03:59"
    QTest.mouseClick(island.more, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert at(board, 1061.5).face.words == "04:59"
    board.canvas.grab()
    assert at(board, 1400.0).face.words == OVER
    assert island.isVisible(), "until somebody ends it"
    QTest.mouseClick(island.close_button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert island.isHidden()
    assert board.canvas.state.timer is None


def test_a_timer_is_undone_and_replaced(board: Any, menus: list[QMenu]) -> None:
    at(board, 1000.0)
    choose(board, menus, "1 minute")
    choose(board, menus, "10 minutes")
    assert at(board, 1000.0).face.words == "10:00"
    choose(board, menus, "One minute more")
    assert at(board, 1000.0).face.words == "11:00"
    QTest.keyClick(board.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()
    assert at(board, 1000.0).face.words == "10:00"
    choose(board, menus, "End the timer")
    assert board.canvas.islands.timer.isHidden()


def test_the_timer_stands_beside_the_other_islands(board: Any, menus: list[QMenu]) -> None:
    choose(board, menus, "1 minute")
    islands = board.canvas.islands
    for width in (800, 420):
        board.window.resize(width, 500)
        board.desk.wait(lambda width=width: board.canvas.width() <= width)
        for other in (islands.board, islands.people):
            assert not islands.timer.geometry().intersects(other.geometry())
        assert board.canvas.rect().contains(islands.timer.geometry())


def test_times_in_words() -> None:
    assert [clock_text(one) for one in (0.2, 59.0, 60.0, 3599.5, 3661.0)] == [
        "00:01",
        "00:59",
        "01:00",
        "1:00:00",
        "1:01:01",
    ]
