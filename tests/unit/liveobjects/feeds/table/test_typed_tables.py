"""Which types share a table, and its name."""

from __future__ import annotations

from liven.liveobjects.feeds.description import TypeEntry
from liven.liveobjects.feeds.table.typed_tables import tables_for

ID = "4C1D1F3D0F5C4A0F9D1B3B0C5E7A2F61"


def test_versions_of_a_class_share_a_table() -> None:
    described = {
        "mine:light~2": TypeEntry("{on: bool, level: float64}", ID, 2),
        "mine:light": TypeEntry("{on: bool}", ID, 1),
    }
    plan = tables_for(described, described, {})
    (table,) = plan.tables
    assert table.name == "mine_light"
    assert [reading.type for reading in table.readings] == ["mine:light", "mine:light~2"]
    assert [column.name for column in table.schema.columns][-2:] == ["on", "level"]


def test_a_table_keeps_its_name_and_its_columns() -> None:
    first = {"mine:light": TypeEntry("{on: bool}", ID, 1)}
    known = {table.name: table.schema for table in tables_for(first, first, {}).tables}
    later = {"mine:lamp": TypeEntry("{level: float64}", ID, 3)}
    (table,) = tables_for(later, later, known).tables
    assert table.name == "mine_light"
    assert [column.name for column in table.schema.columns][-2:] == ["on", "level"]


def test_two_classes_with_one_table_name_get_two_tables() -> None:
    described = {"a:b_c": TypeEntry("text", "1", 1), "a_b:c": TypeEntry("text", "2", 1)}
    assert sorted(table.name for table in tables_for(described, described, {}).tables) == ["a_b_c", "a_b_c_2"]


def test_a_type_without_a_structure_is_unknown() -> None:
    plan = tables_for(["nobody:knows", "text"], {}, {})
    assert [table.name for table in plan.tables] == ["text"]
    assert list(plan.unknown) == ["nobody:knows"]
    assert "nobody:knows" in plan.unknown["nobody:knows"]
