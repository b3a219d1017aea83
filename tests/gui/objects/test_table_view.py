"""The view of a table: painted rows, a widget with all of them, and tables of strangers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from liven.liveobjects.table.object import TableObject
from liven.liveobjects.table.value import TEXT, WHOLE, Table, TextColumn, WholeColumn, column_of

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room


def table(rows: int, *, first: str = "sector 0") -> Table:
    names = [first, *(f"sector {number}" for number in range(1, rows))]
    counts = column_of(WHOLE, "aircraft", range(rows))
    return Table([column_of(TEXT, "sector", names[:rows]), counts], 0, False)


def test_a_new_table_is_painted_and_shown_in_its_order(room: Room) -> None:
    made = room.person("ann").build(TableObject, sort="-aircraft", title="Sectors")
    view = room.show(made)
    empty = room.painted(view)
    assert view.is_loading() and view.title() == "Sectors"
    widget = room.widget(view)
    made.instance.set(table(500))
    assert room.painted(view) != empty
    assert not view.is_loading()
    rows = widget.model()
    assert (rows.rowCount(), rows.columnCount()) == (500, 2)
    assert rows.index(0, 0).data() == "sector 499"
    assert rows.index(0, 1).data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert rows.headerData(1, Qt.Orientation.Horizontal) == "aircraft"
    assert view.summary().splitlines()[:2] == ["sector\taircraft", "sector 499\t499"]


def test_what_is_selected_and_in_view_stays_when_rows_change(room: Room) -> None:
    made = room.person("ann").build(TableObject)
    made.instance.set(table(500))
    widget = room.widget(room.show(made))
    for _ in range(40):
        QTest.keyClick(widget, Qt.Key.Key_Down)
    at = widget.verticalScrollBar().value()
    current = widget.currentIndex().row()
    assert at > 0 and current >= 39
    made.instance.set(table(500, first="changed"))
    assert (widget.verticalScrollBar().value(), widget.currentIndex().row()) == (at, current)
    assert widget.model().index(0, 0).data() == "changed"
    made.instance.set(table(3))
    assert widget.model().rowCount() == 3


def test_columns_are_as_wide_as_their_texts_once_there_are_some(room: Room) -> None:
    made = room.person("ann").build(TableObject)
    widget: Any = room.widget(room.show(made))
    made.instance.set(table(3, first="a sector with a name that is long"))
    text = widget.fontMetrics().horizontalAdvance("a sector with a name that is long")
    assert widget.columnWidth(0) > text
    widget.setColumnWidth(0, 77)
    made.instance.set(table(9))
    assert widget.columnWidth(0) == 77, "a width that a person chose stays"


@pytest.mark.parametrize(
    "strange",
    [
        Table([], 0, False),
        Table([TextColumn("a", ["x", "y"]), WholeColumn("b", [])], 0, True),
        Table([TextColumn("\u202e" * 5000, ["\n" * 5000, None])] * 300, 2**63 - 1, True),
        Table([column_of("time", "t", [-(2**63), 2**63 - 1])], -(2**63), False),
        Table([column_of("real", "r", [float("nan"), float("-inf"), 1e308])], 0, False),
    ],
    ids=["no columns", "ragged", "wide", "times of no calendar", "no numbers"],
)
def test_a_strange_table_is_shown(room: Room, strange: Table) -> None:
    made = room.person("ann").build(TableObject, sort="-r, -t, a")
    view = room.show(made)
    widget: Any = room.widget(view)
    made.instance.set(strange)
    room.painted(view)
    widget.grab()
    assert widget.model().columnCount() == len(strange.columns)
