"""States as of a moment out of several recorders."""

from __future__ import annotations

from pathlib import Path

from liven.liveobjects.feeds.asof.merged_blocks import MergedBlocks
from liven.liveobjects.feeds.asof.states import ObjectState, states_as_of
from liven.liveobjects.feeds.record import CHECKPOINT, Record
from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter


def records() -> list[Record]:
    """Return operations on two objects, with a state of the first in the middle."""
    flags = {4: CHECKPOINT}
    return [
        Record(
            1000 + at,
            1000 + at,
            f"o{at % 2}",
            f"c{at % 2}",
            "ann",
            "int64",
            1 + at // 2,
            flags.get(at, 0),
            bytes([at]),
        )
        for at in range(12)
    ]


def log(folder: Path, rows: list[Record]) -> Log:
    with LogWriter(folder) as writer:
        writer.extend(rows)
    return Log(folder)


def parts(states: list[ObjectState]) -> list[tuple[object, ...]]:
    return [(one.key, one.state, one.operations, one.received) for one in states]


def test_recorders_that_have_all_together_give_the_states_of_one(tmp_path: Path) -> None:
    rows = records()
    whole = log(tmp_path / "whole", rows)
    both = [log(tmp_path / "ann", rows[:7]), log(tmp_path / "bo", rows[3:])]
    blocks = MergedBlocks(MergedLogs(both))
    assert (blocks.begin, blocks.end) == (0, len(rows))
    for at in range(len(rows) + 1):
        assert parts(states_as_of(blocks, at)) == parts(states_as_of(whole, at)), at
