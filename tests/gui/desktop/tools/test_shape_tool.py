"""Shapes: drawn, moved, given another look, undone, and seen by another replica."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.drawings.recipes import recipe_of, shape_of
from liven.liveobjects.desktop.drawings.shape import NEW_HEIGHT, NEW_WIDTH, OUTLINES, Shape
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.items import item_choices
from liven.liveobjects.desktop.view.tools.shape_tool import add_shape


def only(table: Any) -> Any:
    [item] = table.canvas.state.items.values()
    return item


def shape(table: Any) -> Shape:
    found = shape_of(only(table).reference)
    assert found is not None
    return found


def choice(table: Any, key: str) -> Any:
    return next(one for one in item_choices.offered(table.canvas) if one.key == key)


@pytest.mark.parametrize(("key", "outline"), [("R", "box"), ("O", "ellipse"), ("D", "diamond")])
def test_a_shape_is_drawn_from_corner_to_corner(table: Any, key: str, outline: str) -> None:
    table.key(key)
    assert table.canvas.cursor().shape() == Qt.CursorShape.CrossCursor
    table.drag(QPointF(300, 260), QPointF(-200, -120))
    assert shape(table).outline == outline
    assert table.place(only(table).key) == (100, 140, 200, 120)
    assert table.canvas.selected == {only(table).key}
    assert table.canvas.held_tool.name == "Select", "one shape, then the tool is put down"
    table.canvas.undo()
    assert not table.canvas.state.items
    assert table.canvas.editor.undo_list.redo_names == (f"Add {outline}",)


def test_shift_makes_a_shape_as_wide_as_high(table: Any) -> None:
    table.key("O")
    table.drag(QPointF(100, 100), QPointF(80, 50), Qt.KeyboardModifier.ShiftModifier)
    assert table.place(only(table).key) == (100, 100, 80, 80)


def test_a_click_puts_a_shape_of_the_usual_size(table: Any) -> None:
    table.key("R")
    table.drag(QPointF(400, 300), QPointF(1, 1))
    assert table.place(only(table).key) == (
        400 - NEW_WIDTH / 2,
        300 - NEW_HEIGHT / 2,
        NEW_WIDTH,
        NEW_HEIGHT,
    )


def test_enter_puts_a_shape_without_a_mouse(table: Any) -> None:
    table.key("D")
    table.key(Qt.Key.Key_Return)
    assert table.place(only(table).key)[2:] == (NEW_WIDTH, NEW_HEIGHT)


def test_esc_puts_the_tool_down(table: Any) -> None:
    table.key("R")
    table.key(Qt.Key.Key_Escape)
    table.drag(QPointF(100, 100), QPointF(80, 50))
    assert not table.canvas.state.items


def put(table: Any, drawn: Shape, x: float = 100, y: float = 100) -> str:
    add_shape(table.canvas, drawn, QRectF(x, y, 200, 120))
    table.settle()
    key: str = next(iter(table.canvas.selected))
    return key


def test_the_look_of_several_shapes_changes_in_one_step(table: Any) -> None:
    first = put(table, Shape())
    second = put(table, Shape("ellipse", "green"), 400)
    table.canvas.select({first, second})
    assert [one.key for one in item_choices.offered(table.canvas)] == ["outline", "hue", "fill", "line"]
    assert choice(table, "fill").chosen() == "tint"
    assert choice(table, "hue").chosen() not in {"", "green"}, "they differ"
    choice(table, "hue").choose("blue")
    choice(table, "line").choose("dashed")
    looks = [shape_of(table.item(key).reference) for key in (first, second)]
    assert looks == [
        Shape("box", "blue", line="dashed"),
        Shape("ellipse", "blue", line="dashed"),
    ]
    table.canvas.undo()
    table.canvas.undo()
    assert shape_of(table.item(second).reference) == Shape("ellipse", "green")


def colour(table: Any, x: int, y: int) -> str:
    return str(table.canvas.grab().toImage().pixelColor(x, y).name())


def test_another_look_is_seen_at_once(table: Any) -> None:
    key = put(table, Shape())
    table.canvas.select(())
    plain = colour(table, 200, 160)
    table.canvas.select({key})
    choice(table, "fill").choose("solid")
    choice(table, "hue").choose("pink")
    table.canvas.select(())
    assert colour(table, 200, 160) != plain


def test_an_unfilled_shape_lets_clicks_through_to_what_lies_beneath(table: Any) -> None:
    note = table.lay("under", 150, 130, 40, 40)
    ring = put(table, Shape("ellipse", fill="none"))
    table.canvas.select(())
    table.click(note)
    assert table.canvas.selected == {note}
    table.canvas.select(())
    table.drag(QPointF(100, 160), QPointF(30, 0))
    assert table.place(ring)[0] == 130, "its line is what one takes hold of"


def test_a_diamond_is_not_hit_at_its_corners(table: Any) -> None:
    key = put(table, Shape("diamond"))
    table.canvas.select(())
    assert table.canvas.item_at(QPointF(104, 104)) is None
    assert table.canvas.item_at(QPointF(200, 160)).key == key


@pytest.mark.parametrize("outline", OUTLINES)
def test_a_shape_needs_nothing_that_runs(table: Any, outline: str) -> None:
    key = put(table, Shape(outline))
    assert table.canvas.item_views.running_items.presence(key) is None
    assert table.canvas.item_views.is_settled
    assert not table.canvas.item_views.why_not_shown(key)


def test_a_copy_of_a_shape_has_its_look(table: Any) -> None:
    key = put(table, Shape("diamond", "teal", "none", "dashed"))
    table.canvas.clipboard.duplicate()
    table.settle()
    [copy] = table.canvas.state.items.keys() - {key}
    assert table.item(copy).reference == table.item(key).reference
    table.canvas.clipboard.copy()
    table.canvas.clipboard.paste()
    table.settle()
    assert len(table.canvas.state.items) == 3


def test_a_damaged_recipe_is_shown_as_the_usual_shape(table: Any) -> None:
    wild = recipe_of(Shape("blob", "puce", "rainbow", "wavy"))
    key, command = commands.add(table.canvas.state, wild, "", Place(100, 100, 200, 120))
    assert table.canvas.do(command)
    plain = colour(table, 20, 20)
    assert colour(table, 200, 160) != plain
    assert table.canvas.item_at(QPointF(200, 160)).key == key
