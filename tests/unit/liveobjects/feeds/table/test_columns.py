"""The columns of value types."""

from __future__ import annotations

import pytest

from liven.liveobjects.feeds.table.columns import as_json, columns_of, ddl, quoted
from liven.liveobjects.feeds.table.decoder import value_type


def kinds(notation: str) -> dict[str, str]:
    return {column.name: column.kind for column in columns_of(value_type(notation)).columns}


def prepared(notation: str, value: object) -> object:
    (field,) = columns_of(value_type(notation)).fields
    return value if field.prepare is None else field.prepare(value)


def test_a_record_has_a_column_for_each_field() -> None:
    assert kinds("{on: bool, lat: float64, name: text?, raw: bytes, n: int(0..9)}") == {
        "on": "BOOLEAN",
        "lat": "DOUBLE",
        "name": "STRING",
        "raw": "BINARY",
        "n": "BIGINT",
    }


def test_a_union_has_its_case_and_a_column_for_each() -> None:
    assert kinds("<add: {x: float64} | remove: text>") == {
        "case": "STRING",
        "add": "STRUCT<`x`: DOUBLE>",
        "remove": "STRING",
    }


@pytest.mark.parametrize(
    ("notation", "kind"),
    [
        ("text", "STRING"),
        ("list<int32>", "ARRAY<BIGINT>"),
        ("map<text, float64>", "MAP<STRING, DOUBLE>"),
        ("uint64", "DECIMAL(20,0)"),
        ("list<{a: text, b: list<bool>}>", "ARRAY<STRUCT<`a`: STRING, `b`: ARRAY<BOOLEAN>>>"),
        ("list<{}>", "ARRAY<STRING>"),
        ("list<{x: text, X: text}>", "ARRAY<STRING>"),
    ],
)
def test_other_types_have_one_column(notation: str, kind: str) -> None:
    assert kinds(notation) == {"value": kind}


def test_names_that_spark_cannot_tell_apart_differ() -> None:
    names = [
        column.name for column in columns_of(value_type("{x: text, X: text, seq: int32, Feed: text}")).columns
    ]
    assert sorted(names) == ["Feed_", "X", "seq_", "x_"]


def test_values_are_prepared_for_arrow() -> None:
    assert prepared("map<text, int8>", {"a": 1}) == [("a", 1)]
    assert prepared("list<{}>", [{}]) == ["{}"]
    assert prepared(
        "list<{m: map<text, text>?, n: text}>", [{"m": {"a": "b"}, "n": "x"}, {"m": None, "n": "y"}]
    ) == [
        {"m": [("a", "b")], "n": "x"},
        {"m": None, "n": "y"},
    ]


def test_a_whole_number_beyond_64_bits_becomes_text() -> None:
    assert kinds(f"int(0..{2**70})") == {"value": "STRING"}
    assert prepared(f"int(0..{2**70})", 2**70) == str(2**70)


def test_anything_can_be_json() -> None:
    assert as_json({"a": [1, b"\x01", None, "é"]}) == '{"a":[1,"01",null,"é"]}'


def test_names_are_quoted() -> None:
    assert quoted("a`b c") == "`a``b c`"
    assert ddl(columns_of(value_type("{lat: float64}")).columns) == "`lat` DOUBLE"
