"""The papers and sizes of notes, chosen in their context menu on a desktop."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QMenu

from liven.liveobjects.desktop.state import Remove
from liven.liveobjects.desktop.view.actions.context_menu import menu_of
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.text.model import typed

CONTROL = Qt.KeyboardModifier.ControlModifier


def options(table: Any, words: str) -> dict[str, QAction]:
    """Return the entries of one menu of choices, as a right click on the selection shows them."""
    key = next(iter(table.canvas.selected))
    made = menu_of(table.canvas, table.middle(key), table.canvas)
    found = next(one for one in made.findChildren(QMenu) if one.title() == words)
    return {entry.text(): entry for entry in found.actions()}


def paper(table: Any, key: str) -> str:
    return str(table.canvas.item_views.view(key)._note.paper)


def test_eight_papers_and_none_are_offered_as_squares(table: Any) -> None:
    table.click(table.lay("list", 0, 0))
    found = options(table, "Colour")
    assert list(found) == [
        "Sun", "Apricot", "Rose", "Lilac", "Sky", "Mint", "Paper", "Slate", "Clear"
    ]  # fmt: skip
    assert [words for words, entry in found.items() if entry.isChecked()] == ["Sun"]
    middle = found["Rose"].icon().pixmap(16, 16).toImage().pixelColor(8, 8)
    assert middle == QColor(current_look().papers["rose"].sheet)
    assert found["Clear"].icon().isNull()


def test_a_chosen_paper_is_undone_and_redone_on_the_desktop(table: Any) -> None:
    one, two = table.lay("one", 0, 0, address="one"), table.lay("two", 200, 0, address="two")
    table.canvas.select({one, two})
    options(table, "Colour")["Mint"].trigger()
    table.settle()
    assert (paper(table, one), paper(table, two)) == ("mint", "mint")
    table.canvas.select({two})
    options(table, "Colour")["Sky"].trigger()
    table.settle()
    assert (paper(table, one), paper(table, two)) == ("mint", "sky")
    table.canvas.select({one, two})
    assert not any(entry.isChecked() for entry in options(table, "Colour").values()), "they differ"
    table.key(Qt.Key.Key_Z, CONTROL)
    assert (paper(table, one), paper(table, two)) == ("mint", "mint")
    table.key(Qt.Key.Key_Z, CONTROL)
    assert (paper(table, one), paper(table, two)) == ("sun", "sun")
    table.key(Qt.Key.Key_Y, CONTROL)
    assert (paper(table, one), paper(table, two)) == ("mint", "mint")


def test_undo_leaves_a_paper_that_was_chosen_since(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.click(key)
    options(table, "Colour")["Mint"].trigger()
    table.canvas.item_views.view(key)._note.choose_paper("rose")
    table.key(Qt.Key.Key_Z, CONTROL)
    assert paper(table, key) == "rose"
    assert table.said[-1] == "“Colour” cannot be undone: others have changed it since."


def test_undo_says_that_the_note_is_gone(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.click(key)
    options(table, "Colour")["Mint"].trigger()
    table.canvas.editor.also("Remove", Remove(key))
    table.key(Qt.Key.Key_Z, CONTROL)
    assert table.said[-1] == "“Colour” cannot be undone: it is no longer on this desktop."


def test_larger_letters_make_the_note_grow(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.canvas.item_views.view(key)._note.edit("typing", typed(0, "several words in a row"))
    table.settle()
    table.click(key)
    options(table, "Size")["Extra large"].trigger()
    table.settle()
    assert table.item(key).place.height > 100


def test_text_without_paper_has_no_shadow_and_shows_the_plane(table: Any) -> None:
    key = table.lay("list", 0, 0, 200, 100)
    table.click(key)
    options(table, "Colour")["Clear"].trigger()
    table.canvas.select(())
    table.settle()
    seen = table.canvas.grab().toImage()
    corner = table.canvas.camera.to_window(table.point(100, 90)).toPoint()
    assert seen.pixelColor(corner) == QColor(current_look().plane)
    assert table.canvas.item_views.is_flat(key)


@pytest.mark.parametrize("words", ["Colour", "Size"])
def test_nothing_in_common_offers_nothing(table: Any, words: str) -> None:
    one = table.lay("one", 0, 0)
    table.canvas.select({one})
    table.canvas.item_views.view(one).choices = tuple  # an object without choices
    with pytest.raises(StopIteration):
        options(table, words)
