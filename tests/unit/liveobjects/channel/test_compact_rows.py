"""Compact rows behave as lists, except that empty ones are shared."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.compact_rows import Rows, with_row, with_rows, without_first

STEPS = st.lists(st.tuples(st.sampled_from(["one", "more", "less"]), st.integers(0, 5)))


@given(STEPS)
def test_rows_equal_a_list(steps: list[tuple[str, int]]) -> None:
    rows: Rows[int] = ()
    model: list[int] = []
    for what, number in steps:
        if what == "one":
            rows = with_row(rows, number)
            model.append(number)
        elif what == "more":
            rows = with_rows(rows, range(number))
            model += range(number)
        else:
            rows = without_first(rows, number)
            del model[:number]
        assert list(rows) == model


def test_emptied_rows_are_the_shared_empty_tuple() -> None:
    assert without_first(with_row((), 1), 1) == ()
    assert with_rows((), []) == ()


def test_a_list_is_changed_and_not_copied() -> None:
    rows = with_row((), 1)
    assert with_row(rows, 2) is rows
    assert with_rows(rows, [3]) is rows
    assert without_first(rows, 1) is rows
    assert rows == [2, 3]
