"""The recorders of a feed as one source."""

from __future__ import annotations

from pathlib import Path

from tests.unit.liveobjects.feeds.replay.recordings import record, written

from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs
from liven.liveobjects.feeds.replay.source.recorders import origin_of, recorded, sequence_of
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog


def test_one_recorder_is_its_log_and_several_are_merged(tmp_path: Path) -> None:
    rows = [record(at, at)._replace(serial=at + 1) for at in range(6)]
    written(tmp_path / "ann", rows[:4])
    written(tmp_path / "bo", rows[2:])
    one, both = recorded([tmp_path / "ann"]), recorded([tmp_path / "ann", tmp_path / "bo"])
    assert isinstance(one, SegmentLog) and isinstance(both, MergedLogs)
    assert (one.end, both.end) == (4, 6)
    assert origin_of(one, "ann", 2) == ("ann", 2)
    assert origin_of(both, "ann", 5) == ("bo", 3)
    assert sequence_of(both, origin_of(both, "ann", 5)) == 5
    for source in (one, both):
        twin = source.twin()
        mine = [each.sequence for part in source.rows(0, source.end) for each in part.events()]
        others = [each.sequence for part in twin.rows(0, twin.end) for each in part.events()]
        assert mine == others == list(range(source.end))


def test_a_twin_stays_as_it_was_when_the_logs_grow(tmp_path: Path) -> None:
    written(tmp_path / "ann", [record(0, 1)._replace(serial=1)])
    written(tmp_path / "bo", [record(1, 2)._replace(serial=2)])
    source = recorded([tmp_path / "ann", tmp_path / "bo"])
    written(tmp_path / "ann", [record(2, 3)._replace(serial=3)])
    assert source.twin().end == source.end == 2
    assert recorded([tmp_path / "ann", tmp_path / "bo"]).end == 3
