"""The start window: the gallery, beginning, searching, stars, deleting with undo, and who is where."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QScrollArea

from liven.app.opening.link_url import link_to
from liven.app.palette import new_objects
from liven.app.start.patterns import PATTERNS
from liven.app.start.start_window import DELETED, RECENT, SAMPLES, STARRED, Here, StartWindow
from liven.liveobjects.look.view.light import current_look
from liven.runtime.reference.xml import write

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def local_kinds(monkeypatch: pytest.MonkeyPatch, local_recipe: Any) -> None:
    """Let new notes and desktops use channels that need no engine."""
    made = {"Note": "liven:text", "Desktop": "liven:desktop"}
    kinds = [new_objects.Kind(name, "", partial(local_recipe, kind)) for name, kind in made.items()]
    monkeypatch.setattr("liven.app.window.menus.menu_bar.KINDS", kinds)
    monkeypatch.setattr("liven.app.start.patterns.desktop", partial(local_recipe, "liven:desktop"))


@pytest.fixture
def start(desk: Any, local_kinds: None) -> Any:
    """The start window, shown as it is without any files."""
    desk.windows.open_files([])
    return window_of(desk)


def window_of(desk: Any) -> StartWindow:
    found = desk.windows._start.window
    assert isinstance(found, StartWindow)
    found.activateWindow()
    QApplication.processEvents()
    return found


def listed(start: StartWindow) -> list[str]:
    return [tile.text() for tile in start.grid.tiles]


def begin(desk: Any, name: str = "") -> Any:
    """Begin an empty board by its tile, and wait until it is there; name it."""
    start = window_of(desk)
    [tile] = [one for one in start.page._begin.tiles if one.pattern is PATTERNS[0]]
    before = len(desk.windows.open_windows)
    desk.click(tile)
    desk.wait(lambda: len(desk.windows.open_windows) == before + 1)
    window = desk.windows.open_windows[-1]
    desk.wait(lambda: window.view is not None)
    if name:
        window.activateWindow()
        desk.wait(window.isActiveWindow)
        island = window.centralWidget().islands.board
        desk.click(island.name)
        field = QApplication.focusWidget()
        assert field is not None
        QTest.keyClick(field, Qt.Key.Key_A, CTRL)
        QTest.keyClicks(field, name)
        QTest.keyClick(field, Qt.Key.Key_Return)
        desk.wait(lambda: window.object_title() == name)
    return window


def test_without_files_the_start_window_opens_with_the_welcome_desktop(desk: Any, start: Any) -> None:
    assert desk.windows.open_windows == []
    assert desk.windows.wanted
    assert listed(start) == ["Welcome"]
    desk.wait(lambda: start.grid.tiles[0].picture is not None)


def test_a_welcome_desktop_that_cannot_be_written_is_reported(desk: Any) -> None:
    desk.folders.data.mkdir(parents=True, exist_ok=True)
    (desk.folders.data / "objects").write_text("in the way")
    desk.windows.open_files([])
    assert "your own desktop cannot be created" in window_of(desk)._message.text()


def test_a_board_that_is_begun_is_listed_with_its_name_and_look(desk: Any, start: Any) -> None:
    window = begin(desk, "Harbour")
    path = window.file
    window.close()
    assert desk.emptied == 0, "the start window is still open"
    assert listed(start) == ["Harbour", "Welcome"]
    desk.wait(lambda: start.grid.tiles[0].picture is not None)
    QTest.keyClick(start.grid.tiles[0], Qt.Key.Key_Return)
    desk.wait(lambda: [one.file for one in desk.windows.open_windows] == [path])


@pytest.mark.parametrize("pattern", PATTERNS[1:], ids=lambda one: one.name)
@pytest.mark.slow
def test_each_pattern_opens_as_drawn(desk: Any, pattern: Any) -> None:
    desk.windows.open_files([])
    start = window_of(desk)
    start.resize(1400, 800)
    [tile] = [one for one in start.page._begin.tiles if one.pattern is pattern]
    QTest.keyClick(tile, Qt.Key.Key_Return)
    desk.wait(lambda: desk.windows.open_windows)
    [window] = desk.windows.open_windows
    desk.wait(lambda: window.view is not None and window.view.is_complete())
    labels = {item.label for item in window.centralWidget().state.items.values()}
    assert labels == {one.name for one in pattern.sheets}
    assert window.name == pattern.name


def test_search_finds_by_name_and_by_words(desk: Any, start: Any, local_recipe: Any) -> None:
    window = begin(desk, "Harbour")
    window.view.insert(write(local_recipe("liven:text", "Lamp lit at nine")).decode(), "Lamp lit at nine")
    desk.wait(lambda: window.contents_complete() and window.centralWidget().state.items)
    window.close()
    begin(desk, "Reading circle").close()
    start = window_of(desk)
    start.search()
    QTest.keyClicks(start.page.field, "read")
    assert listed(start) == ["Reading circle"]
    start.page.field.clear()
    QTest.keyClicks(start.page.field, "lamp")
    assert listed(start) == ["Harbour"]
    assert "Lamp lit at nine" in start.grid.tiles[0].subtitle
    QTest.keyClicks(start.page.field, "xyz")
    assert listed(start) == []
    assert start.page._none.isVisible()
    QTest.keyClick(start.page.field, Qt.Key.Key_Escape)
    assert len(listed(start)) == 3


def test_enter_in_the_search_opens_the_first_that_is_found(desk: Any, start: Any) -> None:
    path = begin(desk, "Harbour").file
    desk.windows.open_windows[0].close()
    start = window_of(desk)
    start.search()
    QTest.keyClicks(start.page.field, "harb")
    QTest.keyClick(start.page.field, Qt.Key.Key_Return)
    desk.wait(lambda: [one.file for one in desk.windows.open_windows] == [path])


@pytest.mark.parametrize("kind", ["liven:desktop", "liven:text"])
def test_ctrl_k_opens_the_gallery_from_every_window(desk: Any, local_recipe: Any, kind: str) -> None:
    window = desk.open(local_recipe(kind, "Mine"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    QTest.keyClick(window.view.widget(), Qt.Key.Key_K, CTRL)
    start = window_of(desk)
    desk.wait(lambda: start.focusWidget() is start.page.field)
    assert window.file.stem in [one.path.stem for one in start._boards]


@pytest.mark.parametrize("keys", [Qt.Key.Key_W, Qt.Key.Key_Q])
@pytest.mark.usefixtures("local_kinds")
def test_a_closed_desktop_is_found_again(desk: Any, local_recipe: Any, keys: Any) -> None:
    first = desk.open(local_recipe("liven:text", "first"))
    desk.press(first, "New desktop")
    window = desk.windows.open_windows[-1]
    desk.wait(lambda: window.view is not None)
    recipe = window.recipe
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    QTest.keyClick(window.view.widget(), keys, CTRL)
    desk.wait(lambda: window not in desk.windows.open_windows)
    desk.windows.open_files([])
    start = window_of(desk)
    [tile] = [one for one in start.grid.tiles if one.text() == "Desktop"]
    desk.click(tile)
    desk.wait(lambda: any(one.recipe == recipe for one in desk.windows.open_windows))


def test_an_object_that_came_by_a_link_is_listed_once(
    desk: Any, local_kinds: None, local_recipe: Any
) -> None:
    first = desk.open(local_recipe("liven:text", "first"))
    for _ in range(2):
        QGuiApplication.clipboard().setText(link_to(write(local_recipe("liven:vote", "Tea"))))
        desk.press(first, "Open from clipboard")
        window = desk.windows.open_windows[-1]
        desk.wait(lambda window=window: window.view is not None)
        window.close()
    desk.windows.open_files([])
    assert listed(window_of(desk)).count("Tea") == 1


def test_deleting_is_undone_by_the_message_and_by_ctrl_z(desk: Any, start: Any) -> None:
    begin(desk, "Harbour").close()
    start = window_of(desk)
    tile = start.grid.tiles[0]
    tile.setFocus()
    QTest.keyClick(tile, Qt.Key.Key_Delete)
    assert listed(start) == ["Welcome"]
    assert "“Harbour” is deleted" in start._message.text()
    desk.click(start._message._more)
    assert listed(start) == ["Harbour", "Welcome"]
    desk.wait(lambda: start.focusWidget() is start.grid.tiles[0])
    QTest.keyClick(start.grid.tiles[0], Qt.Key.Key_Delete)
    QTest.keyClick(start, Qt.Key.Key_Z, CTRL)
    assert listed(start) == ["Harbour", "Welcome"]
    QTest.keyClick(start, Qt.Key.Key_Z, CTRL)
    assert start._message.text() == "There is nothing to undo."


def test_what_was_deleted_is_restored_from_its_page(desk: Any, start: Any) -> None:
    begin(desk, "Harbour").close()
    start = window_of(desk)
    QTest.keyClick(start.grid.tiles[0], Qt.Key.Key_Delete)
    desk.click(start.rail.buttons[DELETED])
    assert listed(start) == ["Harbour"]
    desk.click(start.grid.tiles[0])
    assert listed(start) == []
    assert desk.windows.open_windows == []
    start.show_page("Boards")
    assert listed(start) == ["Harbour", "Welcome"]


def test_a_star_is_given_by_key_and_by_button_and_has_a_page(desk: Any, start: Any) -> None:
    begin(desk, "Harbour").close()
    start = window_of(desk)
    tile = start.grid.tiles[0]
    QTest.keyClick(tile, Qt.Key.Key_S)
    desk.click(start.rail.buttons[STARRED])
    assert listed(start) == ["Harbour"]
    assert start.grid.tiles[0].accessibleName().startswith("Harbour, starred")
    tile = start.grid.tiles[0]
    tile._show_buttons()
    desk.click(tile._buttons[0])
    assert listed(start) == []
    assert start.page._none.isVisible()
    desk.click(start.rail.buttons[RECENT])
    assert listed(start) == ["Harbour", "Welcome"]


def test_a_menu_offers_what_can_be_done(desk: Any, start: Any, monkeypatch: Any) -> None:
    menus: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: menus.append(menu))
    begin(desk, "Harbour").close()
    start = window_of(desk)
    start.grid.tiles[0].menu_wanted.emit(QPoint(100, 100))
    [menu] = menus
    entries = {one.text(): one for one in menu.actions() if one.text()}
    assert list(entries) == ["Open", "Star", "Delete"]
    entries["Delete"].trigger()
    assert listed(start) == ["Welcome"]
    menu.close()


def test_arrow_keys_move_between_boards(desk: Any, start: Any) -> None:
    for name in ("A", "B"):
        begin(desk, name).close()
    start = window_of(desk)
    start.grid.tiles[0].setFocus()
    desk.wait(lambda: start.focusWidget() is start.grid.tiles[0])
    QTest.keyClick(start.grid.tiles[0], Qt.Key.Key_Right)
    desk.wait(lambda: start.focusWidget() is start.grid.tiles[1])
    QTest.keyClick(start.grid.tiles[1], Qt.Key.Key_Left)
    desk.wait(lambda: start.focusWidget() is start.grid.tiles[0])


def test_samples_can_be_opened_and_not_deleted(desk: Any, start: Any) -> None:
    desk.click(start.rail.buttons[SAMPLES])
    before = listed(start)
    assert "Welcome" in before
    QTest.keyClick(start.grid.tiles[0], Qt.Key.Key_Delete)
    assert listed(start) == before


def test_the_program_ends_with_the_last_window_whichever_it_is(desk: Any, start: Any) -> None:
    window = begin(desk)
    start.close()
    assert desk.emptied == 0
    window.close()
    assert desk.emptied == 1
    desk.windows.open_files([])
    assert desk.windows.wanted
    QTest.keyClick(window_of(desk), Qt.Key.Key_Q, CTRL)
    assert not desk.windows.wanted
    assert desk.emptied == 2


def test_people_in_open_boards_are_shown_and_found(desk: Any, start: Any, monkeypatch: Any) -> None:
    window = begin(desk, "Harbour")
    here = (Here("Ada", "#0f7a5d"), Here("Bo", "#c04f1d"))
    monkeypatch.setattr("liven.app.program.board_looks.people_in", lambda one: here if one is window else ())
    desk.windows._show_start()
    start = window_of(desk)
    tile = start.grid.tiles[0]
    assert tile.subtitle == "2 here now"
    assert "here now: Ada, Bo" in tile.accessibleName()
    assert [name for name, _, _ in start.rail._shown] == ["Ada", "Bo"]
    start.search()
    QTest.keyClicks(start.page.field, "bo")
    assert listed(start)[0] == "Harbour"


def test_a_look_is_not_kept_of_what_is_encrypted(desk: Any, start: Any, monkeypatch: Any) -> None:
    window = begin(desk, "Harbour")
    looks = desk.windows._start._looks
    recipe = window.file.read_bytes()
    window.close()
    assert looks.picture(recipe, "day") is not None
    desk.windows.open_file(Path(start._boards[0].path))
    window = desk.windows.open_windows[-1]
    desk.wait(lambda: window.view is not None)
    monkeypatch.setattr("liven.app.program.start_screen.is_unencrypted", lambda _: False)
    window.close()
    assert looks.picture(recipe, "day") is None
    assert looks.words(recipe) == ""


def test_a_narrow_window_shows_fewer_columns(desk: Any, start: Any) -> None:
    for name in ("A", "B", "C"):
        begin(desk, name).close()
    start = window_of(desk)
    for width, columns in ((1400, 4), (880, 2)):
        start.resize(width, 700)
        desk.wait(lambda columns=columns: len({one.x() for one in start.grid.tiles}) == columns)


def test_pictures_are_read_only_for_the_boards_in_view(desk: Any, start: Any) -> None:
    looks, begun = desk.windows._start._looks, desk.windows._begun_objects
    picture = QImage(64, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor("#1f6fe0"))
    for number in range(60):
        path = begun.begin(f"Board {number}", lambda name: name.encode())
        looks.keep(path.read_bytes(), current_look().name, picture, "")
    start.resize(1200, 700)
    start.refresh()
    desk.wait(lambda: start.grid.tiles[0].picture is not None)
    desk.wait(lambda: not start.grid._soon.isActive())
    read = [tile for tile in start.grid.tiles if tile.picture is not None]
    assert 4 <= len(read) <= 20
    area = start.page.findChild(QScrollArea)
    desk.wait(lambda: area.verticalScrollBar().maximum() > 0)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    desk.wait(lambda: start.grid.tiles[-2].picture is not None)
