"""Boards of other programs, dropped on a desktop and pasted there: one step, which others see and undo
takes back."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QPainter, QPdfWriter
from PySide6.QtTest import QTest

from liven.liveobjects.desktop.frames import is_frame
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

CONTROL = Qt.KeyboardModifier.ControlModifier
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
<rect width="200" height="100" fill="#123456"/></svg>"""


def desktop(room: Room, name: str) -> Any:
    return room.shared(name, DesktopObject, DesktopOperation, DesktopState)


def urls(*paths: object) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def element(kind: str, key: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": key, "x": 0, "y": 0, "width": 100, "height": 60, **fields}


def excalidraw(room: Room, kind: str = "excalidraw") -> str:
    picture = "data:image/png;base64," + b64encode(room.file_bytes(room.picture())).decode()
    elements = [
        element("rectangle", "a", x=100, y=100, backgroundColor="#a5d8ff", groupIds=["g"]),
        element("text", "t", containerId="a", text="Start"),
        element("rectangle", "b", x=400, y=100, groupIds=["g"], locked=True),
        element("arrow", "c", startBinding={"elementId": "a"}, endBinding={"elementId": "b"}),
        element("image", "i", x=100, y=300, fileId="f"),
        element("frame", "r", x=50, y=50, width=600, height=500, name="Plan"),
        element("embeddable", "e", x=400, y=300),
    ]
    return json.dumps({"type": kind, "elements": elements, "files": {"f": {"dataURL": picture}}})


def shown_pictures(view: Any) -> list[Any]:
    canvas = view.widget()
    views = [canvas.item_views.view(key) for key in sorted(canvas.state.items)]
    return [one.model.editor.confirmed.seen for one in views if hasattr(one, "image")]


def texts(canvas: Any) -> list[str]:
    views = [canvas.item_views.view(key) for key in sorted(canvas.state.items)]
    return [one.summary() for one in views if one is not None]


def test_a_dropped_board_becomes_things_of_ours_that_others_see(room: Room) -> None:
    room.furnish()
    here, there = (room.show(desktop(room, name)) for name in ("ann", "bob"))
    canvas, other = room.widget(here, 900, 700), room.widget(there, 900, 700)
    file = room.file("plan.excalidraw", excalidraw(room).encode())
    assert room.drop(canvas, urls(file), QPoint(450, 350))
    room.wait(lambda: len(other.state.items) == 4)
    room.wait(lambda: [one for one in shown_pictures(there) if one is not None])
    items = list(canvas.state.stacked())
    assert is_frame(items[0].reference)
    assert items[0].label == "Plan"
    assert (items[0].place.width, items[0].place.height) == (600, 500)
    [link] = canvas.state.links.values()
    boxes = [canvas.state.items[link.source], canvas.state.items[link.target]]
    assert boxes[1].place.x - boxes[0].place.x == 300
    assert boxes[0].group == boxes[1].group != ""
    assert [box.locked for box in boxes] == [False, True]
    assert room.told.words == ["plan.excalidraw: 1 thing could not be taken over: embedded pages (1)."]


def test_a_board_is_one_step_that_undo_takes_back_and_redo_brings_again(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    assert room.drop(canvas, urls(room.file("plan.excalidraw", excalidraw(room).encode())))
    room.wait(lambda: len(canvas.state.items) == 4)
    assert canvas.editor.undo_list.undo_names == ("Add plan.excalidraw",)
    QTest.keyClick(canvas, Qt.Key.Key_Z, CONTROL)
    room.wait(lambda: not canvas.state.items and not canvas.state.links)
    QTest.keyClick(canvas, Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    room.wait(lambda: len(canvas.state.items) == 4 and len(canvas.state.links) == 1)


def test_what_was_copied_in_excalidraw_is_pasted_in_view(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 500, 400)
    QGuiApplication.clipboard().setText(excalidraw(room, "excalidraw/clipboard"))
    QTest.keyClick(canvas, Qt.Key.Key_V, CONTROL)
    room.wait(lambda: len(canvas.state.items) == 4)
    assert len(canvas.selected) == 4
    corners = [(item.place.x, item.place.y) for item in canvas.state.items.values()]
    assert all(canvas.visible_area.contains(x, y) for x, y in corners), "the view shows all of it"


def test_what_was_copied_in_tldraw_is_pasted(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    shapes = [
        {"id": "shape:n", "type": "note", "x": 5, "y": 5, "props": {"text": "from tldraw", "color": "green"}},
    ]
    whole = {"type": "application/tldraw", "kind": "content", "data": {"shapes": shapes, "assets": []}}
    data = QMimeData()
    data.setHtml(f"<meta charset='utf-8'><div data-tldraw>{json.dumps(whole)}</div>")
    data.setText("from tldraw")
    QGuiApplication.clipboard().setMimeData(data)
    QTest.keyClick(canvas, Qt.Key.Key_V, CONTROL)
    room.wait(lambda: texts(canvas) == ["from tldraw"])


def test_a_tldraw_file_goes_beside_a_picture_of_the_same_drop(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    shape = {"typeName": "shape", "id": "shape:n", "type": "note", "props": {"text": "hello"}}
    file = room.file("b.tldr", json.dumps({"tldrawFileFormatVersion": 1, "records": [shape]}).encode())
    assert room.drop(canvas, urls(file, room.file("cat.png")))
    room.wait(lambda: len(canvas.state.items) == 2)


def test_an_svg_file_becomes_a_picture_in_its_proportions(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    assert room.drop(canvas, urls(room.file("logo.svg", SVG)))
    room.wait(lambda: [one for one in shown_pictures(here) if one is not None])
    [item] = canvas.state.items.values()
    assert (item.label, item.place.width, item.place.height) == ("logo", 200, 100)


def test_a_csv_file_becomes_a_table_that_others_see(room: Room) -> None:
    room.furnish()
    here, there = (room.show(desktop(room, name)) for name in ("ann", "bob"))
    canvas, other = room.widget(here, 900, 700), room.widget(there, 900, 700)
    rows = "name;height\nEiger;3967\nMönch;4110\n"
    assert room.drop(canvas, urls(room.file("peaks.csv", rows.encode())))
    room.wait(lambda: len(other.state.items) == 1)
    [key] = other.state.items
    room.wait(lambda: other.item_views.view(key) is not None and not other.item_views.view(key).is_loading())
    assert other.item_views.view(key).summary() == "name\theight\nEiger\t3,967\nMönch\t4,110"


@pytest.mark.slow
def test_a_pdf_file_becomes_a_picture_of_each_page(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    file = room.folder / "plan.pdf"
    writer = QPdfWriter(str(file))
    painter = QPainter(writer)
    painter.drawText(100, 100, "one")
    writer.newPage()
    painter.drawText(100, 100, "two")
    painter.end()
    assert room.drop(canvas, urls(file))
    room.wait(lambda: len([one for one in shown_pictures(here) if one is not None]) == 2)
    labels = [item.label for item in canvas.state.stacked()]
    assert labels == ["plan, page 1", "plan, page 2"]
    assert canvas.editor.undo_list.undo_names == ("Add plan.pdf",)


def test_damaged_files_say_why_and_change_nothing(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    assert room.drop(canvas, urls(room.file("broken.tldr", b'{"tldrawFileFormatVersion": 1,')))
    room.wait(lambda: room.told.words)
    [said] = room.told.words
    assert said.startswith("broken.tldr cannot be taken over: it is cut off or damaged")
    assert not canvas.state.items
    assert not canvas.editor.undo_list.undo_names


def test_esc_stops_a_board_that_is_being_read(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    assert room.drop(canvas, urls(room.file("plan.excalidraw", excalidraw(room).encode())))
    canvas.grab()  # the placeholder is painted
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    room.house.advance(1)
    assert room.told.words == ["Stopped: nothing was taken over."]
    assert not canvas.state.items
