"""Drops on a nested desktop that is not entered: items go into it."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from tests.gui.objects.desktop.test_drop_targets import ALT, CONTROL, Desk, alone, urls
from tests.gui.objects.desktop.test_foreign_boards import element

from liven.app.palette.new_objects import desktop, note
from liven.liveobjects.desktop import commands
from liven.liveobjects.folder.recipe import folder, view_of_disk
from liven.liveobjects.icons.object_kind import kind_of
from liven.liveobjects.image.object import ImageObject
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


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><rect width="9" height="9"/></svg>'


def board(room: Room) -> Any:
    """Return the file of a board with two boxes, an arrow between them, and a picture."""
    picture = "data:image/png;base64," + b64encode(room.file_bytes(room.picture())).decode()
    elements = [
        element("rectangle", "a", x=100, y=100),
        element("rectangle", "b", x=400, y=100),
        element("arrow", "c", startBinding={"elementId": "a"}, endBinding={"elementId": "b"}),
        element("image", "i", x=100, y=300, fileId="f"),
    ]
    found = {"type": "excalidraw", "elements": elements, "files": {"f": {"dataURL": picture}}}
    return room.file("plan.excalidraw", json.dumps(found).encode())


def pictures(desk: Desk) -> list[Any]:
    """Return the pictures that everybody sees, as far as their images run."""
    running = (process.node.running.values() for process in desk.room.house.processes)
    models = [proxy.instance for each in running for proxy in each if isinstance(proxy.instance, ImageObject)]
    return [one.editor.confirmed.seen for one in models if one.editor.confirmed.shown]


def test_files_of_other_programs_dropped_on_it_go_into_it(desk: Desk) -> None:
    desk.lay(alone("Page"), "Page", 0, 0)
    table = desk.lay(desktop("Table"), "Table", 400, 200)
    at = desk.middle(table).toPoint()
    inner = desk.inside(table)._model.editor
    assert desk.room.drop(desk.canvas, urls(board(desk.room)), at)
    desk.room.wait(lambda: len(inner.state.items) == 3)
    assert len(inner.state.links) == 1
    desk.room.wait(lambda: len(pictures(desk)) == 1)
    rows = desk.room.file("peaks.csv", b"name;height\nEiger;3967\n")
    assert desk.room.drop(desk.canvas, urls(rows, desk.room.file("logo.svg", SVG)), at)
    desk.room.wait(lambda: len(inner.state.items) == 5)
    assert {"peaks", "logo"} <= set(labels(desk.inside(table)))
    assert desk.names() == ["Page", "Table"]
    desk.key(Qt.Key.Key_Z, CONTROL)
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert len(inner.state.items) == 3, "each file is one step of the desktop around it"
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (len(inner.state.items), len(inner.state.links)) == (0, 0)


def test_a_damaged_file_dropped_on_it_says_why(desk: Desk) -> None:
    table = desk.lay(desktop("Table"), "Table", 400, 200)
    broken = desk.room.file("broken.tldr", b'{"tldrawFileFormatVersion": 1,')
    assert desk.room.drop(desk.canvas, urls(broken), desk.middle(table).toPoint())
    desk.room.wait(lambda: desk.room.told.words)
    assert desk.room.told.words[-1].startswith("broken.tldr cannot be taken over: it is cut off or damaged")
    assert labels(desk.inside(table)) == []


def test_files_of_other_programs_dropped_on_a_folder_become_one_object_each(desk: Desk) -> None:
    box = desk.lay(folder("Box"), "Box", 400, 200)
    at = desk.middle(box).toPoint()
    rows = desk.room.file("peaks.csv", b"name;height\nEiger;3967\n")
    shelf = desk.inside(box).shelf
    assert desk.room.drop(desk.canvas, urls(board(desk.room), rows, desk.room.file("logo.svg", SVG)), at)
    desk.room.wait(lambda: len(shelf.content.items) == 3)
    kinds = {name: kind_of(recipe) for name, recipe in shelf.content.items.items()}
    assert kinds == {"plan": "Desktop", "peaks": "Table", "logo": "Image"}
    desk.room.wait(lambda: len(pictures(desk)) == 2)
    state = opened_state(desk, shelf.content.items["plan"])
    assert (len(state.items), len(state.links)) == (3, 1)


def opened_state(desk: Desk, recipe: str) -> Any:
    """Return the state of a desktop that is opened from its recipe."""
    asked = desk.canvas.model.context.dereference(recipe, "plan")
    desk.room.wait(lambda: asked.settled)
    model = asked.value().proxy().instance
    desk.room.wait(lambda: model.ready)
    state = model.editor.state
    asked.value().close()
    return state


def test_a_board_too_large_for_one_object_is_refused_by_a_folder(desk: Desk) -> None:
    box = desk.lay(folder("Box"), "Box", 400, 200)
    texts = [element("text", f"t{at}", text="word " * 20_000, y=100 * at) for at in range(12)]
    large = desk.room.file("large.excalidraw", json.dumps({"type": "excalidraw", "elements": texts}).encode())
    assert desk.room.drop(desk.canvas, urls(large), desk.middle(box).toPoint())
    desk.room.wait(lambda: desk.room.told.words)
    assert "the limit is 1.0 MB. Drop it on a desktop" in desk.room.told.words[-1]
    assert not desk.inside(box).shelf.content.items
