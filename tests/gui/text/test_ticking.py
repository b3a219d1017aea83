"""A click on a check box changes its own line alone."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.liveobjects.text.model import Note
from liven.liveobjects.text.view.editor import NoteEditor
from liven.liveobjects.text.view.formats import KIND


@pytest.fixture
def page(qtbot: Any) -> NoteEditor:
    note = Note(lambda _: None)
    note.start(None)
    made = NoteEditor(note)
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow, timeout=60_000)
    return made


def kinds(page: NoteEditor) -> list[str]:
    """Return how each line looks: its mark, and if it stands further in without one."""
    made, block = [], page.document().begin()
    while block.isValid():
        kind = block.blockFormat().property(KIND)
        box = {None: "plain", "checked": "[x]", "check": "[ ]"}[kind]
        inside = block.blockFormat().leftMargin() or block.blockFormat().indent()
        made.append(f"{box}{' further in' if inside and box == 'plain' else ''}")
        block = block.next()
    return made


def tick(page: NoteEditor, line: int) -> None:
    block = page.document().findBlockByNumber(line)
    cursor = page.textCursor()
    cursor.setPosition(block.position())
    box = page.cursorRect(cursor)
    QTest.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.left() - 8, box.center().y()))
    QApplication.processEvents()


@pytest.mark.parametrize("after", ["", "tea", "tea\nrolls"])
def test_ticking_leaves_the_lines_below_alone(page: NoteEditor, after: str) -> None:
    QTest.keyClicks(page, "milk")
    page.toggle_list("check")
    QTest.keyClick(page, Qt.Key.Key_Return)
    page.toggle_list("check")
    page.insertPlainText(after)
    before = kinds(page)
    assert before == ["[ ]"] + ["plain"] * (len(before) - 1)
    for box in ("[x]", "[ ]"):
        tick(page, 0)
        assert kinds(page) == [box, *before[1:]]
