"""The toolbar: what each tool and its key does on the plane."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from liven.liveobjects.desktop.drawings.recipes import ink_of, shape_of
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.icons.object_kind import kind_of


def tool(board: Any, name: str) -> Any:
    return board.islands.toolbar.buttons[name]


def checked(board: Any) -> list[str]:
    return [name for name, one in board.islands.toolbar.buttons.items() if one.isChecked()]


def focused() -> Any:
    return QApplication.focusWidget()


def only(board: Any) -> Any:
    [item] = board.canvas.state.items.values()
    return item


@pytest.mark.parametrize("name", ["Note", "Text", "Vote", "Chat", "Folder", "Desktop"])
def test_an_object_is_put_where_one_clicks_and_the_tool_is_put_down(board: Any, name: str) -> None:
    board.click(tool(board, name))
    assert checked(board) == [name]
    board.click(board.canvas, QPoint(700, 420))
    item = only(board)
    assert rect(item.place).contains(board.canvas.camera.to_plane(QPointF(700, 420)))
    assert kind_of(item.reference)
    assert checked(board) == ["Select"]
    assert board.canvas.selected == {item.key}


def test_n_and_a_click_begin_a_note_and_keys_are_written_in_it(board: Any) -> None:
    board.key(Qt.Key.Key_N)
    assert checked(board) == ["Note"]
    assert "click where it goes" in board.said
    board.click(board.canvas, QPoint(500, 400))
    board.desk.wait(lambda: board.canvas.editing is not None)
    QTest.keyClicks(focused(), "vhi")
    key = only(board).key
    board.desk.wait(lambda: "vhi" in board.canvas.item_views.words(board.canvas.state.items[key]))


def test_t_and_a_click_begin_a_text_without_paper(board: Any) -> None:
    board.key(Qt.Key.Key_T)
    assert checked(board) == ["Text"]
    board.click(board.canvas, QPoint(500, 400))
    board.desk.wait(lambda: board.canvas.editing is not None)
    [choice] = [one for one in board.canvas.item_views.choices(only(board).key) if one.key == "paper"]
    assert choice.chosen() == "clear"


def test_enter_puts_the_object_in_the_middle_without_a_mouse(board: Any) -> None:
    board.key(Qt.Key.Key_N)
    board.key(Qt.Key.Key_Return)
    middle = board.canvas.visible_area.center()
    assert rect(only(board).place).contains(middle)


def test_a_tool_that_is_pressed_twice_puts_its_object(board: Any) -> None:
    board.click(tool(board, "Vote"))
    board.click(tool(board, "Vote"))
    assert rect(only(board).place).contains(board.canvas.visible_area.center())


def test_esc_puts_a_tool_down_and_a_click_then_adds_nothing(board: Any) -> None:
    board.key(Qt.Key.Key_N)
    board.key(Qt.Key.Key_Escape)
    assert checked(board) == ["Select"]
    board.click(board.canvas, QPoint(500, 400))
    assert not board.canvas.state.items


def test_h_takes_the_hand_which_pans_and_v_takes_the_arrow(board: Any) -> None:
    key = board.lay(300, 200)
    board.key(Qt.Key.Key_H)
    assert checked(board) == ["Hand"]
    before = QPointF(board.canvas.camera.corner)
    board.drag(QPointF(400, 300), QPointF(450, 320))
    assert board.canvas.camera.corner == before - QPointF(50, 20)
    assert board.canvas.state.items[key].place.x == 300
    board.key(Qt.Key.Key_V)
    assert checked(board) == ["Select"]
    board.drag(QPointF(450, 300), QPointF(550, 300))
    assert board.canvas.state.items[key].place.x == 400


def test_taking_a_tool_puts_the_hand_down(board: Any) -> None:
    board.click(tool(board, "Hand"))
    board.click(tool(board, "Note"))
    assert checked(board) == ["Note"]
    assert not board.canvas.zoom_and_view.hand


@pytest.mark.parametrize("by_key", [True, False])
def test_the_connector_is_drawn_from_one_item_to_another(board: Any, by_key: bool) -> None:
    one, other = board.lay(200, 200), board.lay(600, 200)
    board.key(Qt.Key.Key_C) if by_key else board.click(tool(board, "Connector"))
    assert checked(board) == ["Connector"]
    board.drag(QPointF(300, 275), QPointF(700, 275))
    [link] = board.canvas.state.links.values()
    assert (link.source, link.target) == (one, other)
    assert board.canvas.state.items[one].place.x == 200, "the item itself stays"
    assert checked(board) == ["Select"]


@pytest.mark.parametrize("by_key", [True, False])
def test_pictures_are_chosen_as_files(
    board: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_key: bool
) -> None:
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    picture.fill(QColor("#1f6fe0"))
    assert picture.save(str(tmp_path / "sea.png"))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(tmp_path / "sea.png")], ""))
    board.key(Qt.Key.Key_I) if by_key else board.click(tool(board, "Image"))
    board.desk.wait(lambda: board.canvas.state.items)
    assert only(board).label.startswith("sea")


@pytest.mark.parametrize("by_key", [True, False])
def test_the_last_tool_shows_everything_that_can_be_added(board: Any, by_key: bool) -> None:
    board.key(Qt.Key.Key_Slash) if by_key else board.click(tool(board, "More"))
    assert board.window.insertion.popover is not None


def test_a_narrow_window_keeps_the_most_important_tools(board: Any) -> None:
    board.window.resize(480, 600)
    board.desk.wait(lambda: board.canvas.width() <= 480)
    bar = board.islands.toolbar
    assert board.canvas.rect().contains(bar.geometry())
    shown = [name for name, one in bar.buttons.items() if one.isVisible()]
    assert {"Select", "Hand", "Note", "Image", "Connector", "More"} <= set(shown)
    assert len(shown) < len(bar.buttons)


def test_the_next_note_has_the_paper_that_was_chosen(board: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def local_note(name: str, *, paper: str) -> Any:
        asked.append(paper)
        return board._recipe("liven:text", name)

    monkeypatch.setattr("liven.liveobjects.desktop.view.tools.held_tool.note", local_note)
    note = tool(board, "Note")
    menu = note.papers()
    entries = {one.text(): one for one in menu.actions()}
    assert list(entries) == ["Sun", "Apricot", "Rose", "Lilac", "Sky", "Mint", "Paper", "Slate"]
    assert [name for name, one in entries.items() if one.isChecked()] == ["Sun"]
    entries["Rose"].trigger()
    assert board.canvas.held_tool.name == "Note"
    board.click(board.canvas, QPoint(400, 300))
    board.desk.wait(lambda: board.canvas.state.items)
    assert asked == ["rose"]
    assert [one.text() for one in note.papers().actions() if one.isChecked()] == ["Rose"]


def test_the_arrow_of_the_note_tool_opens_the_papers(board: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: opened.append(menu))
    note = tool(board, "Note")
    QTest.mouseClick(note, Qt.MouseButton.LeftButton, pos=QPoint(note.width() - 6, 20))
    assert len(opened) == 1
    assert board.canvas.held_tool.name == "Select"
    QTest.keyClick(note, Qt.Key.Key_Down)
    assert len(opened) == 2
    QTest.mouseClick(note, Qt.MouseButton.LeftButton, pos=QPoint(12, 20))
    assert board.canvas.held_tool.name == "Note"


@pytest.mark.qt_log_ignore("does not support", extend=True)  # popups, offscreen
@pytest.mark.parametrize("name", ["Box", "Ellipse", "Diamond"])
def test_the_tool_for_shapes_offers_three(board: Any, name: str) -> None:
    board.click(board.islands.toolbar.shape)
    [menu] = [one for one in board.islands.toolbar.findChildren(QMenu) if one.isVisible()]
    [entry] = [one for one in menu.actions() if one.text().startswith(name)]
    menu.hide()
    entry.trigger()
    assert board.islands.toolbar.shape.isChecked()
    board.drag(QPointF(500, 300), QPointF(700, 420))
    found = shape_of(only(board).reference)
    assert found is not None
    assert found.outline == name.lower()
    assert not board.islands.toolbar.shape.isChecked()


@pytest.mark.qt_log_ignore("does not support", extend=True)  # popups, offscreen
def test_the_pen_has_a_bar_with_its_colour_and_width(board: Any) -> None:
    board.key(Qt.Key.Key_P)
    assert checked(board) == ["Pen"]
    bar = board.islands.selection
    assert bar.isVisible()
    assert list(bar.buttons) == ["Colour", "Width"]
    assert not bar.geometry().intersects(board.islands.toolbar.geometry())
    board.click(bar.buttons["Width"])
    [menu] = [one for one in board.canvas.findChildren(QMenu) if one.isVisible()]
    [entry] = [one for one in menu.actions() if one.text() == "Broad"]
    menu.hide()
    entry.trigger()
    board.drag(QPointF(500, 300), QPointF(700, 420))
    ink = ink_of(only(board).reference)
    assert ink is not None
    assert ink.width == "broad"
    board.key(Qt.Key.Key_P)
    assert not bar.isVisible()
