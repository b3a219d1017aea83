from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.fold import PersistentMap

KEYS = st.integers(0, 40) | st.text(max_size=3)
CHANGES = st.lists(st.tuples(KEYS, st.integers(0, 3) | st.none()), max_size=60)


def changed(start: PersistentMap[object, int], changes: list[tuple[object, int | None]]) -> None:
    """Make the changes on a dict as well and compare after each; None removes a key."""
    plain = dict(start)
    for key, value in changes:
        if value is not None:
            start, plain = start.with_(key, value), {**plain, key: value}
        elif key in plain:
            start = start.without(key)
            del plain[key]
        assert dict(start) == plain
        assert len(start) == len(plain)


@given(st.dictionaries(KEYS, st.integers(), max_size=300), CHANGES)
def test_a_persistent_map_equals_a_dict(
    items: dict[object, int], changes: list[tuple[object, int | None]]
) -> None:
    changed(PersistentMap(items), changes)


@given(CHANGES, CHANGES)
def test_a_changed_copy_leaves_the_old_map_and_reports_the_difference(
    first: list[tuple[object, int | None]], second: list[tuple[object, int | None]]
) -> None:
    old: PersistentMap[object, int] = PersistentMap()
    for key, value in first:
        old = old.with_(key, value or 0)
    was, new = dict(old), old
    for key, value in second:
        if value is not None:
            new = new.with_(key, value)
        elif key in new:
            new = new.without(key)
    assert dict(old) == was
    keys = dict(old).keys() | dict(new).keys()
    assert new.changed_since(old) == {key for key in keys if old.get(key) != new.get(key)}
    assert old.changed_since(new) == new.changed_since(old)


def test_a_large_map_still_shares_unchanged_buckets() -> None:
    grown: PersistentMap[int, int] = PersistentMap()
    for number in range(2_000):
        grown = grown.with_(number, number)
    assert len(grown) == 2_000
    assert grown.with_(7, 8).changed_since(grown) == {7}
    assert grown.with_(7, 7).changed_since(grown) == frozenset()
