"""Messages over the foot of a window: what they say, where they stand, how long, and their one button."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.look.view.light import REDUCED_MOTION, current_look
from liven.liveobjects.view.contract import DETAILS


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Any]:
    made = ObjectWindow("desk")
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show_words("Contents")
    made.show()
    yield made


def toast(window: Any) -> Any:
    return window._message


def test_a_message_stands_in_the_middle_at_the_foot_and_is_44_high(window: Any) -> None:
    window.show_message("Saved.")
    shown = toast(window)
    assert shown.isVisible()
    assert shown.height() == 44
    page = window.centralWidget().geometry()
    assert abs(shown.geometry().center().x() - page.center().x()) <= 1
    assert page.contains(shown.geometry())


def test_a_long_message_is_shown_whole(window: Any) -> None:
    window.show_message("A long sentence about what went wrong, and where, and what to do. " * 8)
    shown = toast(window)
    assert shown.height() >= shown.heightForWidth(shown.width())
    assert window.centralWidget().geometry().contains(shown.geometry())
    window.resize(500, 700)
    QApplication.processEvents()
    QApplication.processEvents()
    assert window.centralWidget().geometry().contains(shown.geometry())


def test_over_a_desktop_it_stands_above_the_tools(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Board"))
    window.show_message("Saved.")
    bar = window.centralWidget().islands.toolbar
    foot = bar.mapTo(window, bar.rect().topLeft()).y()
    desk.wait(lambda: toast(window).geometry().bottom() + 1 == foot - 12)


def test_its_button_does_what_it_says_once(window: Any) -> None:
    done: list[str] = []
    window.show_act("3 notes moved", "Undo", lambda: done.append("undo"))
    button = toast(window)._more
    assert (button.text(), button.isVisible()) == ("Undo", True)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == ["undo"]
    assert not toast(window).isVisible()
    window.show_message("Plain.")
    assert not button.isVisible()


def test_details_are_shown_on_request(window: Any) -> None:
    window.show_message(f"It failed.{DETAILS}line 3")
    button = toast(window)._more
    assert button.text() == "Details"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "line 3" in toast(window).text()
    assert toast(window).isVisible()
    assert not button.isVisible()


def test_it_stays_under_the_mouse_and_goes_afterwards(window: Any) -> None:
    window.show_message("Saved.")
    shown = toast(window)
    assert shown._timer.isActive()
    at = shown.rect().center().toPointF()
    QApplication.sendEvent(shown, QEnterEvent(at, at, shown.mapToGlobal(at)))
    assert not shown._timer.isActive()
    QApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    assert shown._timer.isActive()


def test_it_has_the_colours_of_the_look(window: Any) -> None:
    window.show_message("Saved.")
    shown = toast(window)
    picture = shown.grab().toImage()
    assert picture.pixelColor(6, 22).name() == current_look().toast


def test_closing_it_by_key_gives_the_focus_back(window: Any) -> None:
    window.centralWidget().setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.show_message("Saved.")
    toast(window)._close.setFocus()
    QTest.keyClick(toast(window)._close, Qt.Key.Key_Space)
    assert not toast(window).isVisible()
    assert window.centralWidget().hasFocus()


def test_there_is_no_status_bar(window: Any) -> None:
    from PySide6.QtWidgets import QStatusBar

    window.show_message("Saved.")
    assert not window.findChildren(QStatusBar)


@pytest.mark.parametrize("reduced", [False, True])
def test_a_message_slides_into_its_place_unless_motion_is_reduced(
    window: Any, qtbot: QtBot, qapp: QApplication, reduced: bool
) -> None:
    qapp.setProperty(REDUCED_MOTION, reduced)
    try:
        window.show_message("Saved.")
        first = toast(window).y()
        qtbot.waitUntil(lambda: not toast(window)._moves.is_moving("comes"), timeout=60_000)
        last = toast(window).y()
        assert (first == last) if reduced else (first > last)
        window.show_message("Saved again.")
        assert toast(window).y() == last, "one that is there already stays where it is"
    finally:
        qapp.setProperty(REDUCED_MOTION, None)
