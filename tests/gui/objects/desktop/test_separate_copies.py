"""Duplicates, pasted copies and Alt-drags are objects of their own; placing again shows the same object."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from tests.gui.objects.desktop.test_drop_targets import ALT, CONTROL, Desk, urls

from liven.app.palette.new_objects import desktop, note
from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.desktop.view.items.link_badges import channel_of
from liven.liveobjects.desktop.view.transfer import separate_copies
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.new_objects import counter, vote

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def desk(room: Room) -> Desk:
    return Desk(room)


def written(desk: Desk, name: str, words: str, x: float = 0, y: float = 0) -> str:
    """Add a note with a text; return its key."""
    key = desk.lay(note(name), name, x, y)
    write_in(desk, key, words)
    desk.canvas.select({key})
    return key


def write_in(desk: Desk, key: str, words: str) -> None:
    desk.canvas.edit(desk.canvas.state.items[key])
    QTest.keyClicks(desk.canvas.item_views.widget(key), words)
    desk.canvas.leave_editing()
    desk.room.settle()


def added(desk: Desk, *before: str) -> str:
    """Return the key of the only other item, once it runs with its contents."""
    desk.room.wait(lambda: len(desk.canvas.state.items) == len(before) + 1)
    keys: set[str] = desk.canvas.state.items.keys() - set(before)
    [key] = keys
    views = desk.canvas.item_views
    desk.room.wait(lambda: views.view(key) is not None and not views._waits(key))
    return key


def text(desk: Desk, key: str) -> str:
    found: str = desk.inside(key).summary()
    return found


def are_linked(desk: Desk, *keys: str) -> bool:
    return len({channel_of(desk.canvas.state.items[key].reference) for key in keys}) == 1


def duplicate(desk: Desk, key: str) -> None:
    del key
    desk.key(Qt.Key.Key_D, CONTROL)


def copy_and_paste(desk: Desk, key: str) -> None:
    del key
    desk.key(Qt.Key.Key_C, CONTROL)
    desk.key(Qt.Key.Key_V, CONTROL)


def alt_drag(desk: Desk, key: str) -> None:
    desk.drag(desk.middle(key), desk.middle(key) + QPointF(260, 120), ALT)


@pytest.mark.parametrize("by", [duplicate, copy_and_paste, alt_drag], ids=lambda by: by.__name__)
def test_a_copy_is_an_object_of_its_own_with_the_contents(desk: Desk, by: Any) -> None:
    page = written(desk, "Page", "milk")
    by(desk, page)
    copy = added(desk, page)
    assert text(desk, copy) == "milk"
    assert desk.canvas.selected == {copy}
    assert desk.canvas.state.items[copy].label == "Page"
    assert not are_linked(desk, page, copy)
    assert list(desk.canvas.link_badges.places()) == []
    write_in(desk, copy, "!")
    write_in(desk, page, " more")
    assert (text(desk, page), text(desk, copy)) == ("milk more", "milk!")
    desk.canvas.setFocus()
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert desk.canvas.state.items.keys() == {page}


def test_a_copy_of_a_vote_and_a_counter_has_their_contents(desk: Desk) -> None:
    kinds = (vote("Tea"), counter("Cups"))
    first, second = (desk.lay(thing, str(at), at * 250.0, 0) for at, thing in enumerate(kinds))
    desk.inside(first).model.ask("Black or green?")
    desk.inside(second)._model.add(3)
    desk.room.settle()
    desk.canvas.select({first, second})
    desk.key(Qt.Key.Key_D, CONTROL)
    desk.room.wait(lambda: len(desk.canvas.state.items) == 4)
    views, keys = desk.canvas.item_views, desk.canvas.selected
    desk.room.wait(lambda: all(views.view(key) is not None and not views._waits(key) for key in keys))
    labelled = {desk.canvas.state.items[key].label: key for key in keys}
    assert text(desk, labelled["0"]) == text(desk, first) != ""
    cups = labelled["1"]
    assert desk.inside(cups)._model.number == 3
    desk.inside(cups)._model.add(1)
    desk.room.settle()
    assert desk.inside(second)._model.number == 3


def test_placing_again_shows_the_same_object_with_link_badges(desk: Desk) -> None:
    page = written(desk, "Page", "milk")
    desk.key(Qt.Key.Key_D, CONTROL | SHIFT)
    again = added(desk, page)
    assert are_linked(desk, page, again)
    assert len(list(desk.canvas.link_badges.places())) == 2
    assert "The same object is here more than once" in desk.canvas.accessibleDescription()
    write_in(desk, again, " more")
    assert text(desk, page) == "milk more"
    desk.canvas.select({again})
    desk.key(Qt.Key.Key_Delete)
    assert list(desk.canvas.link_badges.places()) == []


def test_pasting_again_places_the_copied_object_itself(desk: Desk) -> None:
    page = written(desk, "Page", "milk")
    desk.key(Qt.Key.Key_C, CONTROL)
    desk.key(Qt.Key.Key_V, CONTROL | ALT)
    assert are_linked(desk, page, added(desk, page))


def test_a_paste_has_the_contents_of_the_time_of_the_copy(desk: Desk) -> None:
    page = written(desk, "Page", "milk")
    desk.key(Qt.Key.Key_C, CONTROL)
    write_in(desk, page, " more")
    desk.canvas.setFocus()
    desk.key(Qt.Key.Key_V, CONTROL)
    assert text(desk, added(desk, page)) == "milk"


def test_what_was_cut_is_pasted_once_and_copied_then(desk: Desk) -> None:
    page = written(desk, "Page", "milk")
    before = desk.canvas.state.items[page].reference
    desk.key(Qt.Key.Key_X, CONTROL)
    assert not desk.canvas.state.items
    desk.key(Qt.Key.Key_V, CONTROL)
    moved = added(desk)
    assert channel_of(desk.canvas.state.items[moved].reference) == channel_of(before)
    desk.key(Qt.Key.Key_V, CONTROL)
    copy = added(desk, moved)
    assert not are_linked(desk, moved, copy)
    assert text(desk, copy) == "milk"


def test_two_items_of_one_object_become_two_items_of_one_copy(desk: Desk) -> None:
    page = written(desk, "Page", "milk")
    desk.key(Qt.Key.Key_D, CONTROL | SHIFT)
    again = added(desk, page)
    desk.canvas.select({page, again})
    desk.key(Qt.Key.Key_D, CONTROL)
    desk.room.wait(lambda: len(desk.canvas.state.items) == 4)
    copies = desk.canvas.state.items.keys() - {page, again}
    assert are_linked(desk, *copies)
    assert not are_linked(desk, page, *copies)


def test_a_copy_of_a_nested_desktop_has_copies_of_what_is_on_it(desk: Desk) -> None:
    table = desk.lay(desktop("Table"), "Table", 0, 0)
    desk.canvas.edit(desk.canvas.state.items[table])
    inner = desk.canvas.item_views.widget(table)
    inner.drop_and_paste.add_in_view([separate_item(note("Page"), "Page")])
    desk.room.wait(lambda: len(inner.state.items) == 1)
    desk.canvas.leave_editing()
    desk.canvas.select({table})
    desk.key(Qt.Key.Key_D, CONTROL)
    copy = added(desk, table)
    desk.canvas.edit(desk.canvas.state.items[copy])
    there = desk.canvas.item_views.widget(copy).state
    [one], [other] = inner_items(desk, table), there.items.values()
    assert one.label == other.label
    assert channel_of(one.reference) != channel_of(other.reference)


def separate_item(thing: Any, name: str) -> Any:
    from liven.liveobjects.desktop.view.transfer.drop_contents import NewItem
    from liven.runtime.reference.xml import write

    return NewItem(write(thing).decode(), name)


def inner_items(desk: Desk, key: str) -> list[Any]:
    return list(desk.inside(key)._model.editor.state.items.values())


def test_a_copy_that_is_too_large_is_refused_with_what_to_do(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = written(desk, "Page", "milk")
    monkeypatch.setattr(separate_copies, "LONGEST_REFERENCE", 10)
    desk.key(Qt.Key.Key_D, CONTROL)
    desk.room.settle()
    assert desk.canvas.state.items.keys() == {page}
    said = desk.room.told.words[-1]
    assert said.startswith("“Page” was not copied: it would have")
    assert "Ctrl+Shift+D places the same object again." in said


def test_esc_cancels_a_copy_whose_contents_do_not_arrive(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liven.liveobjects.copying.state_collector.has_begun", lambda _: False)
    monkeypatch.setattr(separate_copies, "has_begun", lambda _: False)
    page = written(desk, "Page", "milk")
    desk.key(Qt.Key.Key_D, CONTROL)
    desk.room.wait(lambda: separate_copies._MAKING in desk.room.told.words)
    desk.key(Qt.Key.Key_Escape)
    assert desk.room.told.words[-1] == "Copying was cancelled."
    assert desk.canvas.state.items.keys() == {page}
    assert desk.canvas.selected == {page}, "it leaves one thing at a time"


def test_nothing_selected_says_so(desk: Desk) -> None:
    for keys in (CONTROL, CONTROL | SHIFT):
        desk.key(Qt.Key.Key_D, keys)
        assert desk.room.told.words[-1].endswith("select an item first.")


def test_nothing_to_paste_again_says_so(desk: Desk) -> None:
    QGuiApplication.clipboard().clear()
    desk.key(Qt.Key.Key_V, CONTROL | ALT)
    assert desk.room.told.words[-1] == "There is no object on the clipboard."


def test_alt_drag_into_a_folder_puts_a_separate_copy_there(desk: Desk) -> None:
    page = written(desk, "Page", "milk")
    box = desk.lay(folder("Box"), "Box", 400, 200)
    desk.drag(desk.middle(page), desk.middle(box), ALT)
    desk.room.wait(lambda: desk.inside(box).entries())
    [(name, recipe)] = desk.inside(box).entries().items()
    assert name == "Page"
    assert channel_of(recipe) not in ("", channel_of(desk.canvas.state.items[page].reference))
    assert page in desk.canvas.state.items


def noise(desk: Desk) -> bytes:
    """Return a picture file larger than a message of a desktop may be."""
    pixels = random.Random(1).randbytes(700 * 700 * 4)
    found = desk.room.file_bytes(QImage(pixels, 700, 700, QImage.Format.Format_RGB32))
    assert len(found) > LONGEST_REFERENCE
    return found


def seen(desk: Desk, key: str) -> bytes:
    """Return the picture that an image shows to everybody; empty if it shows none yet."""
    view = desk.inside(key)
    shown = None if view is None else view.model.editor.confirmed.seen
    return b"" if shown is None else bytes(shown.data)


def hung(desk: Desk) -> tuple[str, bytes]:
    """Drop a large picture on the desktop; return its item and its bytes."""
    data = noise(desk)
    assert desk.room.drop(desk.canvas, urls(desk.room.file("noise.png", data)), QPoint(200, 150))
    desk.room.wait(lambda: len(desk.canvas.state.items) == 1)
    [key] = desk.canvas.state.items
    desk.room.wait(lambda: seen(desk, key) == data)
    desk.canvas.select({key})
    return key, data


@pytest.mark.slow
def test_a_picture_larger_than_a_message_is_copied_in_parts(desk: Desk) -> None:
    key, data = hung(desk)
    desk.key(Qt.Key.Key_D, CONTROL)
    desk.room.wait(lambda: len(desk.canvas.state.items) == 2)
    [copy] = desk.canvas.state.items.keys() - {key}
    desk.room.wait(lambda: seen(desk, copy) == data)
    assert not are_linked(desk, key, copy)
    assert not [one for one in desk.room.told.words if "copied" in one]


@pytest.mark.slow
def test_a_nested_desktop_with_a_large_picture_is_copied_with_it(desk: Desk) -> None:
    key, data = hung(desk)
    desk.key(Qt.Key.Key_D, CONTROL | SHIFT)  # it goes on running here: nobody stores anything in this test
    table = desk.lay(desktop("Table"), "Table", 500, 300)
    desk.drag(desk.middle(key), desk.middle(table))
    desk.room.wait(lambda: len(desk.canvas.state.items) == 2)
    before = set(desk.canvas.state.items)
    desk.canvas.select({table})
    desk.key(Qt.Key.Key_D, CONTROL)
    desk.room.wait(lambda: len(desk.canvas.state.items) == 3)
    [copy] = desk.canvas.state.items.keys() - before
    desk.room.wait(lambda: inner_items(desk, copy))
    [original], [copied] = inner_items(desk, table), inner_items(desk, copy)
    assert channel_of(original.reference) != channel_of(copied.reference)
    asked = desk.canvas.model.context.dereference(copied.reference, "copied")
    desk.room.wait(lambda: asked.settled)
    album = asked.value().proxy().instance.editor
    desk.room.wait(lambda: album.confirmed.seen is not None and bytes(album.confirmed.seen.data) == data)
    asked.value().close()
