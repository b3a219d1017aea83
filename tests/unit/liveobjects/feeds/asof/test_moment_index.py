"""States as of a moment agree with a fold of the log, record by record."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.feeds.asof.moment_index import MomentIndex, ObjectKey
from liven.liveobjects.feeds.asof.states import states_as_of
from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, FORK, GAP, GAP_TYPE, VALUE, Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter

FLAGS = st.sampled_from((0, 0, 0, CHECKPOINT, VALUE, GAP, FORK, CONTROL))
EVENTS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 1), FLAGS, st.integers(1, 9)),
    max_size=60,
)
"""Object, channel, flags, and the number that is added to the state."""

Folded = dict[ObjectKey, tuple[int | None, bytes | None, list[bytes], int]]


def _records(events: list[tuple[int, int, int, int]]) -> list[Record]:
    return [
        Record(
            1000 + at,
            1000 + at,
            f"o{number}",
            f"c{channel}",
            "ann",
            GAP_TYPE if flags & GAP and amount % 2 else "int64",
            max(0, at - 2 * amount) if flags & FORK else at,
            flags,
            bytes([amount]),
        )
        for at, (number, channel, flags, amount) in enumerate(events)
    ]


def _fold(records: list[Record], at: int) -> Folded:
    """Return base, state, operations and last sequence of each object: the definition, in plain Python."""
    states: Folded = {}
    forks = [(sequence, one) for sequence, one in enumerate(records[:at]) if one.flags & FORK]
    for sequence, record in enumerate(records[:at]):
        if any(
            sequence < fork and record.channel == one.channel and record.serial > one.serial
            for fork, one in forks
        ):
            continue  # it is in a branch
        key = ObjectKey(record.object, record.channel)
        base, state, operations, _ = states.get(key, (None, None, [], 0))
        if record.flags & (FORK | CONTROL) or record.type == GAP_TYPE:
            continue
        if record.flags & (CHECKPOINT | VALUE):
            states[key] = (sequence, record.payload, [], sequence)
        else:
            states[key] = (base, state, [*operations, record.payload], sequence)
    return states


def _written(folder: Path, records: list[Record], rows: int) -> Log:
    """Write the records in blocks of a few rows."""
    with LogWriter(folder) as writer:
        for start in range(0, len(records), rows):
            writer.extend(records[start : start + rows])
            writer.flush()
    return Log(folder)


def _answer(log: Log, at: int, index: MomentIndex) -> Folded:
    return {
        each.key: (each.base, each.state, each.operations, each.sequence)
        for each in states_as_of(log, at, index)
    }


@settings(max_examples=60, deadline=None)
@given(events=EVENTS, rows=st.integers(1, 20), mark=st.integers(1, 30), moments=st.lists(st.integers(0, 70)))
def test_states_equal_a_fold_of_the_log(
    events: list[tuple[int, int, int, int]],
    rows: int,
    mark: int,
    moments: list[int],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("log")
    records = _records(events)
    log = _written(folder, records, rows)
    index = MomentIndex(log, mark_rows=mark)
    for at in (*moments, len(records)):
        assert _answer(log, at, index) == _fold(records, at)


def test_an_index_learns_of_later_records(tmp_path: Path) -> None:
    first = _records([(0, 0, CHECKPOINT, 1), (1, 0, 0, 2)])
    with LogWriter(tmp_path / "log") as writer:
        writer.extend(first)
        writer.flush()
        writer.sync()
        log = Log(tmp_path / "log")
        index = MomentIndex(log)
        assert len(index.places(2)) == 2
        writer.extend(_records([(2, 0, CHECKPOINT, 3)]))
        writer.flush()
        writer.sync()
        assert [place.key.object for place in index.places(3)] == ["o0", "o1", "o2"]
        assert len(index.places(2)) == 2


def test_many_pairs_of_names_are_sorted_instead(tmp_path: Path) -> None:
    records = [
        Record(at, at, f"o{at % 500}", f"c{at % 300}", "ann", "int64", at, CHECKPOINT, b"\x01")
        for at in range(3000)
    ]
    log = _written(tmp_path / "log", records, 3000)
    assert _answer(log, 2222, MomentIndex(log)) == _fold(records, 2222)


def test_marks_take_bounded_memory(tmp_path: Path) -> None:
    records = [
        Record(at, at, f"o{at % 50}", "c", "ann", "int64", at, CHECKPOINT, b"\x01") for at in range(2000)
    ]
    log = _written(tmp_path / "log", records, 10)
    index = MomentIndex(log, mark_rows=10, marks_bytes=10_000)
    assert _answer(log, 1234, index) == _fold(records, 1234)
    assert index.memory <= 10_000


def test_a_state_after_a_fork_is_what_the_history_that_won_says(tmp_path: Path) -> None:
    def one(serial: int, payload: bytes, flags: int = 0) -> Record:
        return Record(serial, serial, "o", "c", "ann", "int64", serial, flags, payload)

    records = [
        one(1, b"s", CHECKPOINT),
        one(2, b"a"),
        one(3, b"lost"),
        one(3, b"lost state", CHECKPOINT),
        one(4, b"lost, too"),
        one(2, b"", FORK),
        one(3, b"won"),
    ]
    log = _written(tmp_path / "log", records, 3)
    index = MomentIndex(log)
    key = ObjectKey("o", "c")
    assert _answer(log, 5, index) == {key: (3, b"lost state", [b"lost, too"], 4)}
    assert _answer(log, 6, index) == {key: (0, b"s", [b"a"], 1)}
    assert _answer(log, 7, index) == {key: (0, b"s", [b"a", b"won"], 6)}
