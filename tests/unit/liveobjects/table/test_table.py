"""Tables: their values, the order of their rows, their texts, and the object that shows them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from liven.liveobjects.channel.objects.value_stream import Subscriber
from liven.liveobjects.table import value as table_values
from liven.liveobjects.table.cell_text import cell_text
from liven.liveobjects.table.object import TableObject
from liven.liveobjects.table.ordering import SortKey, ordered_rows, sort_keys
from liven.liveobjects.table.value import (
    REAL,
    TEXT,
    TIME,
    TRUTH,
    WHOLE,
    RealColumn,
    Table,
    TextColumn,
    WholeColumn,
    column_of,
    kind_of,
    row_count,
)
from liven.runtime.testing import Bench
from liven.types.catalogue import register
from liven.types.declare import scan


def table(*columns: Any, cut: bool = False) -> Table:
    return Table(list(columns), 0, cut)


SECTORS = table(
    column_of(TEXT, "sector", ["a", "b", None, "d"]),
    column_of(WHOLE, "aircraft", [3, 12, 3, None]),
    column_of(REAL, "height", [1.5, math.nan, 7, -2.0]),
)


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        (WHOLE, [1, None, -(2**63)]),
        (REAL, [1, 2.5, None]),
        (TEXT, ["a", ""]),
        (TRUTH, [True, None]),
        (TIME, [1]),
    ],
)
def test_a_column_has_the_kind_it_was_made_with(kind: str, cells: list[Any]) -> None:
    column = column_of(kind, "n", cells)
    assert kind_of(column) == kind
    assert column.values == cells


@pytest.mark.parametrize(
    ("kind", "cell"), [(WHOLE, 2**63), (WHOLE, True), (WHOLE, 1.5), (REAL, "1"), (TEXT, 1), (TIME, "now")]
)
def test_a_cell_of_another_kind_is_refused_with_the_column(kind: str, cell: Any) -> None:
    with pytest.raises(ValueError, match="'count'"):
        column_of(kind, "count", [None, cell])
    with pytest.raises(ValueError, match="no column of the kind 'colour'"):
        column_of("colour", "count", [])


def test_rows_are_sorted_by_several_columns_and_missing_cells_come_last() -> None:
    assert sort_keys(" -aircraft, sector ,, -") == (SortKey("aircraft", descending=True), SortKey("sector"))
    assert ordered_rows(SECTORS, sort_keys("-aircraft,sector")) == [1, 0, 2, 3]
    assert ordered_rows(SECTORS, sort_keys("AIRCRAFT, -sector")) == [0, 2, 1, 3]
    assert ordered_rows(SECTORS, sort_keys("-height")) == [2, 0, 3, 1]
    assert ordered_rows(SECTORS, sort_keys("nothing")) == [0, 1, 2, 3]


def test_a_ragged_table_has_the_rows_of_its_shortest_column() -> None:
    ragged = table(TextColumn("a", ["x", "y"]), WholeColumn("b", [1]))
    assert row_count(ragged) == 1
    assert row_count(table()) == 0


@pytest.mark.parametrize(
    ("kind", "cell", "text"),
    [
        (WHOLE, 1234567, "1,234,567"),
        (WHOLE, None, ""),
        (REAL, 2.0, "2"),
        (REAL, 0.0, "0"),
        (REAL, 1234.5678, "1,234.568"),
        (REAL, 1.5e-9, "1.5e-09"),
        (REAL, math.nan, "–"),
        (REAL, -math.inf, "−∞"),
        (TRUTH, False, "no"),
        (TIME, 1793599200000000, "2026-11-02 06:00:00"),
        (TIME, 1793599200250000, "2026-11-02 06:00:00.250"),
        (TIME, 2**62, f"{2**62:,} µs"),
        (TEXT, "two\nlines\u202e", "two lines"),
    ],
)
def test_cells_are_written_for_people_on_one_line(kind: str, cell: Any, text: str) -> None:
    assert cell_text(kind, cell).replace("\\u202e", "").strip() == text


def test_a_table_shows_the_latest_value_of_its_stream_sorted() -> None:
    with Bench() as bench:
        shown = bench.build(TableObject, sort="-aircraft")
        told: list[int] = []
        shown.instance.watch(lambda: told.append(len(shown.instance.order)))
        assert shown.instance.lines() == []
        stream = shown.probe("rows")
        stream.send("set", SECTORS)
        bench.crank.settle()
        assert told == [4]
        assert shown.instance.lines()[:2] == [["sector", "aircraft", "height"], ["b", "12", "–"]]
        stream.send("set", table(RealColumn("x", []), cut=True))
        bench.crank.settle()
        assert shown.instance.lines() == [["x"]]


def test_a_table_on_a_channel_is_shown_by_those_who_subscribe() -> None:
    with Bench() as bench:
        register(bench.known.catalogue, scan(table_values), bench.known.matcher)
        channel = bench.channel()
        subscriber = bench.build(Subscriber, bench.known.catalogue.value("liven:table-value"))
        channel.join(subscriber.handle.endpoint("channel"))
        shown = bench.build(TableObject)
        bench.connect(subscriber, "Endpoint", shown, "rows")
        column = {"TextColumn": {"name": "sector", "values": ["a", None]}}
        channel.send({"columns": [column], "at": 0, "is_cut": False})
        bench.advance(1)
        assert shown.instance.lines() == [["sector"], ["a"], [""]]
