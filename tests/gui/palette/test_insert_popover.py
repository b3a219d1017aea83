"""The insert popover: its tiles, their order, finding, putting and dragging, and the living example."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.app.palette import tile_button
from liven.app.palette.insert_popover import InsertPopover
from liven.app.palette.kind_facts import FACTS
from liven.app.palette.new_objects import KINDS
from liven.app.palette.sections import NEW
from liven.app.palette.tile_button import TileButton
from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.folder.recipe import view_of_disk
from liven.liveobjects.vote.object import VoteObject
from liven.runtime.folder.item_files import MIME
from liven.runtime.reference.model import Object, Parameter, Reference
from liven.runtime.reference.xml import read, write

SAMPLES = Path(__file__).parents[3] / "samples"


def register(desk: Any, key: str, thing: Object) -> None:
    folder = desk.folders.config / "registry" / key
    folder.mkdir(parents=True)
    (folder / "entry.liveobject").write_bytes(write(thing))


def save(desk: Any, name: str, data: bytes) -> None:
    folder = desk.folders.data / "objects"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.liveobject").write_bytes(data)


def popover(window: Any) -> InsertPopover:
    found = window.insertion.popover
    assert isinstance(found, InsertPopover)
    return found


def names(shown: InsertPopover) -> list[str]:
    return [one.text() for one in shown.grid.tiles]


def tile(shown: InsertPopover, name: str) -> TileButton:
    return next(one for one in shown.grid.tiles if one.text() == name)


def opened(desk: Any, thing: Object) -> tuple[Any, InsertPopover]:
    """Open a window with its popover, and wait until everything is listed."""
    window = desk.open(thing)
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    desk.press(window, "Add something…")
    shown = popover(window)
    desk.wait(lambda: "Samples" in shown.grid.headings)
    desk.wait(shown.field.hasFocus)
    return window, shown


def labels(window: Any) -> list[str]:
    return [item.label for item in window.centralWidget().state.items.values()]


def test_new_objects_stand_first_and_each_has_its_facts(desk: Any, local_recipe: Any) -> None:
    _, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    assert shown.grid.headings[:3] == ("Write and show", "Talk and decide", "Keep together")
    assert {one.name for one in KINDS} <= set(names(shown))
    assert all(kind.name in FACTS for section in NEW for kind in section.kinds)
    assert all(one.fits for one in shown.grid.tiles[:13])


def test_typing_filters_and_enter_puts_what_is_chosen(desk: Any, local_recipe: Any) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    QTest.keyClicks(shown.field, "poll")  # another program's word for it
    assert names(shown)[0] == "Vote"
    assert shown.grid.current is not None
    assert shown.grid.current.name == "Vote"
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    desk.wait(lambda: labels(window) == ["Vote"])
    assert window.insertion.popover is None
    canvas = window.centralWidget()
    desk.wait(canvas.hasFocus)  # keys are for what lies there now


def test_nothing_found_puts_nothing(desk: Any, local_recipe: Any) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    QTest.keyClicks(shown.field, "nothing is called so")
    assert names(shown) == []
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    assert not window.centralWidget().state.items
    assert popover(window) is shown


def test_arrow_keys_move_through_the_grid(desk: Any, local_recipe: Any) -> None:
    _, shown = opened(desk, local_recipe("liven:desktop", "Table"))

    def after(*keys: Qt.Key) -> str:
        for key in keys:
            QTest.keyClick(shown.field, key)
        assert shown.grid.current is not None
        return shown.grid.current.name

    assert after() == "Note"
    assert after(Qt.Key.Key_Right) == "Text"
    assert after(Qt.Key.Key_Down) == "Vote"
    assert after(Qt.Key.Key_Up, Qt.Key.Key_Up) == "Text"
    assert after(Qt.Key.Key_Left, Qt.Key.Key_Left) == "Note"
    assert tile(shown, "Note").isChecked()
    assert "Note" in shown.field.accessibleDescription()


def test_esc_clears_the_search_then_closes_and_gives_the_focus_back(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    canvas = window.centralWidget()
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Slash)
    shown = popover(window)
    desk.wait(shown.field.hasFocus)
    plus = canvas.islands.toolbar.buttons["More"]
    assert plus.isChecked()
    QTest.keyClicks(shown.field, "no")
    QTest.keyClick(shown.field, Qt.Key.Key_Escape)
    assert shown.field.text() == ""
    QTest.keyClick(shown.field, Qt.Key.Key_Escape)
    assert window.insertion.popover is None
    assert not plus.isChecked()
    desk.wait(canvas.hasFocus)


def test_the_plus_of_the_toolbar_opens_and_closes_it(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    plus = window.centralWidget().islands.toolbar.buttons["More"]
    desk.click(plus)
    shown = popover(window)
    assert shown.geometry().bottom() < plus.parentWidget().y()
    assert shown.geometry().left() < plus.mapTo(window.centralWidget(), QPoint(20, 0)).x()
    assert window.centralWidget().rect().contains(shown.geometry())
    desk.click(plus)
    assert window.insertion.popover is None


def test_a_press_elsewhere_closes_it(desk: Any, local_recipe: Any) -> None:
    window, _ = opened(desk, local_recipe("liven:desktop", "Table"))
    QTest.mouseClick(window.centralWidget(), Qt.MouseButton.LeftButton, pos=QPoint(4, 300))
    assert window.insertion.popover is None


def test_a_click_chooses_and_a_second_one_puts(desk: Any, local_recipe: Any) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    desk.click(tile(shown, "Folder"))
    assert shown.grid.current is not None
    assert shown.grid.current.name == "Folder"
    assert not labels(window)
    desk.click(tile(shown, "Folder"))
    desk.wait(lambda: labels(window) == ["Folder"])


def test_put_it_here_puts_what_is_chosen(desk: Any, local_recipe: Any) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    desk.click(tile(shown, "Chat"))
    desk.click(shown.button)
    desk.wait(lambda: labels(window) == ["Chat"])


def test_a_drag_takes_a_new_object_out_and_closes_the_popover(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    dragged: list[bytes] = []

    class Drag(QDrag):
        def exec(self, *_: Any) -> Qt.DropAction:
            dragged.append(bytes(self.mimeData().data(MIME).data()))
            return Qt.DropAction.CopyAction

    monkeypatch.setattr(tile_button, "QDrag", Drag)
    one = tile(shown, "Counter")
    middle = one.rect().center()
    QTest.mousePress(one, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(one, middle + QPoint(QApplication.startDragDistance() + 5, 0))
    [recipe] = dragged
    found = read(recipe).object
    assert isinstance(found, Reference)
    assert found.id == "liven:shared-counter"
    assert window.insertion.popover is None


def test_the_chosen_kind_lives_and_a_press_in_its_face_acts(desk: Any, local_recipe: Any) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    desk.click(tile(shown, "Vote"))
    desk.wait(lambda: shown.pane.face.view is not None)
    view: Any = shown.pane.face.view
    vote = view.model
    assert isinstance(vote, VoteObject)
    assert vote.editor.state.question == "Which one?"
    area, scale = shown.pane.face._place(view)
    zones = view.zones(QRectF(QPointF(0, 0), area.size() / scale))
    zone = next(one for one in zones if "That" in one.words)
    at = area.topLeft() + zone.area.center() * scale
    QTest.mouseClick(shown.pane.face, Qt.MouseButton.LeftButton, pos=at.toPoint())
    desk.wait(lambda: vote.mine == "that")
    assert not labels(window)
    shown.close_popover()
    desk.wait(lambda: not [one for one in desk.program.session.node.running.values() if one is vote])
    assert not list(desk.problems)


@pytest.mark.parametrize("name", ["Note", "Chat", "Counter", "Colour", "Desktop", "Folder", "Image", "Text"])
def test_each_kind_has_a_living_face(desk: Any, local_recipe: Any, name: str) -> None:
    _, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    if name != "Note":  # which is chosen at the beginning
        desk.click(tile(shown, name))
    desk.wait(lambda: shown.pane.face.view is not None)
    seen = shown.pane.face.grab().toImage()
    assert len({seen.pixelColor(x, 60).name() for x in range(20, seen.width() - 20, 3)}) >= 1
    assert not list(desk.problems)


def test_the_frame_is_added_by_the_action_of_the_desktop(desk: Any, local_recipe: Any) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    QTest.keyClicks(shown.field, "named area")
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    desk.wait(lambda: labels(window) == ["Frame"])


def test_user_objects_are_listed_and_unfitting_ones_are_grey(desk: Any, local_recipe: Any) -> None:
    save(desk, "mine", write(local_recipe("liven:text", "Mine")))
    save(desk, "line", write(channel_reference("home/a/b")))
    save(desk, "broken", b"nonsense")
    register(desk, "rota of the week", local_recipe("liven:text", "Rota"))
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    assert not tile(shown, "line").fits
    assert tile(shown, "line").accessibleName().endswith("does not fit here")
    assert tile(shown, "Mine").fits
    assert "broken" not in names(shown)
    assert "Rota" in names(shown)
    shown.grid.ensureWidgetVisible(tile(shown, "line"))
    for _ in range(2):
        desk.click(tile(shown, "line"))
    assert "cannot be put on a desktop" in window._message.text()
    assert not labels(window)


def test_adding_a_sample_adds_the_object_of_its_file(desk: Any, local_recipe: Any) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    QTest.keyClicks(shown.field, "box sample")
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    desk.wait(lambda: labels(window) == ["Box"])
    [laid] = window.centralWidget().state.items.values()
    sample = read((SAMPLES / "objects" / "window.liveobject").read_bytes()).object
    assert read(laid.reference.encode()).object == sample


def test_a_folder_takes_all_but_what_lies_on_a_plane_only(desk: Any) -> None:
    save(desk, "line", write(channel_reference("home/a/b")))
    shelf = desk.folders.data / "objects" / "shelf"  # needs no question
    shelf.mkdir(parents=True)
    folder = desk.open(view_of_disk("Shelf", str(shelf)))
    desk.wait(lambda: not folder.view.shelf.state_in_words)
    desk.press(folder, "Add something…")
    shown = popover(folder)
    desk.wait(lambda: "line" in names(shown))
    assert {one.text() for one in shown.grid.tiles if not one.fits} == {"Frame", "From a file…"}
    QTest.keyClicks(shown.field, "line objects")
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    desk.wait(lambda: [one.stem for one in shelf.iterdir()] == ["line"])


def test_a_read_only_folder_accepts_nothing_and_says_so(desk: Any) -> None:
    inside = Parameter("folder", Reference("liven:communication-systems"))
    folder = desk.open(Reference("liven:folder-view", (inside,)))
    desk.wait(lambda: not folder.view.shelf.state_in_words)
    desk.press(folder, "Add something…")
    shown = popover(folder)
    assert not any(one.fits for one in shown.grid.tiles)
    QTest.keyClicks(shown.field, "note page")
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    assert folder._message.text() == "Put in Note: this folder is read-only"


def test_a_note_takes_nothing_and_says_so(desk: Any, local_recipe: Any) -> None:
    note = desk.open(local_recipe("liven:text", "Mine"))
    desk.press(note, "Add something…")
    assert note.insertion.popover is None
    assert "Open a desktop" in note._message.text()


def test_closing_the_window_while_files_are_read_is_harmless(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    other = desk.open(local_recipe("liven:desktop", "Other"))
    desk.press(window, "Add something…")
    window.close()
    desk.press(other, "Add something…")
    desk.wait(lambda: "Samples" in popover(other).grid.headings)
    assert not list(desk.problems)


def test_it_stays_inside_a_small_window(desk: Any, local_recipe: Any) -> None:
    window, shown = opened(desk, local_recipe("liven:desktop", "Table"))
    for size in ((700, 500), (480, 420), (1200, 900)):
        window.resize(*size)
        desk.wait(lambda size=size: shown.pane.isVisible() == (size[0] > 560))
        desk.wait(lambda: window.centralWidget().rect().contains(shown.geometry()))


def double_click(canvas: Any, x: int, y: int) -> None:
    at = QPoint(x, y)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_double_clicking_an_empty_place_adds_something_there(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    canvas = window.centralWidget()
    where = canvas.camera.to_plane(QPointF(600, 300))
    double_click(canvas, 600, 300)
    shown = popover(window)
    desk.wait(shown.field.hasFocus)
    QTest.keyClicks(shown.field, "note page")
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    desk.wait(lambda: canvas.state.items)
    [item] = canvas.state.items.values()
    assert abs(item.place.x + item.place.width / 2 - where.x()) <= 20
    assert abs(item.place.y + item.place.height / 2 - where.y()) <= 20
    assert rect(item.place).contains(where)


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


@pytest.mark.parametrize("x", [40, 860])
def test_an_item_added_at_the_edge_is_completely_visible(desk: Any, local_recipe: Any, x: int) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    canvas = window.centralWidget()
    where = canvas.camera.to_plane(QPointF(x, 300))
    double_click(canvas, x, 300)
    field = popover(window).field
    QTest.keyClicks(field, "note page")
    QTest.keyClick(field, Qt.Key.Key_Return)
    desk.wait(lambda: canvas.state.items)
    [item] = canvas.state.items.values()
    assert rect(item.place).contains(where)
    seen = canvas.camera.transform().mapRect(rect(item.place))
    assert QRectF(canvas.rect()).contains(seen)


def test_an_item_added_beside_another_one_is_under_the_mouse(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    canvas = window.centralWidget()
    places = []
    for x in (300, 560):
        places.append(canvas.camera.to_plane(QPointF(x, 250)))
        double_click(canvas, x, 250)
        field = popover(window).field
        QTest.keyClicks(field, "note page")
        QTest.keyClick(field, Qt.Key.Key_Return)
        desk.wait(lambda: len(canvas.state.items) == len(places))
    items = canvas.state.items.values()
    assert all(any(rect(item.place).contains(place) for item in items) for place in places)
