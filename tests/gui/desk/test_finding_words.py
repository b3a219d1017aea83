"""What things on a desktop said is found in a later run, though they do not run."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from liven.app.desk.recipes import desktop, note
from liven.liveobjects.text.view import NoteView
from liven.runtime.reference.xml import write


def lay(desk: Any, window: Any, name: str) -> Any:
    """A note of that name, which says its name."""
    window.view.take_in(write(note(name)).decode(), name)
    canvas = window.centralWidget()
    item = next(one for one in canvas.state.items.values() if one.label == name)
    desk.wait(lambda: canvas.actors.view(item.key) is not None and canvas.actors.view(item.key)._note)
    canvas.edit(item)
    desk.wait(lambda: canvas.findChild(NoteView) is not None)
    QTest.keyClicks(canvas.findChild(NoteView), f"this is about {name}s")
    canvas.leave_editing()
    return item


def test_a_note_that_was_read_in_an_earlier_run_is_found_by_its_text(desk: Any) -> None:
    thing = desktop("board")
    window = desk.open(thing)
    item = lay(desk, window, "apple")
    window.close()
    desk.wait(lambda: not desk.house.session.node.running)
    again = desk.open(thing)
    canvas = again.centralWidget()
    canvas.camera.pan(QPointF(-90_000, 0))
    canvas.first_look.over = True
    canvas.looks_elsewhere()
    desk.wait(lambda: item.key in canvas.state.items)
    canvas.look_for()
    line = canvas.finding.findChild(QLineEdit)
    desk.wait(lambda: canvas.actors.stage.running == 0)
    QTest.keyClicks(line, "about apples")
    assert canvas.chosen == {item.key}
    again.close()
