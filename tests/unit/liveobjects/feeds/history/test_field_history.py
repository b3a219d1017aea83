"""Values of any type are compared field by field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.history.difference import Act
from liven.liveobjects.feeds.history.field_history import MOST, differences, shown

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, VALUES)
def test_values_differ_exactly_if_a_difference_is_told(before: Any, after: Any) -> None:
    found = differences(before, after)
    assert bool(found) == (repr(before) != repr(after) and not same(before, after))
    assert len({one.key for one in found}) == len(found)


def same(one: Any, other: Any) -> bool:
    """Return True for values that differ in nothing but the order of their fields."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def test_fields_are_named_by_their_path() -> None:
    [one] = differences({"at": {"x": 1, "y": 2}}, {"at": {"x": 1, "y": 3}})
    assert (one.name, one.act, one.detail) == ("at.y", Act.CHANGED, "from 2 to 3")


def test_one_inserted_entry_is_one_difference() -> None:
    [one] = differences(["a", "b", "c"], ["a", "new", "b", "c"])
    assert (one.name, one.act, one.detail) == ("2", Act.ADDED, "“new”")


def test_true_is_not_one() -> None:
    assert [one.detail for one in differences(1, True)] == ["from 1 to yes"]


def test_very_many_differences_are_cut_off() -> None:
    assert len(differences([0] * (MOST + 50), [1] * (MOST + 50))) == MOST


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (b"abc", "3 bytes"),
        (12345, "12,345"),
        (0.5, "0.5"),
        ([1, 2], "2 entries"),
        ({"x": 1, "y": "b"}, "x 1, y “b”"),
        ("a\nb", "“a b”"),
        ("a" * 200, f"“{'a' * 79}…”"),
    ],
)
def test_a_value_is_shown_in_few_words(value: Any, words: str) -> None:
    assert shown(value) == words
