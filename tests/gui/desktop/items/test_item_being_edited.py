"""An item being edited or dragged keeps running out of view, and failures in it are shown in place."""

from __future__ import annotations

import errno
import uuid
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt
from PySide6.QtGui import QDrag, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.running_items import LINGER
from liven.liveobjects.desktop.state import Change, Lock, Move, Place, Remove
from liven.liveobjects.desktop.view.gestures.handles import CONNECT, TURN
from liven.liveobjects.desktop.view.items import items_in_view
from liven.liveobjects.desktop.view.transfer import drop_and_paste
from liven.liveobjects.text.view import NoteEditor
from liven.liveobjects.view.contract import Searchable, View
from liven.runtime.fold import Gesture, RefusedError, UndoList


def _of_somebody(*changes: Change) -> Gesture[Change]:
    return Gesture(uuid.uuid4(), 1, "bob", "theirs", changes)


def test_edited_note_keeps_running_out_of_view(table: Any) -> None:
    """It used to stop after a while, with its widget, and was no longer painted."""
    key = table.lay("list", 0, 0)
    table.double_click(key)
    page = table.canvas.findChild(NoteEditor)
    QTest.keyClicks(page, "half a")
    table.canvas.zoom_and_view.go_to(QPointF(50_000, 0))
    table.bench.advance(2 * LINGER)
    table.settle()
    assert table.canvas.editing == key
    QTest.keyClicks(page, " word")
    table.canvas.zoom_and_view.go_to(QPointF(0, 0))
    table.settle()
    assert table.canvas.findChild(NoteEditor) is page
    assert table.canvas.item_views.view(key).summary() == "half a word"


def test_edited_note_keeps_running_when_others_make_it_tiny(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.double_click(key)
    table.canvas.editor.receive(_of_somebody(Move(key, Place(0, 0, 5, 5))))
    table.bench.advance(2 * LINGER)
    table.settle()
    assert table.canvas.editing == key
    assert table.canvas.findChild(NoteEditor) is not None


def test_dragged_item_keeps_running_out_of_view(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.canvas.preview[key] = Place(0, 0, 10, 10)
    table.canvas.zoom_and_view.go_to(QPointF(50_000, 0))
    table.bench.advance(2 * LINGER)
    table.settle()
    assert table.canvas.item_views.view(key) is not None
    table.canvas.preview.clear()
    table.canvas.zoom_and_view.go_to(QPointF(50_000, 1))
    table.bench.advance(2 * LINGER)
    assert table.canvas.item_views.view(key) is None


def test_note_that_stops_while_edited_is_left_and_painted(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.double_click(key)
    table.canvas.item_views.running_items.remove(key)
    assert table.canvas.editing is None
    assert table.canvas.hasFocus()
    table.canvas.restart_selected()
    table.settle()
    table.double_click(key)
    assert table.canvas.editing == key


def test_dragged_item_that_somebody_removes_or_locks_stays_as_they_left_it(table: Any) -> None:
    first, second = table.lay("one", 0, 0), table.lay("two", 300, 0)
    table.canvas.select({first, second})
    start = table.middle(first)
    table.press(start)
    table.move(start + QPointF(30, 30))
    table.canvas.editor.receive(_of_somebody(Remove(first), Lock(second, True)))
    table.canvas.grab()
    table.move(start + QPointF(40, 40))
    table.release(start + QPointF(40, 40))
    assert table.canvas.state.items.keys() == {second}
    assert table.place(second)[:2] == (300, 0)


@pytest.mark.parametrize("handle", [(1, 1), TURN, CONNECT], ids=str)
def test_gesture_ends_when_somebody_removes_its_item(table: Any, handle: Any) -> None:
    first, second = table.lay("one", 100, 100), table.lay("two", 400, 300)
    table.click(first)
    start = table.handle(first, *handle)
    table.press(start)
    table.move(start + QPointF(30, 30))
    table.canvas.editor.receive(_of_somebody(Remove(first)))
    table.canvas.grab()
    table.move(table.middle(second))
    table.canvas.grab()
    table.release(table.middle(second))
    assert table.canvas.state.items.keys() == {second}
    assert not table.canvas.state.links
    assert table.selected() == set()


class Raising(View, Searchable):
    """A view that raises in every method."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.translate(1000, 1000)
        painter.setOpacity(0)
        raise ZeroDivisionError("planted in paint")

    def make_widget(self) -> QWidget:
        raise ZeroDivisionError("planted in make_widget")

    def title(self) -> str:
        raise ZeroDivisionError("planted in title")

    def summary(self) -> str:
        raise ZeroDivisionError("planted in summary")

    def is_empty(self) -> bool:
        raise ZeroDivisionError("planted in is_empty")

    def close(self) -> None:
        raise ZeroDivisionError("planted in close")


class Unputable(Raising):
    def make_widget(self) -> QWidget:
        return QLabel("it works")

    def release_widget(self, widget: QWidget) -> None:
        raise ZeroDivisionError("planted in release_widget")


def test_view_that_raises_in_every_method_fails_alone(table: Any) -> None:
    bad, good = table.lay("bad", 0, 0), table.lay("", 300, 0)
    table.canvas.item_views._views[bad] = Raising()
    table.canvas.item_views.pictures.clear()
    table.canvas.grab()
    assert "planted in paint" in table.canvas.item_views.why_not_shown(bad)
    assert table.canvas.item_views.title(table.item(bad)) == "bad"
    table.double_click(bad)
    assert "planted in make_widget" in table.said[-1]
    table.canvas.open_find_bar()
    table.canvas.find_bar._words.setText("bad")
    assert [item.key for item in table.canvas.find_bar.results()] == [bad]
    table.canvas.do(commands.remove(table.canvas.state, [bad]))
    table.settle()
    assert table.canvas.item_views.view(bad) is None
    assert table.canvas.item_views.view(good) is not None


def test_widget_that_cannot_be_closed_is_left_anyway(table: Any) -> None:
    key = table.lay("bad", 0, 0)
    table.canvas.item_views._views[key] = Unputable()
    table.double_click(key)
    assert table.canvas.editing == key
    table.canvas.escape()
    assert table.canvas.editing is None


class Bare(View):
    """A view with none of the optional parts."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        del painter, area

    def make_widget(self) -> QWidget:
        return QLabel("it works")

    def title(self) -> str:
        return "Bare title"


def test_view_without_optional_parts_takes_nothing_and_is_found_by_its_title(table: Any) -> None:
    key = table.lay("bare", 0, 0)
    table.canvas.item_views._views[key] = Bare()
    item = table.canvas.state.items[key]
    data = QMimeData()
    data.setText("hello")
    middle = QPointF(item.place.x + item.place.width / 2, item.place.y + item.place.height / 2)
    assert table.canvas.drop_targets.hover(data, middle) is None
    table.canvas.select({key})
    assert not table.canvas.drop_targets.paste_into_selected(data)
    assert table.canvas.item_views.words(item) == "Bare title"
    table.double_click(key)
    assert table.canvas.editing == key


def test_undo_refused_by_the_channel_is_explained_and_stays_possible(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.lay("list", 0, 0)

    def full(_: object) -> None:
        raise RefusedError("20 changes wait for the others already")

    with monkeypatch.context() as patch:
        patch.setattr(table.canvas.editor, "_send", full)
        table.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        table.key(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert table.said == ["20 changes wait for the others already.", "There is nothing to redo."]
    table.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not table.canvas.state.items


def test_change_without_a_channel_is_refused_with_the_reason(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.channel.close()
    table.canvas.select({key})
    table.canvas.remove_selected()
    table.canvas.undo()
    assert key in table.canvas.state.items
    assert ["not connected to its channel" in said for said in table.said] == [True, True]


def test_items_are_dragged_out_even_if_their_files_cannot_be_written(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = table.lay("list", 0, 0)
    table.canvas.select({key})
    dragged: list[object] = []

    def full(_: object) -> list[object]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(drop_and_paste, "as_files", full)
    monkeypatch.setattr(QDrag, "exec", lambda *given: dragged.append(given))
    table.canvas.drop_and_paste.drag_out()
    assert len(dragged) == 1
    assert table.said == ["Other programs cannot get files: No space left on device"]
    table.canvas.select(())
    table.canvas.drop_and_paste.drag_out()
    assert len(dragged) == 1


def test_of_very_many_items_on_one_spot_the_topmost_run(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred thousand of them would all be built otherwise."""
    monkeypatch.setattr(items_in_view, "MOST", 3)
    keys = [table.lay(f"{n}", 0, 0) for n in range(6)]
    table.bench.advance(2 * LINGER)
    table.settle()
    assert [table.canvas.item_views.view(key) is not None for key in keys] == [False] * 3 + [True] * 3


def test_reason_why_undo_is_impossible_is_the_last_message(table: Any) -> None:
    """A message replaces the previous one."""
    key = table.lay("list", 0, 0)
    table.canvas.editor.undo_list = UndoList()
    table.canvas.do(commands.move(table.canvas.state, [key], 10, 0))
    table.settle()
    table.canvas.editor.receive(_of_somebody(Move(key, Place(500, 0, 100, 60))))
    table.canvas.undo()
    assert table.said == ["“Move” can no longer be undone: others have changed it since"]
    table.canvas.undo()
    assert table.said[-1] == "There is nothing of yours to undo."
