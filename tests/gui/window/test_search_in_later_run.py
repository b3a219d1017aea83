"""Items are found in a later run by the text that they had, although they do not run."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from liven.app.palette.new_objects import desktop, note
from liven.liveobjects.desktop.search.item_files import file_name
from liven.liveobjects.desktop.search.text_cache import TextStore
from liven.liveobjects.text.view import NoteEditor
from liven.runtime.reference.xml import write


def lay(desk: Any, window: Any, name: str) -> Any:
    """Add a note whose text is its name."""
    window.view.insert(write(note(name)).decode(), name)
    canvas = window.centralWidget()
    item = next(one for one in canvas.state.items.values() if one.label == name)
    desk.wait(lambda: canvas.item_views.view(item.key) is not None and canvas.item_views.view(item.key)._note)
    canvas.edit(item)
    desk.wait(lambda: canvas.findChild(NoteEditor) is not None)
    QTest.keyClicks(canvas.findChild(NoteEditor), f"This is ABOUT {name}s")
    canvas.leave_editing()
    return item


def test_a_note_of_an_earlier_run_is_found_by_its_text(desk: Any) -> None:
    thing = desktop("board")
    window = desk.open(thing)
    item = lay(desk, window, "apple")
    window.close()
    desk.wait(lambda: not desk.program.session.node.running)
    again = desk.open(thing)
    canvas = again.centralWidget()
    canvas.camera.pan(QPointF(-90_000, 0))
    canvas.initial_viewport.over = True
    canvas.viewport_changed()
    desk.wait(lambda: item.key in canvas.state.items)
    canvas.open_find_bar()
    line = canvas.find_bar.findChild(QLineEdit)
    desk.wait(lambda: canvas.item_views.running_items.running == 0)
    QTest.keyClicks(line, "about apples")
    assert canvas.selected == {item.key}
    again.close()


def _found(canvas: Any, words: str) -> set[str]:
    """Return the names of the matches."""
    canvas.select(())
    canvas.open_find_bar()
    line = canvas.find_bar.findChild(QLineEdit)
    line.clear()
    QTest.keyClicks(line, words)
    names = {item.label for item in canvas.find_bar.results()}
    canvas.find_bar.close_bar()
    return names


@pytest.mark.parametrize("how", ["emptied", "removed"])
def test_an_emptied_or_removed_note_is_not_found_any_more(desk: Any, how: str) -> None:
    thing = desktop("board")
    window = desk.open(thing)
    for name in ("apple", "pear"):
        lay(desk, window, name)
    window.close()
    desk.wait(lambda: not desk.program.session.node.running)
    memory = desk.program.session.node.services[TextStore]()
    desk.wait(lambda: len(list(memory._folder.iterdir())) == 2)
    again = desk.open(thing)
    canvas = again.centralWidget()
    desk.wait(lambda: len(canvas.state.items) == 2)
    [apple] = [item for item in canvas.state.items.values() if item.label == "apple"]
    desk.wait(lambda: canvas.item_views.view(apple.key) is not None and canvas.item_views.words(apple))
    desk.wait(lambda: _found(canvas, "about") == {"apple", "pear"})
    if how == "removed":
        canvas.select({apple.key})
        QTest.keyClick(canvas, Qt.Key.Key_Delete)
    else:
        canvas.edit(apple)
        page = canvas.findChild(NoteEditor)
        desk.wait(lambda: page.toPlainText())
        QTest.keyClick(page, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(page, Qt.Key.Key_Delete)
        canvas.leave_editing()
    desk.wait(lambda: _found(canvas, "about") == {"pear"})
    # The other may have begun empty, and has its words written again when it is closed.
    desk.wait(lambda: not memory.read(file_name(apple.reference)))
    again.close()
    desk.wait(lambda: not desk.program.session.node.running)
    assert len(list(memory._folder.iterdir())) == 1


def test_an_object_present_twice_is_found_until_both_are_removed(desk: Any) -> None:
    window = desk.open(desktop("board"))
    canvas = window.centralWidget()
    item = lay(desk, window, "apple")
    canvas.select({item.key})
    canvas.clipboard.place_again()
    [copy] = canvas.selected
    desk.wait(lambda: canvas.item_views.view(copy) is not None)
    recipe = canvas.state.items[copy].reference
    desk.wait(lambda: canvas.item_views.words(canvas.state.items[copy]))
    canvas.select({item.key})
    canvas.remove_selected()
    assert canvas.item_views._words.of(recipe)
    canvas.select({copy})
    canvas.remove_selected()
    assert not canvas.item_views._words.of(recipe)
    window.close()
