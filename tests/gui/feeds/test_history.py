"""The history that a program keeps of what its windows show, by real keys and clicks, without a recorder."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.feeds.past_window import go_back, rest
from tests.gui.feeds.recorded import note
from tests.gui.feeds.test_going_back import (
    button,
    compare,
    go_to,
    items_of,
    live_items,
    press,
    rows_of,
)

from liven.app.palette.new_objects import desktop
from liven.app.palette.new_objects import note as shared_note
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.recordings import Recordings
from liven.liveobjects.desktop.state import Add, Item, Move, Place
from liven.liveobjects.text.model import typed

PLAN = Item("plan", "Programme", Place(40, 40, 320, 200), note("plan"), 0)


def opened(desk: Any, thing: Any, name: str) -> Any:
    window = desk.open(thing, name)
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    desk.wait(lambda: window.handle.proxy().instance.ready)
    return window


def settled(desk: Any, window: Any) -> Any:
    """Wait until all changes are confirmed, and return the editor."""
    editor = window.handle.proxy().instance.editor
    desk.wait(lambda: not editor.pending)
    return editor


def moved(desk: Any, window: Any) -> None:
    """Place an item and move it twice."""
    editor = settled(desk, window)
    editor.edit("Add", Add(PLAN))
    for x in (100, 200):
        settled(desk, window).edit("Move", Move("plan", Place(x, 40, 320, 200)))
    settled(desk, window)


def records_of(desk: Any, window: Any) -> int:
    """Return the number of events and states in the history."""
    asked = desk.program.time_machine().find(window.recipe)
    desk.wait(lambda: asked.settled)
    return sum(one.records for one in asked.value())


def history_of(desk: Any, window: Any, records: int) -> None:
    """Begin the history now, and wait until so much is in it."""
    desk.program.histories.hasten(window.recipe)
    desk.wait(lambda: records_of(desk, window) >= records)


def went_back(desk: Any) -> tuple[Any, Any]:
    """Return the window of a board on which things were moved, and the view of its history."""
    window = opened(desk, desktop("Board", "board"), "board")
    moved(desk, window)
    history_of(desk, window, 4)
    return window, go_back(desk, window)


def test_a_desktop_that_nobody_recorded_has_a_history(desk: Any) -> None:
    window, view = went_back(desk)
    assert items_of(view)["plan"].place.x == 200
    press(Qt.Key.Key_Left)
    rest(desk, view)
    assert items_of(view)["plan"].place.x == 100
    desk.wait(lambda: "The last change is by" in view.page.sentence)
    press(Qt.Key.Key_Home)
    rest(desk, view)
    assert "The history on this computer begins here" in view.page.sentence
    press(Qt.Key.Key_Escape)
    assert window.past.view is None


def test_nobody_is_told_of_a_history_and_a_recorder_works_beside_it(desk: Any) -> None:
    window = opened(desk, desktop("Board", "board"), "board")
    history_of(desk, window, 0)
    moved(desk, window)
    history_of(desk, window, 4)
    recordings = desk.program.session.node.service(Recordings)
    system = desk.program.session.node.service(ChannelSystem)
    [channel] = [name for name in system.histories if system.session(name) is not None]
    assert not recordings.of(channel)
    desk.press(window, "Record or stop recording")
    desk.wait(lambda: desk.program.time_machine().recorders.title_of(window.recipe))
    desk.wait(lambda: system.archives)
    desk.press(window, "Record or stop recording")
    settled(desk, window).edit("Move", Move("plan", Place(300, 40, 320, 200)))
    settled(desk, window)
    view = go_back(desk, window)
    assert items_of(view).keys() == {"plan"}


def test_a_history_goes_on_after_a_restart_and_has_what_was_between(desk: Any) -> None:
    window = opened(desk, desktop("Board", "board"), "board")
    moved(desk, window)
    history_of(desk, window, 4)
    window.close()
    again = opened(desk, desktop("Board", "board"), "board")
    before = records_of(desk, again)
    settled(desk, again).edit("Move", Move("plan", Place(300, 40, 320, 200)))
    settled(desk, again)
    history_of(desk, again, before + 1)
    view = go_back(desk, again)
    assert items_of(view)["plan"].place.x == 300
    press(Qt.Key.Key_Left)
    rest(desk, view)
    assert items_of(view)["plan"].place.x == 200


def test_restoring_is_one_step_that_can_be_undone(desk: Any) -> None:
    window, view = went_back(desk)
    go_to(desk, view, view.show.source.begin)
    while not items_of(view) or items_of(view)["plan"].place.x != 40:
        press(Qt.Key.Key_Right)
        rest(desk, view)
    changes = compare(desk, view)
    assert any("Programme" in row for row in rows_of(changes))
    QTest.mouseClick(button(changes, "Restore all"), Qt.MouseButton.LeftButton)
    desk.wait(lambda: window.past.view is None)
    assert live_items(window)["plan"].place.x == 40
    window.view.widget().undo()
    assert live_items(window)["plan"].place.x == 200


def test_a_copy_of_a_moment_is_a_desktop_of_its_own(desk: Any) -> None:
    window, view = went_back(desk)
    press(Qt.Key.Key_Left)
    rest(desk, view)
    copy = button(view.page, "Copy this moment")
    desk.wait(copy.isEnabled)
    before = len(desk.windows.open_windows)
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    desk.wait(lambda: len(desk.windows.open_windows) > before)
    fork = desk.windows.open_windows[-1]
    desk.wait(lambda: fork.view is not None and live_items(fork))
    assert live_items(fork)["plan"].place.x == 100
    assert live_items(window)["plan"].place.x == 200


def test_a_note_has_a_history_of_its_own(desk: Any) -> None:
    window = opened(desk, shared_note("Note"), "note")
    model = window.handle.proxy().instance
    for word in ("one", " two"):
        end = len(model.note.text)
        model.note.edit("Typing", typed(end, word))
        desk.wait(lambda: not model.note.pending)
    history_of(desk, window, 3)
    view = go_back(desk, window)
    assert view.show.model.note.text == "one two"
    press(Qt.Key.Key_Left)
    rest(desk, view)
    assert view.show.model.note.text == "one"


def test_ctrl_h_right_after_opening_begins_the_history(desk: Any) -> None:
    window = opened(desk, desktop("Board", "board"), "board")
    moved(desk, window)
    view = go_back(desk, window)
    assert items_of(view).keys() == {"plan"}
