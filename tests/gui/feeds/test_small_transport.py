"""The transport in small windows: one row, and the rest behind three dots."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu
from tests.gui.feeds import past_window
from tests.gui.feeds.recorded import monday

from liven.liveobjects.feeds.view.past.island import SHADE


def opened(desk: Any, width: int, height: int) -> Any:
    return past_window.go_back(desk, past_window.opened(desk, monday(), width, height))


def names(view: Any, *, shown: bool) -> set[str]:
    row = view.page.bar.row
    parts = [one for one in row.findChildren(QAbstractButton) if one is not row.more]
    return {one.accessibleName() or one.text().replace("&", "") for one in parts if one.isVisible() is shown}


def entries(desk: Any, view: Any) -> dict[str, Any]:
    QTest.mouseClick(view.page.bar.row.more, Qt.MouseButton.LeftButton)
    desk.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu: Any = QApplication.activePopupWidget()
    return {one.text().replace("&", ""): one for one in menu.actions()}


def test_the_transport_takes_a_sixth_of_a_window_of_the_usual_size(desk: Any) -> None:
    view = opened(desk, 900, 620)
    seen = view.page.stage.island_height() - 2 * SHADE
    assert seen <= 620 / 6


@pytest.mark.qt_log_ignore("does not support (raise|grabbing the keyboard|grabbing the mouse)", extend=True)
def test_what_has_no_room_waits_behind_the_dots_and_works_there(desk: Any) -> None:
    view = opened(desk, 560, 420)
    row = view.page.bar.row
    assert {"Play", "One event back", "One event on", "Return to now"} <= names(view, shown=True)
    assert {"Begin again at the end", "Copy this moment"} <= names(view, shown=False)
    assert row.more.isVisible()
    assert row.more.geometry().right() < row.width()
    assert "Clock of the replay" not in entries(desk, view)
    QApplication.activePopupWidget().close()  # type: ignore[union-attr]
    entries(desk, view)["Begin again at the end"].trigger()
    assert view.show.playback.loop
    found = entries(desk, view)
    assert found["Begin again at the end"].isChecked()
    assert not found["Copy this moment"].isEnabled()  # its channel is in this process alone
    menu: Any = QApplication.activePopupWidget()
    menu.close()


@pytest.mark.qt_log_ignore("does not support (raise|grabbing the keyboard|grabbing the mouse)", extend=True)
def test_the_speed_is_a_menu_where_it_has_no_room(desk: Any) -> None:
    view = opened(desk, 900, 620)
    view.page.bar.setFixedWidth(view.page.bar.row.minimumSizeHint().width())
    desk.wait(lambda: not view.page.bar._speed.isVisible())
    menu = entries(desk, view)["Speed"].menu()
    assert [one.text() for one in menu.actions() if one.isChecked()] == ["1 ×"]
    next(one for one in menu.actions() if one.text() == "10 ×").trigger()
    assert view.show.playback.speed == 10
    found: Any = QApplication.activePopupWidget()
    found.close()


def test_words_that_grow_push_others_behind_the_dots(desk: Any) -> None:
    view = opened(desk, 900, 620)
    row = view.page.bar.row
    desk.wait(lambda: "24 Nov" in view.page.bar.clock.text())
    buttons = row.findChildren(QAbstractButton)
    desk.wait(lambda: all(one.width() >= one.sizeHint().width() for one in buttons if one.isVisible()))


def test_a_wide_window_shows_everything(desk: Any) -> None:
    view = opened(desk, 1500, 700)
    view.page.bar.setFixedWidth(1400)
    desk.wait(lambda: not view.page.bar.row.hidden)
    assert not view.page.bar.row.more.isVisible()


def test_the_focus_goes_to_the_dots_when_its_button_has_no_room_any_more(desk: Any) -> None:
    view = opened(desk, 1500, 700)
    row = view.page.bar.row
    view.page.bar.setFixedWidth(1400)
    loop = view.page.bar._buttons["loop"]
    desk.wait(row.isVisible)
    desk.wait(loop.isVisible)
    loop.setFocus()
    view.page.bar.setFixedWidth(420)
    desk.wait(lambda: not loop.isVisible())
    assert row.more.hasFocus()
