"""Copies of a desktop or folder with everything inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from liven.app.palette.new_objects import channel as make_channel
from liven.app.palette.new_objects import desktop, note
from liven.app.window.menus.file_actions import not_copied_note
from liven.app.window.object_window import ObjectWindow
from liven.app.window.pages.copy_progress_bar import CopyProgressBar
from liven.liveobjects.copying.state_collector import StateCollector
from liven.liveobjects.desktop import commands
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.folder.state import Put
from liven.liveobjects.text.object import TextObject
from liven.liveobjects.view.contract import Container
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.reference.model import (
    NAME,
    Attribute,
    Component,
    Composite,
    Object,
    Parameter,
    Reference,
    name_of,
)
from liven.runtime.reference.xml import compact, read_object, write


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file of the copy."""
    chosen = tmp_path / "copy.liveobject"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen), ""))
    return chosen


def begun(desk: Any, thing: Object, name: str) -> ObjectWindow:
    """Open a window on an object and wait for its state."""
    window: ObjectWindow = desk.open(thing, name)
    desk.wait(lambda: inner(window).ready)
    return window


def inner(window: ObjectWindow) -> Any:
    assert isinstance(window.handle, ProxyHandle)
    return window.handle.proxy().instance


def lay(desk: Any, window: ObjectWindow, *things: Object) -> None:
    """Add items to a desktop."""
    assert isinstance(window.view, Container)
    for thing in things:
        window.view.insert(write(thing).decode(), name_of(thing))
    settle(desk, window)


def settle(desk: Any, window: ObjectWindow) -> None:
    desk.wait(lambda: len(inner(window).editor.confirmed.items) == len(inner(window).editor.state.items))


def write_in(desk: Any, thing: Object, words: str) -> None:
    """Open a note for a moment and write in it."""
    window = begun(desk, thing, "writing")
    page: Any = window.centralWidget()
    QTest.keyClick(page, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(page, words)
    desk.wait(lambda: inner(window).note.pending == 0)
    window.close()


def text_in(desk: Any, thing: Object) -> str:
    """Return the text of a note."""
    window = begun(desk, thing, "reading")
    page: Any = window.centralWidget()
    words: str = page.toPlainText()
    window.close()
    return words


def lying_in(window: ObjectWindow) -> dict[str, Reference]:
    """Return the items of a desktop by name."""
    items = inner(window).editor.confirmed.items.values()
    found = [read_object(item.reference) for item in items]
    return {name_of(one): one for one in found if isinstance(one, Reference)}


def save_copy(desk: Any, window: ObjectWindow, path: Path) -> str:
    """Save a copy and return the message."""
    desk.press(window, "Save a copy…")
    desk.wait(lambda: path.exists() or "It cannot be copied" in window._message.text())
    desk.wait(lambda: not any(bar.isVisible() for bar in window.findChildren(CopyProgressBar)))
    said: str = window._message.text()
    return said


@pytest.mark.slow
def test_a_copy_of_a_desktop_contains_copies_of_its_items_at_every_level(desk: Any, path: Path) -> None:
    outer, within, deep = note("List"), desktop("Inner"), note("Deep")
    window = begun(desk, desktop("Table"), "table")
    nested = begun(desk, within, "inner")
    lay(desk, nested, deep)
    nested.close()
    lay(desk, window, outer, within)
    write_in(desk, outer, "milk")
    write_in(desk, deep, "cellar")
    said = save_copy(desk, window, path)
    assert "Copy saved." in said
    assert "Not copied" not in said
    write_in(desk, outer, "NEW ")
    write_in(desk, deep, "NEW ")
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None and inner(copy).ready)
    found = lying_in(copy)
    assert text_in(desk, found["List"]) == "milk"
    inside = begun(desk, found["Inner"], "inside")
    [(name, below)] = lying_in(inside).items()
    assert (name, text_in(desk, below)) == ("Deep", "cellar")
    write_in(desk, found["List"], "only here ")
    write_in(desk, below, "only here ")
    assert text_in(desk, outer) == "NEW milk"
    assert text_in(desk, deep) == "NEW cellar"


@pytest.mark.slow
def test_items_out_of_view_and_in_folders_are_copied(desk: Any, path: Path) -> None:
    away, filed, drawer = note("Away"), note("Filed"), folder("Drawer")
    for thing, words in ((away, "far"), (filed, "put by")):
        write_in(desk, thing, words)
    shelf = begun(desk, drawer, "drawer")
    inner(shelf).change("put", Put("Filed", compact(filed)))
    desk.wait(lambda: "Filed" in inner(shelf).editor.confirmed.items)
    shelf.close()
    window = begun(desk, desktop("Table"), "table")
    lay(desk, window, away, drawer)
    state = inner(window).editor.state
    key = next(item.key for item in state.items.values() if item.label == "Away")
    canvas: Any = window.centralWidget()
    canvas.do(commands.move(state, [key], 9e5, 0))
    desk.wait(lambda: inner(window).editor.confirmed.items[key].place.x > 8e5)
    save_copy(desk, window, path)
    window.close()
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None and inner(copy).ready)
    found = lying_in(copy)
    write_in(desk, away, "NEW ")
    assert text_in(desk, found["Away"]) == "far"
    opened = begun(desk, found["Drawer"], "opened")
    [held] = inner(opened).content.items.values()
    write_in(desk, filed, "NEW ")
    assert text_in(desk, read_object(held)) == "put by"


@pytest.mark.slow
def test_an_item_present_twice_is_copied_once_and_a_desktop_in_itself_becomes_the_copy(
    desk: Any, path: Path
) -> None:
    twice, table = note("Twice"), desktop("Table")
    write_in(desk, twice, "one")
    window = begun(desk, table, "table")
    lay(desk, window, twice, twice, table)
    save_copy(desk, window, path)
    window.close()
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None and inner(copy).ready)
    items = inner(copy).editor.confirmed.items.values()
    notes = [read_object(one.reference) for one in items if one.label.startswith("Twice")]
    write_in(desk, notes[0], "NEW ")
    assert text_in(desk, notes[1]) == "NEW one"
    again = begun(desk, lying_in(copy)["Table"], "again")
    assert inner(again).editor.confirmed.items == inner(copy).editor.confirmed.items
    lay(desk, again, note("Added"))
    desk.wait(lambda: "Added" in lying_in(copy))


def test_an_item_without_available_state_is_named_and_stays_shared(
    desk: Any, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = note("Lost")
    window = begun(desk, desktop("Table"), "table")
    lay(desk, window, lost)
    monkeypatch.setattr(
        "liven.liveobjects.copying.state_collector.LONGEST_REFERENCE", 10
    )  # nothing is as small as that
    said = save_copy(desk, window, path)
    assert "Not copied, but shared by both: “Lost”." in said
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None and inner(copy).ready)
    assert lying_in(copy)["Lost"] == lost


@pytest.mark.slow
def test_the_size_limit_shrinks_with_the_depth(
    desk: Any, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each state is encoded inside the next one and grows by a third."""
    near, far, within = note("Near"), note("Far"), desktop("Inner")
    nested = begun(desk, within, "inner")
    lay(desk, nested, far)
    nested.close()
    for thing in (near, far):
        write_in(desk, thing, "as long as any")
    window = begun(desk, desktop("Table"), "table")
    lay(desk, window, near, within)
    monkeypatch.setattr("liven.liveobjects.copying.state_collector._GROWS", 300)
    said = save_copy(desk, window, path)
    assert "shared by both: “Far”." in said


def test_an_item_that_does_not_start_or_has_a_custom_channel_is_named(desk: Any, path: Path) -> None:
    channel = Parameter("channel", make_channel("liven:int64", "liven:int64"))
    unknown = Reference("nobody:knows", (channel,), attributes=(Attribute(NAME, "Strange"),))
    joined = Composite(components=(Component("a", note("Part")),), attributes=(Attribute(NAME, "Both"),))
    window = begun(desk, folder("Drawer"), "drawer")
    things: dict[str, Object] = {"a": unknown, "b": joined, "c": note("List")}
    inner(window).change("put", *(Put(name, compact(one)) for name, one in things.items()))
    desk.wait(lambda: len(inner(window).editor.confirmed.items) == 3)
    said = save_copy(desk, window, path)
    assert "Not copied, but shared by both: “Both”, “Strange”." in said
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None and inner(copy).ready)
    held = {name: read_object(text) for name, text in inner(copy).content.items.items()}
    assert (held["a"], held["b"]) == (unknown, joined)
    assert held["c"] != things["c"]


def test_an_item_whose_checkpoint_raises_is_named(
    desk: Any, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raises(*_: object) -> None:
        raise RuntimeError("boom")

    window = begun(desk, desktop("Table"), "table")
    lay(desk, window, note("List"))
    monkeypatch.setattr(TextObject, "shown_checkpoint", raises)
    assert "shared by both: “List”." in save_copy(desk, window, path)
    assert path.exists()


def test_long_lists_of_names_are_shortened() -> None:
    assert not_copied_note([]) == ""
    assert not_copied_note([f"n{number}" for number in range(9)]).endswith("“n5” and 3 more.")


def test_a_note_inside_a_caption_window_on_a_desktop_is_copied(desk: Any, path: Path) -> None:
    given = note("Given")
    framed = Reference("liven:window", (Parameter("ui", given),), attributes=(Attribute(NAME, "Frame"),))
    window = begun(desk, desktop("Table"), "table")
    lay(desk, window, framed)
    write_in(desk, given, "words")
    save_copy(desk, window, path)
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None and inner(copy).ready)
    [made] = [one.value for one in lying_in(copy)["Frame"].parameters]
    assert isinstance(made, Reference)
    write_in(desk, given, "NEW ")
    assert text_in(desk, made) == "words"


@pytest.mark.parametrize(
    ("bound", "value", "words"),
    [
        ("state_collector.LARGEST_FILE", 10, "its contents, such as “List”, are too large"),
        ("state_collector.MOST_THINGS", 1, "it contains more than 1 objects"),
        ("deep_copy.LARGEST_FILE", 10, "“Table” would have 0.0 MB with its contents"),
        ("deep_copy.LONGEST_REFERENCE", 10, "“List” in “Table” would have"),
        ("recipe.LARGEST_FILE", 10, "with its contents; the limit is 0.0 MB"),
    ],
)
def test_a_copy_that_would_be_too_large_is_refused_with_a_reason(
    desk: Any, path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, value: int, words: str
) -> None:
    window = begun(desk, desktop("Table"), "table")
    lay(desk, window, note("List"))
    monkeypatch.setattr(f"liven.liveobjects.copying.{bound}", value)
    assert words in save_copy(desk, window, path)
    assert not path.exists()


def test_copying_can_be_cancelled_and_stops_when_the_window_closes(
    desk: Any, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("liven.liveobjects.copying.state_collector.has_begun", lambda _: False)
    window = begun(desk, desktop("Table"), "table")
    lay(desk, window, note("List"))
    desk.press(window, "Save a copy…")
    bar = window.findChild(CopyProgressBar)
    assert isinstance(bar, CopyProgressBar)
    [cancel] = bar.findChildren(QPushButton)
    cancel.click()
    assert not bar.isVisible()
    desk.press(window, "Save a copy…")
    gathering = window.menus._file_actions._collector
    assert isinstance(gathering, StateCollector)
    window.close()
    assert gathering.done.settled
    assert not path.exists()
