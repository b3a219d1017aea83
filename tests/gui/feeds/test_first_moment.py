"""The first moment of a recording, and steps within one time, by real keys and clicks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from tests.gui.feeds.past_window import go_back, opened, rest
from tests.gui.feeds.recorded import tuesday

from liven.liveobjects.desktop.state import Add, Item, Place


@pytest.fixture
def window(desk: Any) -> Iterator[Any]:
    """A window on a desktop that was there before its recording began."""
    yield opened(desk, tuesday())


def press(desk: Any, view: Any, key: Qt.Key) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key)
    rest(desk, view)


def button(parent: QWidget, words: str) -> QPushButton:
    [found] = [one for one in parent.findChildren(QPushButton) if one.text().replace("&", "") == words]
    return found


def rows_of(changes: Any) -> list[str]:
    groups = [changes.tree.topLevelItem(at) for at in range(changes.tree.topLevelItemCount())]
    return [group.child(at).text(0) for group in groups for at in range(group.childCount())]


def compare(desk: Any, view: Any) -> Any:
    QTest.mouseClick(button(view.page, "What changed"), Qt.MouseButton.LeftButton)
    changes = view.page.changes
    desk.wait(lambda: "differen" in changes.words.text())
    view.page.bar.slider.setFocus()
    return changes


def test_the_first_moment_shows_what_stood_there_and_says_that_the_recording_begins(
    desk: Any, window: Any
) -> None:
    view = go_back(desk, window)
    press(desk, view, Qt.Key.Key_Home)
    assert set(view.show.model.editor.state.items) == {"plan"}
    assert view.page.sentence.endswith("not live. The recording begins here. Esc returns.")
    changes = compare(desk, view)
    assert changes.words.text() == "The recording begins here. 1 difference."
    assert rows_of(changes) == ["−  “Programme” removed"]
    QTest.mouseClick(button(changes, "Restore all"), Qt.MouseButton.LeftButton)
    desk.wait(lambda: window.past.view is None)
    assert set(window.handle.proxy().instance.editor.state.items) == {"plan"}


def test_the_list_follows_steps_between_events_of_one_time(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    changes = compare(desk, view)
    changes._with.setCurrentIndex(1)  # the beginning of the recording
    desk.wait(lambda: changes.words.text() == "Nothing is different.")
    clock = view.page.bar.clock.text()
    press(desk, view, Qt.Key.Key_Left)
    desk.wait(lambda: rows_of(changes))
    [row] = rows_of(changes)
    assert row.startswith("+  “Crew” added")
    assert view.page.bar.clock.text() == clock
    press(desk, view, Qt.Key.Key_Right)
    desk.wait(lambda: changes.words.text() == "Nothing is different.")


def test_a_step_back_from_the_first_moment_stays_there(desk: Any, window: Any) -> None:
    window.handle.proxy().instance.editor.edit(
        "Add", Add(Item("late", "Late", Place(0, 0, 10, 10), "<broken", 3))
    )
    view = go_back(desk, window)
    press(desk, view, Qt.Key.Key_Home)
    press(desk, view, Qt.Key.Key_Left)
    assert view.show.playback.sequence == 2
    assert "The recording begins here" in view.page.sentence
    press(desk, view, Qt.Key.Key_Right)
    press(desk, view, Qt.Key.Key_Left)
    assert view.show.playback.sequence == 2
    assert "Before the first event of the recording" in view.page.sentence
    assert set(view.show.model.editor.state.items) == {"plan"}
