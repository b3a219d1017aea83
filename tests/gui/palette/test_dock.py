"""The palette: its entries, their order, and picking one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem

from liven.app.palette.dock import Palette
from liven.app.palette.new_objects import Kind
from liven.app.palette.sections import NEW, ExistingObject, Section
from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.folder.recipe import view_of_disk
from liven.liveobjects.new_objects import window as a_window
from liven.runtime.reference.model import Object, Parameter, Reference
from liven.runtime.reference.xml import read, write

SAMPLES = Path(__file__).parents[3] / "samples"


def items(window: Any) -> list[QListWidgetItem]:
    """Return the visible entries, including headings."""
    listed = window.palette_dock.findChild(QListWidget)
    found = [listed.item(at) for at in range(listed.count())]
    return [one for one in found if not one.isHidden()]


def is_heading(item: QListWidgetItem) -> bool:
    return not item.flags() & Qt.ItemFlag.ItemIsEnabled


def rows(window: Any, section: str = "") -> list[str]:
    """Return the visible names, below one heading or all."""
    found, below = [], ""
    for item in items(window):
        if is_heading(item):
            below = item.text()
        elif section in ("", below):
            found.append(item.text().partition("\n")[0])
    return found


def headings(window: Any) -> list[str]:
    return [one.text() for one in items(window) if is_heading(one)]


def opened(desk: Any, thing: Object) -> Any:
    """Open a window with its palette, and wait until everything is listed."""
    window = desk.open(thing)
    desk.press(window, "Palette")
    desk.wait(lambda: "Samples" in headings(window))
    return window


def register(desk: Any, key: str, thing: Object) -> None:
    folder = desk.folders.config / "registry" / key
    folder.mkdir(parents=True)
    (folder / "entry.liveobject").write_bytes(write(thing))


def save(desk: Any, name: str, data: bytes) -> None:
    folder = desk.folders.data / "objects"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.liveobject").write_bytes(data)


def test_user_objects_are_listed_and_unfitting_entries_come_last(desk: Any, local_recipe: Any) -> None:
    save(desk, "mine", write(local_recipe("liven:text", "Mine")))
    save(desk, "line", write(channel_reference("home/a/b")))
    save(desk, "broken", b"nonsense")
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    assert rows(window, "Your objects") == ["Mine", "line"]
    assert "Note" in rows(window, "New")[:3]
    assert "broken" not in rows(window)


def test_the_palette_opens_in_its_search_field_and_enter_adds_the_match(desk: Any, local_recipe: Any) -> None:
    save(desk, "mine", write(local_recipe("liven:text", "Mine")))
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    desk.press(window, "Palette")
    desk.wait(lambda: "Mine" in rows(window))
    line, canvas = window.palette_dock.findChild(QLineEdit), window.centralWidget()
    desk.wait(line.hasFocus)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert not canvas.state.items  # nothing was looked for
    QTest.keyClicks(line, "min")
    QTest.keyClick(line, Qt.Key.Key_Return)
    desk.wait(lambda: [item.label for item in canvas.state.items.values()] == ["Mine"])
    desk.wait(canvas.hasFocus)  # keys are for what lies there now
    desk.press(window, "Palette")
    assert not window.palette_dock.isVisible()
    desk.wait(canvas.hasFocus)


def test_a_name_is_painted_larger_than_its_description(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    desk.press(window, "Palette")
    listed = window.palette_dock.findChild(QListWidget)
    item = listed.item(1)  # below the first heading
    index = listed.indexFromItem(item)
    area = listed.visualRect(index)
    assert area.height() >= 2 * listed.fontMetrics().height()
    seen = listed.viewport().grab(area).toImage()
    middle = seen.height() // 2
    ink = [
        sum(255 - seen.pixelColor(x, y).lightness() for x in range(seen.width()) for y in rows)
        for rows in (range(middle), range(middle, seen.height()))
    ]
    assert ink[0] > 0
    assert ink[1] > 0
    name, words = item.text().split("\n")
    assert ink[0] / len(name) > ink[1] / len(words)


def test_picking_adds_an_item_or_says_why_it_does_not_fit(desk: Any, local_recipe: Any) -> None:
    save(desk, "mine", write(local_recipe("liven:text", "Mine")))
    save(desk, "line", write(channel_reference("home/a/b")))
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    listed = window.palette_dock.findChild(QListWidget)
    line = window.palette_dock.findChild(QLineEdit)
    QTest.keyClicks(line, "min")
    [heading, found] = items(window)
    assert heading.text() == "Your objects"
    at = listed.row(found)
    window.activateWindow()
    listed.setFocus()
    desk.wait(listed.hasFocus)
    listed.setCurrentRow(at)
    QTest.keyClick(listed, Qt.Key.Key_Return)
    canvas = window.centralWidget()
    desk.wait(lambda: [item.label for item in canvas.state.items.values()] == ["Mine"])
    line.clear()
    listed.setFocus()
    desk.wait(listed.hasFocus)
    listed.setCurrentItem(next(one for one in items(window) if one.text().startswith("line\n")))
    QTest.keyClick(listed, Qt.Key.Key_Return)
    assert "cannot be put on a desktop" in window._message.text()
    assert len(canvas.state.items) == 1


def test_samples_are_listed_and_adding_one_adds_the_object_of_its_file(desk: Any, local_recipe: Any) -> None:
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    assert headings(window)[:2] == ["New", "Samples"]  # and the registry, of which nothing can be seen, below
    files = sorted(path for path in SAMPLES.rglob("*.liveobject"))
    assert len(rows(window, "Samples")) == len(files)
    line, canvas = window.palette_dock.findChild(QLineEdit), window.centralWidget()
    QTest.keyClicks(line, "box sample")
    assert headings(window) == ["Samples"]
    QTest.keyClick(line, Qt.Key.Key_Return)
    desk.wait(lambda: [item.label for item in canvas.state.items.values()] == ["Box"])
    [laid] = canvas.state.items.values()
    sample = read((SAMPLES / "objects" / "window.liveobject").read_bytes()).object
    assert read(laid.reference.encode()).object == sample


def test_registry_entries_are_listed_and_can_be_added(desk: Any, local_recipe: Any) -> None:
    entry = local_recipe("liven:text", "Rota")
    register(desk, "rota of the week", entry)
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    assert rows(window, "Registry")[0] == "Rota"
    assert "communication" in rows(window, "Registry")  # a default, which cannot be seen on a desktop
    line, canvas = window.palette_dock.findChild(QLineEdit), window.centralWidget()
    QTest.keyClicks(line, "rota")
    assert headings(window) == ["Registry"]
    QTest.keyClick(line, Qt.Key.Key_Return)
    desk.wait(lambda: [item.label for item in canvas.state.items.values()] == ["Rota"])
    [laid] = canvas.state.items.values()
    assert read(laid.reference.encode()).object == entry


def test_new_files_appear_when_the_palette_opens_again(desk: Any, local_recipe: Any) -> None:
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    assert "Your objects" not in headings(window)
    desk.press(window, "Palette")
    save(desk, "late", write(local_recipe("liven:text", "Late")))
    register(desk, "rota", local_recipe("liven:text", "Rota"))
    desk.press(window, "Palette")
    desk.wait(lambda: rows(window, "Your objects") == ["Late"])
    assert "Rota" in rows(window, "Registry")


def test_arrow_keys_skip_headings(desk: Any, local_recipe: Any) -> None:
    save(desk, "mine", write(local_recipe("liven:text", "Mine")))
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    listed = window.palette_dock.findChild(QListWidget)
    listed.setFocus()
    desk.wait(listed.hasFocus)
    listed.setCurrentRow(1)
    seen = [listed.currentItem()]
    for _ in range(len(rows(window)) - 1):
        QTest.keyClick(listed, Qt.Key.Key_Down)
        seen.append(listed.currentItem())
    assert seen == [one for one in items(window) if not is_heading(one)]
    for _ in seen[1:]:
        QTest.keyClick(listed, Qt.Key.Key_Up)
    assert listed.currentItem() is seen[0]
    QTest.keyClick(listed, Qt.Key.Key_Up)
    assert listed.currentItem() is seen[0]


def test_a_heading_cannot_be_picked(desk: Any, local_recipe: Any) -> None:
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    listed, line = (window.palette_dock.findChild(one) for one in (QListWidget, QLineEdit))
    heading = next(one for one in items(window) if one.text() == "Samples")
    listed.scrollToItem(heading)
    place = listed.visualItemRect(heading).center()
    QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not window.centralWidget().state.items
    QTest.keyClicks(line, "nothing is called so")
    assert items(window) == []
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert not window.centralWidget().state.items
    line.clear()
    assert "Samples" in headings(window)


def test_screen_readers_get_headings_and_unfitting_entries(desk: Any, local_recipe: Any) -> None:
    save(desk, "line", write(channel_reference("home/a/b")))
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    told = [one.data(Qt.ItemDataRole.AccessibleTextRole) for one in items(window)]
    assert told[:2] == ["New: section", "Note, a shared page of text"]
    assert "line, from objects; does not fit here" in told


def test_unfitting_sections_come_last_and_empty_ones_are_hidden(qtbot: Any) -> None:
    asked: list[Any] = []
    palette = Palette(lambda *_: None, asked.append)
    qtbot.addWidget(palette)
    window = type("Window", (), {"palette_dock": palette})
    good, bad = (Kind(name, "", ExistingObject(NEW.kinds[0].make(name))) for name in ("good", "bad"))
    palette.show()
    palette.hide()
    palette.show()
    assert len(asked) == 1  # what was asked for is not here yet
    palette.rank(lambda thing: thing == good.make(""))
    asked[0]((Section("Samples", (bad, good)), Section("Registry", ())))
    assert headings(window) == ["Samples", "New"]
    assert rows(window, "Samples") == ["good", "bad"]
    palette.rank(lambda _: True)
    assert headings(window) == ["New", "Samples"]
    assert {one.foreground().style() for one in items(window)} == {Qt.BrushStyle.NoBrush}


def test_the_selection_survives_a_change_of_the_list(desk: Any, local_recipe: Any) -> None:
    window = opened(desk, local_recipe("liven:desktop", "Table"))
    listed = window.palette_dock.findChild(QListWidget)
    listed.setCurrentRow(3)
    chosen = listed.currentItem().text()
    desk.press(window, "Palette")
    save(desk, "late", write(local_recipe("liven:text", "Late")))
    desk.press(window, "Palette")
    desk.wait(lambda: "Late" in rows(window))
    assert listed.currentItem().text() == chosen


def test_closing_the_window_while_files_are_read_is_harmless(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    other = desk.open(local_recipe("liven:desktop", "Other"))
    desk.press(window, "Palette")
    window.close()
    desk.press(other, "Palette")
    desk.wait(lambda: "Samples" in headings(other))
    assert not list(desk.problems)


def grey(window: Any) -> set[str]:
    told = (str(one.data(Qt.ItemDataRole.AccessibleTextRole)) for one in items(window))
    return {one.partition(",")[0] for one in told if one.endswith("does not fit here")}


def test_a_desktop_accepts_visible_objects_and_a_folder_accepts_all(desk: Any) -> None:
    save(desk, "line", write(channel_reference("home/a/b")))
    box = opened(desk, a_window("Box"))
    assert {"line", "talk", "communication"} <= grey(box)
    assert not set(rows(box, "New")) & grey(box)
    shelf = desk.folders.data / "objects" / "shelf"  # needs no question
    shelf.mkdir(parents=True)
    folder = opened(desk, view_of_disk("Shelf", str(shelf)))
    desk.wait(lambda: not folder.view.shelf.state_in_words)
    assert grey(folder) == set()
    assert headings(folder) == ["New", "Your objects", "Samples", "Registry"]
    QTest.keyClicks(folder.palette_dock.findChild(QLineEdit), "line objects")
    QTest.keyClick(folder.palette_dock.findChild(QLineEdit), Qt.Key.Key_Return)
    desk.wait(lambda: [one.stem for one in shelf.iterdir()] == ["line"])


def test_a_read_only_folder_accepts_nothing_and_says_so(desk: Any) -> None:
    inside = Parameter("folder", Reference("liven:communication-systems"))
    folder = opened(desk, Reference("liven:folder-view", (inside,)))
    desk.wait(lambda: not folder.view.shelf.state_in_words)
    desk.press(folder, "Palette")
    desk.press(folder, "Palette")
    assert grey(folder) == set(rows(folder))
    QTest.keyClicks(folder.palette_dock.findChild(QLineEdit), "note page")
    QTest.keyClick(folder.palette_dock.findChild(QLineEdit), Qt.Key.Key_Return)
    assert folder._message.text() == "Put in Note: this folder is read-only"


def double_click(canvas: Any, x: int, y: int) -> None:
    at = QPoint(x, y)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_double_clicking_an_empty_place_opens_the_palette_for_that_place(
    desk: Any, local_recipe: Any
) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    canvas = window.centralWidget()
    where, on_screen = canvas.camera.to_plane(QPointF(600, 300)), canvas.mapToGlobal(QPointF(600, 300))
    double_click(canvas, 600, 300)
    line = window.palette_dock.findChild(QLineEdit)
    desk.wait(line.hasFocus)
    desk.wait(lambda: canvas.x() > 100)
    assert canvas.camera.to_plane(canvas.mapFromGlobal(on_screen)) == where, "it stays under the mouse"
    QTest.keyClicks(line, "note page")
    QTest.keyClick(line, Qt.Key.Key_Return)
    desk.wait(lambda: canvas.state.items)
    [item] = canvas.state.items.values()
    assert abs(item.place.x + item.place.width / 2 - where.x()) <= 20
    assert abs(item.place.y + item.place.height / 2 - where.y()) <= 20
    assert canvas.camera.to_plane(canvas.mapFromGlobal(on_screen)) == where
    window.palette_dock.hide()
    desk.wait(lambda: canvas.x() == 0)
    assert canvas.camera.to_plane(canvas.mapFromGlobal(on_screen)) == where, "and comes back with the palette"
    double_click(canvas, 200, 500)
    desk.wait(line.hasFocus)
    QTest.keyClicks(line, "chat")
    assert line.text() == "chat", "what was looked for before is gone with the first letter"


def test_only_the_next_added_item_goes_to_that_place(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.resize(1400, 900)
    canvas = window.centralWidget()
    desk.wait(lambda: canvas.width() > 1300)
    where = canvas.camera.to_plane(QPointF(300, 150))
    double_click(canvas, 300, 150)
    for name in ("a", "b"):
        window.view.insert(write(local_recipe("liven:text", name)).decode(), name)
    middle = {item.label: rect(item.place).center() for item in canvas.state.items.values()}
    assert (middle["a"] - where).manhattanLength() <= 40
    assert (middle["b"] - where).manhattanLength() > 200


def test_an_item_added_at_the_edge_is_completely_visible(desk: Any, local_recipe: Any) -> None:
    """Also under the palette, and where an opening panel covers the place."""
    for x in (40, 860):
        window = desk.open(local_recipe("liven:desktop", f"Table {x}"))
        canvas = window.centralWidget()
        where = canvas.camera.to_plane(QPointF(x, 300))
        double_click(canvas, x, 300)
        desk.wait(lambda canvas=canvas: canvas.x() > 100)
        line = window.palette_dock.findChild(QLineEdit)
        QTest.keyClicks(line, "note page")
        QTest.keyClick(line, Qt.Key.Key_Return)
        desk.wait(lambda canvas=canvas: canvas.state.items)
        [item] = canvas.state.items.values()
        assert rect(item.place).contains(where)
        seen = canvas.camera.transform().mapRect(rect(item.place))
        assert QRectF(canvas.rect()).contains(seen)


def test_an_item_added_beside_another_one_is_under_the_mouse(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    canvas = window.centralWidget()
    places = []
    for x in (500, 630):
        places.append(canvas.camera.to_plane(QPointF(x, 300)))
        double_click(canvas, x, 300)
        desk.wait(lambda: canvas.x() > 100)
        line = window.palette_dock.findChild(QLineEdit)
        QTest.keyClicks(line, "note page")
        QTest.keyClick(line, Qt.Key.Key_Return)
        desk.wait(lambda: len(canvas.state.items) == len(places))
        window.palette_dock.hide()
        desk.wait(lambda: canvas.x() == 0)
    items = canvas.state.items.values()
    assert all(any(rect(item.place).contains(place) for item in items) for place in places)
