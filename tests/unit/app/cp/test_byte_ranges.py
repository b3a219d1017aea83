from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from liven.app.cp.byte_ranges import ByteRanges

_RANGE = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda two: (min(two), max(two)))
_STEPS = st.lists(st.tuples(st.booleans(), _RANGE), max_size=30)


@given(_STEPS)
def test_byte_ranges_equal_a_plain_set(steps: list[tuple[bool, tuple[int, int]]]) -> None:
    gaps, plain = ByteRanges(), set[int]()
    for adds, (first, end) in steps:
        if adds:
            gaps.add(first, end)
            plain |= set(range(first, end))
        else:
            gaps.remove(first, end)
            plain -= set(range(first, end))
        assert {number for low, high in gaps.ranges() for number in range(low, high)} == plain
        assert gaps.size() == len(plain)
        assert bool(gaps) == bool(plain)


@given(st.lists(_RANGE, max_size=10))
def test_ranges_are_disjoint_and_sorted(ranges: list[tuple[int, int]]) -> None:
    kept = ByteRanges(ranges).ranges()
    assert all(first < end for first, end in kept)
    assert all(before[1] < after[0] for before, after in pairwise(kept))


@given(st.lists(_RANGE, max_size=6), st.integers(1, 7))
def test_taking_returns_every_byte_once(ranges: list[tuple[int, int]], most: int) -> None:
    gaps = ByteRanges(ranges)
    whole = [number for low, high in gaps.ranges() for number in range(low, high)]
    taken: list[int] = []
    while (part := gaps.take(most)) is not None:
        assert 0 < part[1] - part[0] <= most
        taken += range(*part)
    assert taken == whole
