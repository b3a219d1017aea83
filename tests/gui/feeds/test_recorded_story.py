"""A story of one window: an object is recorded, changed, seen as it was, copied and restored."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from liven.app.begun.begun_objects import BegunObjects
from liven.app.palette.new_objects import desktop, note
from liven.liveobjects.desktop.state import Add, Item, Move, Place, Remove
from liven.liveobjects.feeds.recording_list import RecordingList
from liven.liveobjects.feeds.view.panel.feed_panel import FeedPanel
from liven.liveobjects.text.model import typed
from liven.runtime.reference.xml import write


def click(parent: QWidget, words: str) -> None:
    [found] = [one for one in parent.findChildren(QPushButton) if one.text().replace("&", "") == words]
    assert found.isEnabled(), words
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def model(window: Any) -> Any:
    return window.handle.proxy().instance


def live_note(desk: Any, name: str) -> Any:
    for one in desk.program.session.node.running.values():
        if hasattr(one.instance, "note") and one.path[-1:] == (name,):
            return one.instance
    return None


def edit(desk: Any, window: Any, *changes: Any) -> None:
    """Make a gesture on the live desktop, and wait until it is confirmed."""
    model(window).editor.edit("Do", *changes)
    desk.wait(lambda: model(window).editor.pending == 0)


def type_in(desk: Any, name: str, words: str) -> None:
    """Write at the beginning of the live note, and wait until it is confirmed."""
    desk.wait(lambda: live_note(desk, name) is not None and live_note(desk, name).note.begun)
    live_note(desk, name).note.edit("Type", typed(0, words))
    desk.wait(lambda: live_note(desk, name).note.pending == 0)


@pytest.fixture
def board(desk: Any) -> Any:
    """A window on a shared desktop with the feed panel."""
    window = desk.open(desktop("Open day"), "Open day")
    desk.wait(lambda: model(window).ready)
    desk.press(window, "Feeds")
    return window


def recorded(desk: Any, window: Any) -> int:
    """Return the number of records on the disk."""
    [found] = RecordingList(desk.folders.state / "feeds").read()
    return found.records


@pytest.mark.slow
def test_what_was_recorded_is_seen_copied_and_restored(desk: Any, board: Any) -> None:
    panel = board.findChild(FeedPanel)
    click(panel, "Record this object")
    assert "is being recorded" in panel.words.text()
    plan = Item("plan", "Plan", Place(40, 40, 240, 160), write(note("Plan")).decode(), 0)
    edit(desk, board, Add(plan))
    type_in(desk, "Plan", "doors at ten")
    before = plan.place
    desk.wait(lambda: recorded(desk, board) >= 4)  # two states at the beginning, and two changes
    edit(desk, board, Move("plan", Place(400, 300, 240, 160)))
    type_in(desk, "Plan", "ALL DIFFERENT ")
    edit(desk, board, Remove("plan"))
    desk.wait(lambda: recorded(desk, board) >= 7)
    click(panel, "Stop recording")
    desk.wait(lambda: not RecordingList(desk.folders.state / "feeds").read()[0].is_running)

    desk.press(board, "History")
    desk.wait(lambda: board.past.view is not None)
    view = board.past.view
    desk.wait(lambda: view.show is not None and view.page.stage.shown is not None)
    desk.wait(lambda: not view.show.playback.is_moving)
    for _ in range(3):
        view.page.bar.step(-1)
        desk.wait(lambda: not view.show.playback.is_moving)
    assert view.show.model.editor.state.items["plan"].place == before
    said = [one for one in desk.problems if "recording" in str(one)]
    assert not said, said

    click(view.page, "Copy this moment")
    desk.wait(lambda: len(desk.windows.open_windows) == 2)
    copy = desk.windows.open_windows[1]
    desk.wait(lambda: copy.handle is not None and model(copy).ready and model(copy).editor.state.items)
    assert model(copy).editor.state.items["plan"].place == before
    desk.wait(lambda: live_note(desk, "Plan") is not None and live_note(desk, "Plan").note.begun)
    assert live_note(desk, "Plan").note.text == "doors at ten"
    desk.wait(lambda: copy.file is not None)
    assert copy.file in [one.path for one in BegunObjects(desk.folders.data).all()]
    copy.close()

    click(view.page, "What changed")
    changes = view.page.changes
    desk.wait(lambda: changes.tree.topLevelItemCount() == 2)
    click(changes, "Restore all")
    desk.wait(lambda: board.past.view is None)
    desk.wait(lambda: "plan" in model(board).editor.state.items)
    assert model(board).editor.state.items["plan"].place == before
    desk.wait(lambda: live_note(desk, "Plan") is not None and live_note(desk, "Plan").note.begun)
    desk.wait(lambda: live_note(desk, "Plan").note.text == "doors at ten")
    assert model(board).editor.undo() == changes_name(view)
    assert "plan" not in model(board).editor.state.items


def changes_name(view: Any) -> str:
    return f"Restore {view.comparison.found_moment}"
