"""Several recorders of a feed are one source: each record once, in one order, whoever recorded it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.unit.liveobjects.feeds.replay.recordings import START, checkpoint, record, written

from liven.liveobjects.feeds.record import FORK, VALUE, Record
from liven.liveobjects.feeds.recorder.log.marks import FORK_TYPE, gap_record
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs, Origin
from liven.liveobjects.feeds.replay.source.missing_numbers import Missing
from liven.liveobjects.feeds.segment.reader import Log

ORDER, VALUES, GROUP = "home/f/order", "home/f/values", "home/f/group"
UNORDERED = (VALUES, GROUP)


def merged(folder: Path, *logs: Sequence[Record], **options: Any) -> MergedLogs:
    opened = []
    for number, records in enumerate(logs):
        place = folder / f"r{number}"
        if not place.exists():
            written(place, records, 5)
        opened.append(Log(place))
    return MergedLogs(opened, UNORDERED, **options)


def all_of(source: MergedLogs) -> list[Record]:
    return [event.record for rows in source.rows(0, source.end) for event in rows.events()]


def op(number: int, at: float | None = None, value: int | None = None, author: str = "ann") -> Record:
    at = number if at is None else at
    return record(at, number if value is None else value, channel=ORDER, serial=number, author=author)


def state(number: int, at: float | None = None) -> Record:
    return checkpoint(number if at is None else at, number, channel=ORDER)._replace(serial=number)


def assigned(count: int, author: str, at: float) -> Record:
    return record(at, count, channel=VALUES, serial=count, author=author, flags=VALUE)


def serials(source: MergedLogs) -> list[int]:
    return [one.serial for one in all_of(source)]


def test_numbers_that_one_recorder_missed_come_from_the_other(tmp_path: Path) -> None:
    first = [state(0, 0.5), *map(op, (1, 2, 3, 4)), gap_record("", ORDER, 5, 7, "away"), *map(op, (8, 9))]
    second = [op(number, number + 0.1) for number in range(3, 9)]
    source = merged(tmp_path, first, second)
    assert serials(source) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert source.missing == []
    assert all_of(source)[5] == second[2]


def test_numbers_that_nobody_has_are_told(tmp_path: Path) -> None:
    source = merged(tmp_path, [state(0, 0.5), *map(op, (1, 2, 6))], [op(2, 2.5), op(7)])
    assert source.missing == [Missing(ORDER, "", 3, 5)]


def test_a_clock_that_is_off_is_set_right_by_common_records(tmp_path: Path) -> None:
    hour = 3600.0
    first = [state(0, 0.5), *map(op, (1, 2, 3)), op(7)]
    second = [op(number, number + hour) for number in range(2, 7)]
    source = merged(tmp_path, first, second)
    assert serials(source) == [0, 1, 2, 3, 4, 5, 6, 7]
    times = [(one.received - START) / 1e6 for one in all_of(source)]
    assert times == sorted(times)
    assert times[-1] < 8
    assert source.sequence_at(START + 4_500_000) == 5


def test_a_branch_is_left_out_whoever_was_in_it(tmp_path: Path) -> None:
    lost = [op(3, 3, 30), op(4, 4, 40, "bob")]
    fork = record(6, {"after": 2, "why": ""}, channel=ORDER, flags=FORK, serial=2, type=FORK_TYPE)
    won = [op(number, number + 4) for number in (3, 4, 5)]
    first = [state(0, 0.5), *map(op, (1, 2)), *lost, fork, *won]
    second = [state(0, 0.5), *map(op, (1, 2)), *(op(number, number + 0.5) for number in (3, 4, 5))]
    payloads = [one.payload for one in all_of(merged(tmp_path / "both", first, second))]
    assert payloads == [one.payload for one in second]
    assert payloads == [one.payload for one in all_of(merged(tmp_path / "one", first))]


def test_a_log_that_ends_in_a_branch_gives_way_to_the_one_that_reaches_further(tmp_path: Path) -> None:
    first = [state(0, 0.5), *map(op, (1, 2)), op(3, 3, author="bob"), op(4, 4)]
    second = [state(0, 0.5), *map(op, (1, 2, 3, 4, 5))]
    source = merged(tmp_path, first, second)
    assert [one.author for one in all_of(source)] == ["ann"] * 6
    [told] = source.contradictions
    assert (told.channel, source.recorders[told.log], told.first) == (ORDER, "r0", 3)


def test_the_last_value_is_the_one_that_won(tmp_path: Path) -> None:
    """The second recorder came late, with a slow clock, and heard only the assignment that won."""
    source = merged(tmp_path, [assigned(5, "a", 11), assigned(5, "b", 12)], [assigned(5, "b", 10.5)])
    assert [one.author for one in all_of(source)] == ["a", "b"]


def test_records_without_a_number_are_never_taken_for_the_same(tmp_path: Path) -> None:
    once = [record(at, 1, channel=GROUP) for at in (1, 2)]
    assert len(all_of(merged(tmp_path, once, once))) == 4


def test_a_gap_of_an_author_that_another_recorder_covers_is_not_told(tmp_path: Path) -> None:
    def said(number: int) -> Record:
        return record(number, number, channel=GROUP, serial=number)

    gap = gap_record("", GROUP, 3, 4, "away", "ann")
    whole = [said(number) for number in range(1, 7)]
    cut = [said(1), said(2), gap, said(5), said(6)]
    assert merged(tmp_path / "a", cut, whole).missing == []
    assert merged(tmp_path / "b", cut, cut).missing == [Missing(GROUP, "ann", 3, 4)] * 2


def test_places_lead_to_logs_and_back(tmp_path: Path) -> None:
    source = merged(tmp_path, [op(1), op(3)], [op(2), op(3, 3.5)])
    assert [source.origin(place) for place in range(3)] == [Origin("r0", 0), Origin("r1", 0), Origin("r0", 1)]
    assert source.sequence_of(Origin("r1", 0)) == 1
    assert source.sequence_of(Origin("r1", 1)) == source.end


def test_too_many_records_are_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match=r"5 records .* play one of the recorders \(r0, r1\)"):
        merged(tmp_path, [op(1), op(2)], [op(1), op(2), op(3)], rows_most=4)


def test_a_part_and_the_way_back_have_the_same_rows(tmp_path: Path) -> None:
    logs = [[op(number) for number in range(1, 60, 2)], [op(number) for number in range(2, 60, 2)]]
    source = merged(tmp_path, *logs)
    whole = [event for rows in source.rows(0, source.end) for event in rows.events()]
    assert [event.sequence for event in whole] == list(range(59))
    part = [event for rows in source.rows(10, 40) for event in rows.events()]
    back = [event for rows in source.rows_back(10, 40) for event in rows.events()]
    assert part == whole[10:40] == back
