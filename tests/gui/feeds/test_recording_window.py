"""The window of a recording: menus, commands by name, and messages, by real keys."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QStatusBar, QWidget
from tests.gui.feeds.recorded import monday, on_shared_board, shared_board, tuesday, written
from tests.unit.liveobjects.feeds.history.recordings import Recording

from liven.app.palette.command_palette import CommandPalette
from liven.app.time_travel.moment.comparison_pace import CancelledError, Pace
from liven.app.time_travel.recording_finder import recording_of_feed
from liven.app.time_travel.time_machine import TimeMachine
from liven.app.window.floating.toast import Toast
from liven.app.window.recordings.recording_window import RecordingWindow
from liven.runtime.reference.model import name_of

Opens = Callable[[Recording], Any]


@pytest.fixture
def opens(desk: Any) -> Iterator[Opens]:
    """A function that opens a recording of a desktop in a window of its own."""
    made: list[RecordingWindow] = []

    def opened(recording: Recording) -> Any:
        feed = written(on_shared_board(recording), desk.folders.state / "feeds", shared_board())
        found = recording_of_feed(feed)
        assert found is not None and found.thing is not None
        session = desk.program.session
        machine = TimeMachine(feed.parent, session.node, session.known, None, lambda _: "")
        window: Any = RecordingWindow(machine, found, found.thing)
        made.append(window)
        window.open()
        window.activateWindow()
        desk.wait(lambda: window.isActiveWindow() and window.view.show is not None)
        view = window.view
        desk.wait(lambda: view.page.stage.shown is not None and not view.show.playback.is_moving)
        return window

    yield opened
    for window in made:
        window.close()


@pytest.fixture
def window(opens: Opens) -> Any:
    return opens(monday())


def button(parent: QWidget, words: str) -> QPushButton:
    [found] = [one for one in parent.findChildren(QPushButton) if one.text().replace("&", "") == words]
    return found


def test_the_menu_time_has_the_commands_of_the_recording(desk: Any, window: Any) -> None:
    menus = {one.text().replace("&", ""): one.menu() for one in window.menuBar().actions()}
    assert list(menus) == ["File", "Time", "Help"]
    words = [one.text().partition("\t")[0] for one in menus["Time"].actions() if one.text()]
    assert words[:3] == ["Play or pause", "One event back", "One event on"]
    assert {"What changed", "Copy this moment", "Close"} <= set(words)
    next(one for one in menus["Time"].actions() if one.text().startswith("One event on")).trigger()
    desk.wait(lambda: window.view.show.playback.sequence == 1)


def test_the_first_moment_is_copied_with_what_stood_there(desk: Any, opens: Opens) -> None:
    window = opens(tuesday())
    copied: list[Any] = []
    window.copied.connect(lambda *made: copied.append(made[0]))
    copy = button(window, "Copy this moment")
    desk.wait(copy.isEnabled)
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    desk.wait(lambda: copied)
    assert name_of(copied[0]) == "Lighthouse open day (24 November 2025 08:00:00)"


def test_where_nothing_was_recorded_yet_copying_is_grey_with_the_reason(desk: Any, window: Any) -> None:
    copy = button(window, "Copy this moment")
    why = "nothing of it was recorded yet at this moment"
    desk.wait(lambda: why in copy.toolTip())
    assert not copy.isEnabled()
    menu = window.menuBar().actions()[1].menu()
    entry = next(one for one in menu.actions() if one.text() == "Copy this moment")
    menu.aboutToShow.emit()
    assert not entry.isEnabled()
    [command] = [one for one in window.actions_of_menus if one.words == "Copy this moment"]
    command.run()
    assert why in window.findChild(Toast).text()
    window.view.page.bar.slider.setFocus()
    QTest.keyClick(window.view.page.bar.slider, Qt.Key.Key_Right)
    desk.wait(copy.isEnabled)
    menu.aboutToShow.emit()
    assert entry.isEnabled()


def test_a_recording_in_which_nothing_happened_shows_what_stood_there(desk: Any, opens: Opens) -> None:
    recording = tuesday()
    del recording.records[2:]
    window = opens(recording)
    assert set(window.view.show.model.editor.state.items) == {"plan"}
    assert "The recording begins here" in window.view.page.sentence


def test_a_comparison_shows_how_far_it_is_and_is_cancelled(
    desk: Any, window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker waits in the middle until it is cancelled."""
    began, end = Event(), Event()

    def follow(pace: Pace) -> None:
        pace.events += 1
        began.set()
        while not pace.cancelled and not end.is_set():
            time.sleep(0.001)
        if pace.cancelled:
            raise CancelledError

    monkeypatch.setattr(Pace, "event", follow)
    window.view.page.bar.seek_end(1.0)
    desk.wait(lambda: window.view.show.playback.sequence == 7)
    window.view.page.set_comparing(True)
    changes = window.view.page.changes
    desk.wait(lambda: began.is_set() and changes.words.text() == "Comparing … 1 of 7 events")
    QTest.mouseClick(button(changes, "Cancel"), Qt.MouseButton.LeftButton)
    assert changes.words.text() == "The comparison was cancelled."
    end.set()
    QTest.mouseClick(button(changes, "Compare again"), Qt.MouseButton.LeftButton)
    desk.wait(lambda: "1 difference" in changes.words.text())


def test_commands_are_found_by_name(desk: Any, window: Any) -> None:
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_P, keys)
    desk.wait(lambda: window.findChild(CommandPalette) is not None)
    field = window.findChild(CommandPalette).findChild(QLineEdit)
    QTest.keyClicks(field, "to the end")
    QTest.keyClick(field, Qt.Key.Key_Return)
    desk.wait(lambda: window.view.show.playback.sequence == 7)
    assert QApplication.activeModalWidget() is None


def test_messages_float_over_the_page_and_there_is_no_status_bar(desk: Any, window: Any) -> None:
    window.view.message.emit("It is said.")
    toast = window.findChild(Toast)
    assert toast.isVisible() and toast.text() == "It is said."
    assert window.findChild(QStatusBar) is None
    island = window.view.page.stage
    assert toast.geometry().bottom() < window.height() - island.island_height() / 2
