"""The range set of the compiled core, compared with Python's own sets."""

from __future__ import annotations

from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.multicast import MulticastError, RangeSet, core_version
from liven.multicast.errors import BadRangeError, SetFullError

SMALL = st.integers(min_value=0, max_value=60)
STEPS = st.lists(st.tuples(st.sampled_from(["add", "remove"]), SMALL, SMALL), max_size=40)
LARGEST = 2**64 - 1


def runs(numbers: set[int]) -> int:
    return sum(1 for number in numbers if number - 1 not in numbers)


def test_the_core_has_the_version_of_the_package() -> None:
    assert core_version() == metadata.version("liven")


@given(STEPS)
def test_a_range_set_agrees_with_a_plain_set(steps: list[tuple[str, int, int]]) -> None:
    ours, plain = RangeSet(), set[int]()
    for verb, first, last in steps:
        first, last = min(first, last), max(first, last)
        numbers = set(range(first, last + 1))
        if verb == "add":
            ours.add(first, last)
            plain |= numbers
        else:
            ours.remove(first, last)
            plain -= numbers
        assert {number for number in range(62) if number in ours} == plain
        assert ours.range_count() == runs(plain)


@given(STEPS)
def test_a_bounded_set_refuses_and_stays_as_it_was(steps: list[tuple[str, int, int]]) -> None:
    ours, plain = RangeSet(bound=3), set[int]()
    for verb, first, last in steps:
        first, last = min(first, last), max(first, last)
        numbers = set(range(first, last + 1))
        wanted = plain | numbers if verb == "add" else plain - numbers
        change = ours.add if verb == "add" else ours.remove
        if runs(wanted) <= 3:
            change(first, last)
            plain = wanted
        else:
            with pytest.raises(SetFullError):
                change(first, last)
        assert {number for number in range(62) if number in ours} == plain


def test_a_range_that_begins_after_its_end_is_refused() -> None:
    ours = RangeSet()
    with pytest.raises(BadRangeError, match="must not begin after its end") as caught:
        ours.add(5, 4)
    assert caught.value.code == -2
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, MulticastError)


def test_the_ends_of_the_number_line_are_ordinary_numbers() -> None:
    ours = RangeSet()
    ours.add(0, LARGEST)
    assert 0 in ours
    assert LARGEST in ours
    ours.remove(1, LARGEST - 1)
    assert ours.range_count() == 2
    assert LARGEST + 1 not in ours
    assert -1 not in ours


@pytest.mark.parametrize("number", [-1, LARGEST + 1])
def test_a_number_outside_64_bits_is_refused(number: int) -> None:
    with pytest.raises(OverflowError):
        RangeSet().add(0, number)


def test_a_set_needs_a_bound() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        RangeSet(bound=0)
