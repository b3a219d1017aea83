"""Drops on a nested desktop that is not entered: items go into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from tests.gui.objects.desktop.test_drop_targets import ALT, CONTROL, Desk, alone, urls

from liven.app.palette.new_objects import desktop, note
from liven.liveobjects.desktop import commands
from liven.liveobjects.folder.recipe import view_of_disk
from liven.liveobjects.text.recipe import written
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room


@pytest.fixture
def desk(room: Room) -> Desk:
    return Desk(room)


def labels(view: Any) -> list[str]:
    return sorted(item.label for item in view._model.editor.state.items.values())


def test_item_dragged_onto_a_desktop_moves_into_it_and_undo_brings_it_back(desk: Desk) -> None:
    page, table = desk.lay(alone("Page"), "Page", 0, 0), desk.lay(desktop("Table"), "Table", 400, 200)
    before = desk.canvas.grab().toImage()
    corner = (desk.middle(table) + QPointF(98, 70)).toPoint()
    desk.hold(desk.middle(page), desk.middle(table))
    assert desk.canvas.grab().toImage().pixelColor(corner) != before.pixelColor(corner), "a sign"
    desk.key(Qt.Key.Key_Escape)
    desk.drag(desk.middle(page), desk.middle(table))
    assert desk.names() == ["Table"]
    assert labels(desk.inside(table)) == ["Page"]
    assert desk.inside(table)._widget is None, "nothing runs in it until it is entered"
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert sorted(desk.names()) == ["Page", "Table"]
    assert labels(desk.inside(table)) == []
    assert desk.room.told.words[-1] == "Undone: Put into “Table”"
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert desk.names() == ["Table"]
    assert labels(desk.inside(table)) == ["Page"]
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (sorted(desk.names()), labels(desk.inside(table))) == (["Page", "Table"], [])


def test_alt_drag_puts_a_copy_into_it(desk: Desk) -> None:
    page, table = desk.lay(alone("Page"), "Page", 0, 0), desk.lay(desktop("Table"), "Table", 400, 200)
    desk.drag(desk.middle(page), desk.middle(table), ALT)
    assert (desk.names(), labels(desk.inside(table))) == (["Page", "Table"], ["Page"])


def test_several_items_keep_their_arrangement_and_cover_nothing(desk: Desk) -> None:
    desk.lay(alone("One"), "One", 0, 0)
    desk.lay(alone("Two"), "Two", 0, 200)
    table = desk.lay(desktop("Table"), "Table", 400, 200)
    desk.canvas.select(key for key in desk.canvas.state.items if key != table)
    desk.drag(desk.canvas.camera.to_window(QPointF(50, 75)), desk.middle(table))
    assert desk.names() == ["Table"]
    inner = desk.inside(table)._model.editor.state.items.values()
    places = {item.label: item.place for item in inner}
    assert places["Two"].y - places["One"].y == 200
    assert places["Two"].x == places["One"].x
    third = desk.lay(alone("Three"), "Three", 0, 0)
    desk.drag(desk.middle(third), desk.middle(table))
    [three] = [
        item.place for item in desk.inside(table)._model.editor.state.items.values() if item.label == "Three"
    ]
    assert not any(abs(three.x - one.x) < 200 and abs(three.y - one.y) < 150 for one in places.values())


def test_files_pictures_and_texts_dropped_on_it_are_added(desk: Desk) -> None:
    table = desk.lay(desktop("Table"), "Table", 400, 200)
    at = desk.middle(table).toPoint()
    page = desk.room.file("page.liveobject", write(note("Page")))
    assert desk.room.drop(desk.canvas, urls(page), at)
    assert desk.room.drop(desk.canvas, urls(desk.room.file("cat.png")), at)
    desk.room.wait(lambda: labels(desk.inside(table)) == ["Page", "cat.png"])
    assert desk.room.drop(desk.canvas, urls(desk.room.file("letter.txt", b"Dear Ann")), at)
    assert labels(desk.inside(table)) == ["Page", "cat.png", "letter"]
    assert desk.names() == ["Table"]


def test_item_that_does_not_fit_is_refused_with_the_reason_and_stays(desk: Desk) -> None:
    table = desk.lay(desktop("Table"), "Table", 400, 200)
    at = desk.middle(table).toPoint()
    bad = write(view_of_disk("Disk", "/tmp")).replace(b"liven:folder-view", b"nobody:knows")
    assert not desk.room.drop(desk.canvas, urls(desk.room.file("bad.liveobject", bad)), at)
    assert "cannot be put on a desktop" in desk.room.told.words.pop()
    assert not desk.room.drop(desk.canvas, urls(desk.room.file("x.bin", b"\0\1")), at)
    assert "cannot be put on a desktop" in desk.room.told.words.pop()
    desk.inside(table)._model.ready = False
    page = desk.lay(alone("Page"), "Page", 0, 0)
    desk.drag(desk.middle(page), desk.middle(table))
    assert "it is still loading" in desk.room.told.words.pop()
    assert sorted(desk.names()) == ["Page", "Table"]
    assert labels(desk.inside(table)) == []


def test_item_moved_in_it_since_stays_there_and_undo_says_so(desk: Desk) -> None:
    page, table = desk.lay(alone("Page"), "Page", 0, 0), desk.lay(desktop("Table"), "Table", 400, 200)
    desk.drag(desk.middle(page), desk.middle(table))
    inner = desk.inside(table)._model
    inner.editor.edit("Move", *commands.move(inner.editor.state, inner.editor.state.items, 10, 0).changes)
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert sorted(desk.names()) == ["Page", "Table"]
    assert labels(desk.inside(table)) == ["Page"]
    assert desk.room.told.words[-1].endswith("It also stays in “Table”; take it out there.")
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert (desk.names(), labels(desk.inside(table))) == (["Table"], ["Page"]), "it is there once"


def test_text_dropped_on_it_becomes_a_note(desk: Desk) -> None:
    table = desk.lay(desktop("Table"), "Table", 400, 200)
    data = QMimeData()
    data.setText("Dear Ann")
    assert desk.room.drop(desk.canvas, data, desk.middle(table).toPoint())
    [item] = desk.inside(table)._model.editor.state.items.values()
    assert item.reference.startswith(write(written("Dear Ann", "")).decode()[:60])
