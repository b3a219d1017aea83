"""Jobs that choose records for a replay, and branches that states as of a moment leave out."""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from liven.liveobjects.feeds.record import CHECKPOINT, FORK, VALUE, Record
from liven.liveobjects.feeds.spark.jobs import chosen_records
from liven.liveobjects.feeds.spark.jobs.chosen_records import selection_of
from liven.liveobjects.feeds.spark.jobs.derived.asof import states_as_of
from liven.liveobjects.feeds.spark.jobs.job import JobError

START = 1_793_600_000_000_000
SECOND = 1_000_000


def one(
    number: int, at: float, flags: int = 0, *, channel: str = "home/f/c", payload: int | None = None
) -> Record:
    time = START + round(at * SECOND)
    packed = msgpack.packb(number if payload is None else payload)
    return Record(time, time, "o", channel, "ann", "int64", number, flags, packed)


def chosen(workplace: Any, name: str, feed: str = "f") -> list[tuple[int, int, int]]:
    """Return flags, serial and value of the rows."""
    workplace.events.clear()
    chosen_records.run(workplace.context, {"name": name, "feed": feed})
    columns = [column for column, _ in workplace.told("columns")[0]["columns"]]
    assert columns == ["received", "sent", *chosen_records.COLUMNS]
    rows = [row for event in workplace.told("rows") for row in event["rows"]]
    return [(row[7], row[6], msgpack.unpackb(bytes.fromhex(row[8]))) for row in rows]


def backwards(records: Any) -> Any:
    """Return all records, the last one first: a job of one's own."""
    return records.orderBy(records["seq"].desc())


def test_each_event_is_chosen_once_in_the_order_of_its_channel(workplace: Any) -> None:
    workplace.record([one(0, 0, CHECKPOINT), one(1, 1), one(2, 2), one(5, 5)], recorder="a")
    late = [one(2, 9), one(3, 10, payload=30), one(4, 11), one(2, 12, FORK), one(3, 13), one(4, 14)]
    workplace.record(late, recorder="b")
    found = [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5)]
    assert [(serial, value, value) for _, serial, value in chosen(workplace, "once")] == found
    assert chosen(workplace, "states") == [(CHECKPOINT, 0, 0)]
    assert [serial for _, serial, _ in chosen(workplace, "once", "f/a")] == [0, 1, 2, 5]


def test_of_a_stream_the_last_value_of_each_second_is_chosen(workplace: Any) -> None:
    values = [one(number, number / 4, VALUE, channel="home/f/v") for number in range(1, 9)]
    workplace.record(values)
    assert [serial for _, serial, _ in chosen(workplace, "seconds")] == [3, 7, 8]


def test_a_job_of_ones_own_is_named_by_module_and_function(workplace: Any) -> None:
    workplace.record([one(1, 1), one(2, 2)])
    assert [serial for _, serial, _ in chosen(workplace, f"{__name__}:backwards")] == [2, 1]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing", "there are once, states, seconds"),
        ("no_such_module:f", "cannot be imported"),
        ("json:no_such_function", "cannot be imported"),
        ("json:__name__", "is not a function"),
    ],
)
def test_a_job_that_there_is_not_is_refused(name: str, words: str) -> None:
    with pytest.raises(JobError, match=words):
        selection_of(name)


def test_a_state_after_a_fork_is_what_the_history_that_won_says(workplace: Any) -> None:
    lost = [one(3, 3, payload=30), one(3, 3, CHECKPOINT, payload=30)]
    workplace.record([one(1, 1, CHECKPOINT), one(2, 2), *lost, one(2, 4, FORK), one(3, 5)])
    feed = str(workplace.context.feeds / "f")
    records = workplace.context.session.spark.read.format("liven").option("path", feed).load()
    for end, operations in ((5, [2]), (6, [2, 3])):
        [row] = states_as_of(records, ends={"a": end}, at=START + 9 * SECOND).collect()
        assert bytes(row.state) == msgpack.packb(1)
        assert [msgpack.unpackb(bytes(each)) for each in row.operations] == operations
