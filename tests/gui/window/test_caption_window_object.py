"""Items in a caption window survive a restart, are copied with it, and are asked about before they run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from tests.gui.trust.sign_library import recipe as sign

from liven.app.palette.new_objects import desktop, note
from liven.app.trust.dialog import TrustQuestion
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.new_objects import window as caption_window
from liven.liveobjects.window.model import Put
from liven.runtime.folder.item_files import MIME
from liven.runtime.reference.model import Object, name_of
from liven.runtime.reference.xml import write


def inner(window: ObjectWindow) -> Any:
    assert window.handle is not None
    return window.handle.proxy().instance


def begun(desk: Any, thing: Object, name: str) -> ObjectWindow:
    window: ObjectWindow = desk.open(thing, name)
    desk.wait(lambda: inner(window).ready)
    return window


def drop(window: ObjectWindow, thing: Object) -> None:
    """Send the events of a real drop."""
    panel: Any = window.centralWidget()
    data = QMimeData()
    data.setData(MIME, write(thing))
    action, button, keys = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    at = panel.rect().center()
    QApplication.sendEvent(panel, QDragEnterEvent(at, action, data, button, keys))
    dropped = QDropEvent(QPointF(at), action, data, button, keys)
    QApplication.sendEvent(panel, dropped)
    assert dropped.isAccepted()


def write_in_it(desk: Any, window: ObjectWindow, words: str) -> None:
    """Type into the note inside."""
    QTest.keyClicks(face(window).inner.widget(), words)
    desk.wait(lambda: face(window).inner.summary() == words)
    desk.wait(lambda: not inner(window).content.model.note.pending)


def face(window: ObjectWindow) -> Any:
    return window.view


def kept(desk: Any, window: ObjectWindow) -> None:
    desk.wait(lambda: not inner(window).editor.pending and inner(window).content is not None)


def questions() -> list[TrustQuestion]:
    return [one for one in QApplication.allWidgets() if isinstance(one, TrustQuestion) and one.isVisible()]


@pytest.mark.slow
def test_a_dropped_item_survives_a_restart_and_can_be_undone(desk: Any) -> None:
    box, page = caption_window("Box"), note("Page")
    window = begun(desk, box, "box")
    drop(window, page)
    kept(desk, window)
    write_in_it(desk, window, "milk")
    window.close()
    again = begun(desk, box, "again")
    desk.wait(lambda: face(again).inner is not None and face(again).inner.summary() == "milk")
    desk.press(again, "Undo putting in or taking out")
    desk.wait(lambda: inner(again).content is None)
    assert "Drop an object here" in face(again).words()


@pytest.mark.slow
def test_a_note_dragged_into_a_window_keeps_its_text(desk: Any) -> None:
    """It stops on the desktop while it starts in the window."""
    page = note("Page")
    window = begun(desk, page, "page")
    QTest.keyClicks(face(window).widget(), "milk")
    desk.wait(lambda: not inner(window).note.pending)
    window.close()
    table = begun(desk, desktop("Table"), "table")
    canvas: Any = table.centralWidget()
    keys = []
    for thing, at in ((page, 0), (caption_window("Box"), 400)):
        place = Place(at, 0, 200, 150)
        key, command = commands.add(canvas.state, write(thing).decode(), name_of(thing), place)
        assert canvas.do(command)
        keys.append(key)
    views = canvas.item_views.view
    desk.wait(lambda: all(views(key) is not None and not views(key).is_loading() for key in keys))
    desk.wait(lambda: views(keys[0]).summary() == "milk")
    canvas.drop_targets.drag_items([canvas.state.items[keys[0]]], canvas.camera.to_window(QPointF(500, 75)))
    assert canvas.drop_targets.drop_items(copy=False)
    desk.wait(lambda: list(canvas.state.items) == keys[1:])
    desk.wait(lambda: views(keys[1]).inner is not None and views(keys[1]).inner.summary() == "milk")


@pytest.mark.slow
def test_a_copy_of_a_caption_window_contains_a_copy_of_its_item(
    desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "copy.liveobject"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window = begun(desk, caption_window("Box"), "box")
    drop(window, note("Page"))
    kept(desk, window)
    write_in_it(desk, window, "milk")
    desk.press(window, "Save a copy…")
    desk.wait(path.exists)
    assert "Not copied" not in window._message.text()
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None and inner(copy).ready and face(copy).inner is not None)
    desk.wait(lambda: face(copy).inner.summary() == "milk")
    assert inner(copy).inside.name == "Page"
    assert inner(copy).inside.reference != inner(window).inside.reference
    desk.press(copy, "Take the object out")
    desk.wait(lambda: inner(copy).content is None)
    assert inner(window).content is not None


@pytest.mark.slow
def test_new_code_put_in_by_others_runs_only_after_consent(desk: Any) -> None:
    thing = sign(desk.folder)
    window = begun(desk, caption_window("Box"), "box")
    inner(window).editor.edit("as another does", Put(write(thing).decode(), "Sign"))
    desk.wait(questions)
    [question] = questions()
    assert inner(window).content is None
    [no] = [one for one in question.findChildren(QPushButton) if "Do not" in one.text().replace("&", "")]
    QTest.mouseClick(no, Qt.MouseButton.LeftButton)
    desk.wait(lambda: inner(window).trouble)
    assert inner(window).content is None
    [again] = [
        one for one in face(window).widget().findChildren(QPushButton) if one.text() == "Start it again"
    ]
    assert again.isVisible()
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    desk.wait(questions)
    [question] = questions()
    [yes] = [one for one in question.findChildren(QPushButton) if "Run it" in one.text().replace("&", "")]
    desk.wait(yes.isEnabled)
    QTest.mouseClick(yes, Qt.MouseButton.LeftButton)
    desk.wait(lambda: inner(window).content is not None)


def test_a_caption_window_inside_itself_stops_with_a_note(desk: Any) -> None:
    box, other = caption_window("Box"), caption_window("Other")
    window = begun(desk, box, "box")
    drop(window, other)
    kept(desk, window)
    second = begun(desk, other, "other")
    drop(second, box)
    desk.wait(lambda: not inner(second).editor.pending)
    desk.wait(lambda: _deepest(window.view).has_trouble and _deepest(second.view).has_trouble)
    assert "it would contain itself" in _deepest(window.view).words()
    assert window.grab().size().isValid()
    table = begun(desk, desktop(name_of(box)), "table")  # called the same, and another place
    face(table).insert(write(box).decode(), "Box")
    desk.wait(lambda: len(inner(table).editor.confirmed.items) == 1)


def _deepest(view: Any) -> Any:
    while view.inner is not None:
        view = view.inner
    return view
