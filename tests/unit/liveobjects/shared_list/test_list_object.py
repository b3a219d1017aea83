from __future__ import annotations

import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.shared_list.object import (
    LONGEST,
    Append,
    Change,
    Drop,
    Edit,
    Line,
    ListFold,
    ListObject,
)
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench


def join(bench: Bench, channel: Any) -> Any:
    built = bench.build(ListObject)
    channel.join(built.handle.endpoint("channel"))
    return built.instance


def texts(one: Any) -> list[str]:
    return [line.text for line in one.lines()]


def test_everybody_gets_the_lines_of_a_list_in_one_order_also_a_late_joiner() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        channel.hold()
        milk = ann.append("milk")
        bob.append("bread")
        channel.release()
        bob.change(milk, "oat milk")
        assert texts(ann) == texts(bob) == texts(join(bench, channel)) == ["oat milk", "bread"]
        ann.drop(milk)
        assert texts(bob) == ["bread"]


def test_changes_that_no_longer_apply_are_ignored_everywhere() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        key = ann.append("milk")
        channel.hold()
        ann.drop(key)
        bob.change(key, "late")
        channel.release()
        assert texts(ann) == texts(bob) == []


def test_a_client_receives_the_lines() -> None:
    with Bench() as bench:
        channel = bench.channel()
        built = bench.build(ListObject)
        channel.join(built.handle.endpoint("channel"))
        probe = built.probe("content")
        key = probe.call("append", "milk").value()
        assert isinstance(key, uuid.UUID)
        assert probe.heard == [("connect",), ("listed", []), ("listed", [Line(key, "milk")])]


def test_early_or_too_long_requests_are_refused_with_the_reason() -> None:
    with Bench() as bench:
        built = bench.build(ListObject)
        probe = built.probe("content")
        with pytest.raises(CallFailedError, match="is not ready"):
            probe.call("append", "x").value()
        bench.channel().join(built.handle.endpoint("channel"))
        with pytest.raises(CallFailedError, match="10,000 characters"):
            probe.call("append", "x" * (LONGEST + 1)).value()


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 5)), max_size=30))
def test_replicas_never_differ(steps: list[tuple[int, int, int]]) -> None:
    with Bench() as bench:
        channel = bench.channel()
        people = [join(bench, channel), join(bench, channel)]
        keys = [uuid.UUID(int=9)]
        for who, what, which in steps:
            key = keys[which % len(keys)]
            match what:
                case 0:
                    keys.append(people[who].append(str(which)))
                case 1:
                    people[who].change(key, str(which))
                case _:
                    people[who].drop(key)
        assert people[0].lines() == people[1].lines()


LINES = st.builds(Line, st.integers(0, 5).map(lambda number: uuid.UUID(int=number)), st.text(max_size=3))
EDITS = st.one_of(
    st.builds(Append, LINES), st.builds(Change, LINES), st.builds(Drop, LINES.map(lambda line: line.key))
)


@given(st.lists(EDITS, max_size=20), st.integers(0, 20))
def test_the_incremental_digest_equals_that_of_the_lines(edits: list[Edit], asked: int) -> None:
    rows, fresh = ListFold(), ListFold()
    for number, edit in enumerate(edits):
        rows.receive(edit)
        if number == asked:
            rows.digest()
    fresh.initialize(list(rows.rows.values()))
    assert rows.digest() == fresh.digest() == rows.digest()


def test_a_digest_distinguishes_texts_keys_and_orders() -> None:
    one, two = Line(uuid.UUID(int=1), "a"), Line(uuid.UUID(int=2), "b")
    digests = set()
    for lines in ([], [one], [two], [one, two], [two, one], [Line(one.key, "b"), Line(two.key, "a")]):
        rows = ListFold()
        rows.initialize(lines)
        digests.add(rows.digest())
    assert len(digests) == 6


def test_a_snapshot_stays_as_it_was() -> None:
    rows, line = ListFold(), Line(uuid.UUID(int=1), "a")
    rows.receive(Append(line))
    taken = rows.snapshot()
    rows.receive(Change(Line(line.key, "b")))
    rows.receive(Append(Line(uuid.UUID(int=2), "c")))
    assert taken.checkpoint() == [line]
