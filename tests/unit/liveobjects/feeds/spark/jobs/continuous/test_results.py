"""The rows of results, names of columns, and refused queries: nothing here needs Java."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from liven.liveobjects.feeds.spark.jobs.continuous.columns import distinct
from liven.liveobjects.feeds.spark.jobs.continuous.results import (
    MOST_CHARACTERS,
    KeyedResult,
    RollingResult,
    WholeResult,
    shortened,
)
from liven.liveobjects.feeds.spark.jobs.continuous.safe_query import LONGEST, demand_safe
from liven.liveobjects.feeds.spark.jobs.job import JobError


def test_a_whole_result_is_replaced_and_cut() -> None:
    result = WholeResult(2)
    result.take([[1], [2], [3]])
    assert (result.rows(), result.is_cut) == ([[1], [2]], True)
    result.take([])
    assert (result.rows(), result.is_cut) == ([], False)


def test_a_rolling_result_keeps_the_last_rows() -> None:
    result = RollingResult(3)
    result.take([[1], [2]])
    assert not result.is_cut
    result.take([[3], [4]])
    assert (result.rows(), result.is_cut) == ([[2], [3], [4]], True)


def test_a_keyed_result_keeps_the_greatest_keys_and_the_latest_values() -> None:
    result = KeyedResult(3, (0, 1))
    result.take([[1, "b", 10], [1, "a", 1], [None, "x", 0]])
    result.take([[1, "b", 11]])
    assert result.rows() == [[None, "x", 0], [1, "a", 1], [1, "b", 11]]
    assert not result.is_cut
    result.take([[number, "c", number] for number in range(100, 0, -1)])
    assert result.rows() == [[number, "c", number] for number in (98, 99, 100)]
    assert result.is_cut


def test_texts_of_a_result_fit_into_a_message() -> None:
    rows: list[list[Any]] = [[number, "x" * 1000] for number in range(2000)]
    first, last = shortened(rows, from_end=False), shortened(rows, from_end=True)
    assert first == rows[: len(first)]
    assert last == rows[-len(last) :]
    for some in (first, last):
        assert MOST_CHARACTERS - 1100 < sum(len(row[1]) + len(row) for row in some) <= MOST_CHARACTERS


def test_equal_names_are_told_apart() -> None:
    assert distinct(["n", "N", "count(1)", "n", "n 2"]) == ["n", "N 2", "count(1)", "n 3", "n 2 2"]


@pytest.mark.parametrize(
    "query",
    [
        "select reflect('java.lang.System', 'exit', 0)",
        "select `Java_Method`('java.lang.Runtime', 'x')",
        "select try_reflect('a', 'b')",
        "select IDENTIFIER('ref' || 'lect')('a', 'b')",
    ],
)
def test_a_query_that_could_call_java_is_refused(query: str) -> None:
    with pytest.raises(JobError, match="any code of Java"):
        demand_safe(SimpleNamespace(), query)  # type: ignore[arg-type]
    with pytest.raises(JobError, match="at most"):
        demand_safe(SimpleNamespace(), "x" * (LONGEST + 1))  # type: ignore[arg-type]
