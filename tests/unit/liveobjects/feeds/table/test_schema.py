"""Schemas of tables, and the union of versions."""

from __future__ import annotations

import pytest

from liven.liveobjects.feeds.table.columns import RECORD_COLUMNS, Column
from liven.liveobjects.feeds.table.schema import TableSchema, merged, table_name


def test_classes_have_short_names_and_structures_a_hash() -> None:
    assert table_name("liven:aircraft") == "aircraft"
    assert table_name("mine:light") == "mine_light"
    assert table_name("text") == "text"
    assert table_name("{x: float64}").startswith("x_float64_")
    assert table_name("{x: float64}") != table_name("{x:  float64}")
    assert table_name("1é").startswith("type_")


@pytest.mark.parametrize("name", ["quarantine", "liven:records", "staging", "commits"])
def test_reserved_names_are_changed(name: str) -> None:
    assert table_name(name) == name.removeprefix("liven:") + "_"


def test_a_second_version_adds_its_columns() -> None:
    first, _ = merged(None, "t", [Column("x", "DOUBLE")])
    second, names = merged(first, "t", [Column("y", "STRING"), Column("X", "DOUBLE")])
    assert [column.name for column in second.columns] == [*(name for name, _ in RECORD_COLUMNS), "x", "y"]
    assert names == {"y": "y", "X": "x"}


def test_numbers_widen_in_both_orders() -> None:
    wide, narrow = Column("n", "DECIMAL(20,0)"), Column("n", "BIGINT")
    for first, then in ((wide, narrow), (narrow, wide)):
        schema, _ = merged(merged(None, "t", [first])[0], "t", [then])
        assert schema.columns[-1] == wide


def test_columns_that_disagree_stand_side_by_side() -> None:
    first, _ = merged(None, "t", [Column("speed", "DOUBLE")])
    second, names = merged(first, "t", [Column("speed", "STRING")])
    assert names == {"speed": "speed_string"}
    assert {"speed", "speed_string"} <= {column.name for column in second.columns}
    third, again = merged(second, "t", [Column("speed", "STRING")])
    assert (third, again) == (second, names)


def test_a_schema_survives_json() -> None:
    schema, _ = merged(None, "t", [Column("a b", "ARRAY<BIGINT>")])
    assert TableSchema.from_json(schema.to_json()) == schema
    assert schema.ddl.endswith("`a b` ARRAY<BIGINT>")
