"""Undo of drops where it cannot be done at once, or has a step of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, Qt
from tests.gui.objects.desktop.test_drop_targets import CONTROL, Desk, pictures_in_folder, urls

from liven.app.palette.new_objects import note
from liven.liveobjects.new_objects import window
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room


@pytest.fixture
def desk(room: Room) -> Desk:
    return Desk(room)


def test_drop_from_before_a_restart_is_reported_and_not_skipped(desk: Desk) -> None:
    box, sun = pictures_in_folder(desk)
    assert desk.room.drop(desk.canvas, sun, desk.middle(box).toPoint())
    desk.room.wait(lambda: desk.inside(box).summary() == "sun.png")
    model = desk.view._model
    model.restore_undo(model.undo_data())  # as after a restart
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (desk.names(), desk.inside(box).summary()) == (["Page", "Box"], "sun.png")
    said = "“Put sun.png into Box” can no longer be undone: it was done before this desktop was opened here."
    assert desk.room.told.words[-1] == f"{said} Look for it there."
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert desk.names() == ["Page"]


def test_item_that_does_not_run_keeps_its_drop_until_it_is_in_view(desk: Desk) -> None:
    box, sun = pictures_in_folder(desk)
    assert desk.room.drop(desk.canvas, sun, desk.middle(box).toPoint())
    desk.room.wait(lambda: desk.inside(box).summary() == "sun.png")
    desk.canvas.camera.pan(QPointF(9000, 9000))
    desk.canvas.viewport_changed()
    desk.room.wait(lambda: desk.inside(box) is None)
    for _ in range(2):  # the step stays the next one
        desk.key(Qt.Key.Key_Z, CONTROL)
        assert desk.names() == ["Page", "Box"]
        said = "Box does not run now, so nothing was undone. Bring it into view and try again."
        assert desk.room.told.words.pop() == said


def test_object_put_into_a_window_is_removed_and_restored_by_undo_and_redo(desk: Desk) -> None:
    pane = desk.lay(window("Pane"), "Pane", 400, 200)
    page = desk.room.file("page.liveobject", write(note("Leaf")))
    assert desk.room.drop(desk.canvas, urls(page), desk.middle(pane).toPoint())
    desk.room.wait(lambda: desk.inside(pane).inner is not None)
    desk.canvas.edit(desk.canvas.state.items[pane])
    told: list[set[str]] = []
    desk.view.actions_changed.connect(lambda: told.append({one.words for one in desk.view.actions()}))
    for words, full in (("Take the object out", False), ("Undo putting in or taking out", True)):
        [action] = [one for one in desk.view.actions() if one.words == words]
        assert action.group == "Edit"
        action.run()
        desk.room.wait(partial(lambda wanted: (desk.inside(pane).inner is not None) == wanted, full))
        assert ("Find in note" in told[-1]) == full
    desk.canvas.leave_editing()
    assert "Take the object out" not in told[-1]
