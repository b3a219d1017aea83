"""Close everything, open it again, and find it unchanged: window positions, panels and view settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QListWidget

from liven.app.palette.new_objects import KINDS, desktop, note
from liven.app.window.pages.prompt_bar import PromptBar
from liven.liveobjects.text.view.text_view import TextView
from liven.runtime.reference.xml import write

CONTROL = Qt.KeyboardModifier.ControlModifier
AREA = (40, 30, 620, 480)


@pytest.fixture
def again(desk: Any, qtbot: Any) -> Iterator[Any]:
    """End the program and start it again."""
    begun: list[Any] = []

    def begin() -> Any:
        (begun[-1] if begun else desk).close()
        begun.append(type(desk)(qtbot, desk.folder))
        return begun[-1]

    yield begin
    for one in begun:
        one.close()


def begun(desk: Any, thing: Any, name: str = "thing") -> Any:
    """Open a window on an object and wait until its state is shown."""
    window = desk.open(thing, name)
    model = window.handle.proxy().instance
    desk.wait(lambda: getattr(model, "ready", True))
    QApplication.processEvents()
    return window


def scroll(canvas: Any, by: int, keys: Any = Qt.KeyboardModifier.NoModifier) -> None:
    at = QPointF(canvas.rect().center())
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    there = QPointF(canvas.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(canvas, QWheelEvent(at, there, QPoint(), QPoint(0, by), none, keys, phase, False))


def camera(window: Any) -> tuple[float, float, float]:
    seen = window.centralWidget().camera
    return round(seen.corner.x(), 1), round(seen.corner.y(), 1), round(seen.zoom, 4)


def lay(desk: Any, window: Any, *names: str) -> None:
    for name in names:
        window.view.insert(write(note(name)).decode(), name)
    editor = window.centralWidget().editor
    desk.wait(lambda: len(editor.confirmed.items) == len(names) and not editor.pending)


def test_a_window_reopens_at_its_old_position(desk: Any, again: Any) -> None:
    thing = note("List")
    desk.open(thing).setGeometry(*AREA)
    window = again().open(thing)
    assert window.geometry().getRect() == AREA


def test_a_maximized_window_reopens_maximized_and_keeps_its_normal_size(desk: Any, again: Any) -> None:
    thing = note("List")
    window = desk.open(thing)
    window.setGeometry(*AREA)
    QApplication.processEvents()
    window.showMaximized()
    desk.wait(window.isMaximized)
    window = again().open(thing)
    assert window.isMaximized()
    window.showNormal()
    desk.wait(lambda: window.geometry().getRect() == AREA)


def test_a_second_window_on_the_same_object_does_not_cover_the_first(desk: Any) -> None:
    thing = note("List")
    first = desk.open(thing)
    first.setGeometry(*AREA)
    first.close()
    first, second = desk.open(thing), desk.open(thing, "again")
    assert first.geometry().getRect() == AREA
    assert second.size() == first.size()
    assert second.pos() != first.pos()


def test_each_program_of_a_user_has_its_own_saved_state(desk: Any, qtbot: Any) -> None:
    thing = note("List")
    desk.open(thing).setGeometry(*AREA)
    desk.windows.close_all()
    other = type(desk)(qtbot, desk.folder)
    assert other.program.person.slot == 2
    assert other.open(thing).geometry().getRect() != AREA
    other.close()


@pytest.mark.slow
def test_the_visible_part_of_a_desktop_is_restored(desk: Any, again: Any) -> None:
    thing = desktop("Table")
    window = begun(desk, thing)
    lay(desk, window, "a", "b", "c")
    scroll(window.centralWidget(), 240, CONTROL)
    scroll(window.centralWidget(), -90)
    before = camera(window)
    assert before[2] != 1
    desk = again()
    window = begun(desk, thing)
    desk.wait(lambda: len(window.centralWidget().state.items) == 3)
    desk.wait(lambda: window.centralWidget().initial_viewport.over)
    assert camera(window) == before


@pytest.mark.slow
def test_if_the_saved_place_is_empty_everything_is_shown(desk: Any, again: Any) -> None:
    thing = desktop("Table")
    window = begun(desk, thing)
    lay(desk, window, "a")
    for _ in range(60):
        scroll(window.centralWidget(), -500)
    desk = again()
    window = begun(desk, thing)
    desk.wait(lambda: window.centralWidget().initial_viewport.over)
    canvas = window.centralWidget()
    [item] = canvas.state.items.values()
    at = canvas.camera.to_window(QPointF(item.place.x, item.place.y))
    assert canvas.rect().contains(at.toPoint())


def test_shown_and_hidden_parts_of_a_desktop_are_restored(desk: Any, again: Any) -> None:
    thing = desktop("Table")
    window = begun(desk, thing)
    for words in (
        "Grid",
        "Snap to edges and grid",
        "Other people's pointers",
        "Minimap",
    ):
        desk.press(window, words)
    assert window.centralWidget().minimap.isVisible()
    window = begun(again(), thing)
    canvas = window.centralWidget()
    assert (canvas.grid, canvas.snapping, canvas.collaborators.pointers) == (False, False, False)
    assert canvas.minimap.wanted


def test_scroll_position_and_caret_are_restored(desk: Any, again: Any) -> None:
    thing = note("Long")
    window = begun(desk, thing)
    page: Any = window.centralWidget()
    QTest.keyClicks(page, "begin ")
    page.insertPlainText("\n".join(f"line {number}" for number in range(300)))
    desk.wait(lambda: window.handle.proxy().instance.note.pending == 0)
    for _ in range(100):
        QTest.keyClick(page, Qt.Key.Key_Up)
    caret, top = page.places()[0], page.reading.view_state()["top"]
    assert top > 0
    desk = again()
    window = begun(desk, thing)
    page = window.centralWidget()
    desk.wait(lambda: page.places()[0] == caret)
    assert page.reading.view_state() == {"caret": caret, "top": top}
    QTest.keyClicks(page, "X")
    assert page.toPlainText()[caret] == "X"


def test_typing_before_the_text_is_loaded_keeps_the_caret(desk: Any) -> None:
    window = begun(desk, note("Long"))
    page: Any = window.centralWidget()
    page.reading.take({"caret": 50, "top": 0})
    QTest.keyClicks(page, "x" * 80)
    QApplication.processEvents()
    assert page.places()[0] == 80


def test_the_list_mode_of_a_folder_is_restored(desk: Any, again: Any) -> None:
    thing = next(kind.make("Box") for kind in KINDS if kind.name == "Folder")
    desk.press(begun(desk, thing), "Show a list")
    window = begun(again(), thing)
    assert window.centralWidget().viewMode() is QListWidget.ViewMode.ListMode


def panels(window: Any) -> set[str]:
    return {one.objectName() for one in window.findChildren(QDockWidget) if not one.isHidden()}


@pytest.mark.slow
def test_panels_are_restored(desk: Any, again: Any) -> None:
    thing = desktop("Table")
    window = begun(desk, thing)
    window.resize(1000, 800)
    for words in ("Network monitor", "Inspector", "Problems panel"):
        desk.press(window, words)
        QApplication.processEvents()
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.problems)
    open_windows = {"problems", "network", "inspector"}
    assert panels(window) == open_windows
    window = begun(again(), thing)
    assert panels(window) == open_windows
    assert window.dockWidgetArea(window.problems) is Qt.DockWidgetArea.RightDockWidgetArea
    assert len(window.tabifiedDockWidgets(dock(window, "network"))) == 1


def dock(window: Any, name: str) -> Any:
    return window.findChild(QDockWidget, name)


def seen(window: Any) -> list[str]:
    """Return the visible bottom panels; of tabbed ones only that in front."""
    names = ("problems", "inspector", "network")
    found = [one for one in (dock(window, name) for name in names) if one is not None]
    return [one.objectName() for one in found if one.isVisible() and not one.visibleRegion().isEmpty()]


def test_in_a_narrow_window_the_last_opened_panel_is_in_front(desk: Any) -> None:
    window = begun(desk, desktop("Table"))
    window.resize(900, 700)
    for words, name in (("Inspector", "inspector"), ("Network monitor", "network")):
        desk.press(window, words)
        desk.wait(lambda name=name: seen(window) == [name])
    desk.press(window, "Inspector")
    desk.wait(lambda: seen(window) == ["inspector"])
    desk.press(window, "Inspector")
    desk.wait(lambda: seen(window) == ["network"])


def test_in_a_wide_window_panels_are_side_by_side(desk: Any) -> None:
    window = begun(desk, desktop("Table"))
    window.resize(1400, 900)
    for words in ("Inspector", "Network monitor"):
        desk.press(window, words)
    desk.wait(lambda: seen(window) == ["inspector", "network"])


def test_an_offer_stays_when_panels_are_restored(desk: Any, again: Any) -> None:
    thing = desktop("Table")
    desk.press(begun(desk, thing), "Inspector")
    desk = again()
    window = desk.windows.open_file(desk.file("thing", thing))
    PromptBar(window, "It had open: a list.", "Reopen", lambda: None, no="Do not reopen")
    desk.wait(lambda: panels(window) == {"inspector"})
    assert window.findChild(PromptBar).isVisible()


def remembered(desk: Any) -> Path:
    [found] = (desk.folders.state / "left").glob("*/*")
    return Path(found)


@pytest.mark.parametrize("layout", ["", "no base64", "QUJD" * 100, "AAAA/wAAAAD9AAAA"])
def test_an_invalid_layout_leaves_the_panels_unchanged(desk: Any, again: Any, layout: str) -> None:
    thing = desktop("Table")
    desk.press(begun(desk, thing), "Inspector")
    desk.windows.close_all()
    path = remembered(desk)
    found = json.loads(path.read_text())
    path.write_text(json.dumps({**found, "layout": layout, "panels": ["inspector", "no such"]}))
    window = begun(again(), thing)
    assert panels(window) == {"inspector"}


@pytest.mark.slow
def test_the_state_is_restored_after_a_crash(desk: Any) -> None:
    """It is saved during work, not only on closing."""
    thing = desktop("Table")
    window = begun(desk, thing)
    lay(desk, window, "a")
    scroll(window.centralWidget(), -90)
    y = camera(window)[1]

    def written() -> bool:
        found = (desk.folders.state / "left").glob("*/*")
        return [json.loads(path.read_text())["outlook"].get("y") for path in found] == [
            pytest.approx(y, abs=1)
        ]

    desk.wait(written)


def test_restarting_keeps_the_scroll_position(desk: Any) -> None:
    window = begun(desk, desktop("Table"))
    lay(desk, window, "a")
    scroll(window.centralWidget(), 240, CONTROL)
    before, first = camera(window), window.view
    desk.press(window, "Restart this object")
    desk.wait(lambda: window.view not in (None, first))
    assert camera(window) == before


def test_a_view_that_cannot_save_its_settings_is_reported_once(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raises(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(TextView, "view_state", raises)
    window = begun(desk, note("List"))
    window.close()
    [problem] = list(desk.problems)
    assert "its view cannot save its settings: RuntimeError: boom" in problem.what


def test_a_view_that_cannot_restore_its_settings_is_shown(
    desk: Any, again: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raises(*_: object) -> None:
        raise RuntimeError("boom")

    thing = note("List")
    begun(desk, thing)
    desk = again()
    monkeypatch.setattr(TextView, "restore_view_state", raises)
    window = begun(desk, thing)
    QTest.keyClicks(window.centralWidget(), "milk")
    assert window.centralWidget().toPlainText() == "milk"
    [problem] = list(desk.problems)
    assert "boom" in problem.what


def test_no_save_is_pending_after_the_last_window_closed(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.panels.show("inspector")
    window.close()
    assert not desk.windows._looked.isActive()
