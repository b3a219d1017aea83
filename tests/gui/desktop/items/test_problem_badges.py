"""Badges of items with problems; pausing and restarting them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtTest import QTest

from liven.liveobjects.desktop.running_items import Failed


def corner(table: Any, key: str) -> Any:
    """Return the middle of an item's badge."""
    [area] = [area for item, area, _ in table.canvas.badges._all() if item.key == key]
    return area.center()


def asked(table: Any) -> list[str]:
    """The path steps whose problems the canvas requests from now on."""
    found: list[str] = []
    table.canvas.problems_requested.connect(found.append)
    return found


def words(table: Any, key: str) -> str:
    return str(table.canvas.badges.words(table.item(key)))


def test_badge_shows_the_number_of_problems_until_they_are_gone(table: Any) -> None:
    a, b = table.lay("a", 100, 100), table.lay("b", 300, 220)
    plain = table.canvas.grab().toImage()
    assert table.canvas.badges.set_count("a", 2)
    assert (words(table, a), words(table, b)) == ("⚠ 2", "")
    marked = table.canvas.grab().toImage()
    assert marked != plain
    table.canvas.badges.set_count("a", 0)
    assert words(table, a) == ""
    assert table.canvas.grab().toImage() == plain


def test_problem_of_an_unknown_item_is_not_marked(table: Any) -> None:
    table.lay("a", 100, 100)
    assert not table.canvas.badges.set_count("Parameter[channel]", 1)


def test_item_without_a_name_is_found_by_its_key(table: Any) -> None:
    a = table.lay("a", 100, 100)
    assert table.canvas.badges.set_count(a, 1)
    assert words(table, a) == "⚠ 1"


def test_click_on_a_badge_requests_the_problems_and_moves_nothing(table: Any) -> None:
    a = table.lay("a", 100, 100)
    table.canvas.badges.set_count("a", 1)
    found, before = asked(table), table.place(a)
    at = corner(table, a)
    table.drag(at, QPointF(80, 50))
    assert found == ["a"]
    assert table.place(a) == before
    assert table.selected() == set()
    QTest.mouseClick(table.canvas, Qt.MouseButton.LeftButton, pos=QPointF(20, 500).toPoint())
    assert found == ["a"]


def test_paused_item_keeps_its_picture_and_does_not_run(table: Any) -> None:
    a = table.lay("a", 100, 100)
    running = table.canvas.item_views.running_items.running
    assert table.canvas.item_views.view(a) is not None
    table.canvas.grab()
    table.canvas.select({a})
    table.key(Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    assert table.canvas.item_views.running_items.running == running - 1
    assert words(table, a) == "paused"
    kept = table.canvas.item_views.pictures
    assert kept.kept(a, _size(table, a)) is not None
    table.canvas.zoom_and_view.zoom_in()
    table.settle()
    table.canvas.zoom_and_view.zoom_to_100()
    table.settle()
    assert table.canvas.item_views.view(a) is None, "panning and zooming start nothing"
    table.key(Qt.Key.Key_Return)
    assert table.said[-1] == "it is paused"
    table.key(Qt.Key.Key_F5)
    assert table.canvas.item_views.view(a) is not None
    assert words(table, a) == ""


def _size(table: Any, key: str) -> Any:
    place = table.item(key).place
    return QSizeF(place.width, place.height)


def test_failed_item_is_restarted(table: Any) -> None:
    a = table.lay("a", 100, 100)
    note = next(one for one in table.bench.node.running.values() if one.path[-1:] == ("a",))
    note.fail()
    table.settle()
    assert isinstance(table.canvas.item_views.running_items.presence(a), Failed)
    begun: list[str] = []
    table.canvas.part_restarted.connect(begun.append)
    table.canvas.select({a})
    table.key(Qt.Key.Key_F5)
    assert table.canvas.item_views.view(a) is not None
    assert table.canvas.item_views.why_not_shown(a) == ""
    assert begun == ["a"], "and what was listed of it goes"


def test_badge_is_removed_with_its_item(table: Any) -> None:
    a = table.lay("a", 100, 100)
    table.canvas.badges.set_count("a", 1)
    table.canvas.select({a})
    table.canvas.pause_selected()
    table.key(Qt.Key.Key_Delete)
    assert list(table.canvas.badges._all()) == []
    assert table.canvas.item_views.paused == set()


def test_items_of_the_same_name_have_their_own_problems(table: Any) -> None:
    a, b = table.lay("list", 100, 100), table.lay("list", 300, 220)
    steps = [table.canvas.item_views.running_items.path_step(key) for key in (a, b)]
    assert steps == ["list", "list 2"]
    paths = {one.path[-1] for one in table.bench.node.running.values()}
    assert set(steps) <= paths
    assert table.canvas.badges.set_count("list 2", 3)
    assert (words(table, a), words(table, b)) == ("", "⚠ 3")
    found = asked(table)
    QTest.mouseClick(table.canvas, Qt.MouseButton.LeftButton, pos=corner(table, b).toPoint())
    assert found == ["list 2"]


def test_item_that_comes_back_into_view_keeps_its_path_step(table: Any) -> None:
    a, b = table.lay("list", 100, 100), table.lay("list", 300, 220)
    running = table.canvas.item_views.running_items
    running.restart(table.item(a))
    table.settle()
    assert [running.path_step(key) for key in (a, b)] == ["list", "list 2"]


def test_path_step_of_a_removed_item_is_free(table: Any) -> None:
    a, b = table.lay("list", 100, 100), table.lay("list", 300, 220)
    table.canvas.select({a})
    table.key(Qt.Key.Key_Delete)
    c = table.lay("list", 100, 100)
    running = table.canvas.item_views.running_items
    assert [running.path_step(key) for key in (a, b, c)] == ["", "list 2", "list"]
