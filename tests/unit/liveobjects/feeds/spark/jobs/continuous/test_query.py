"""Continuous queries on one feed, with Spark: all kinds of results, and what ends them."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, write_description
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.spark.jobs.continuous import query as continuous
from liven.liveobjects.feeds.spark.jobs.job import CancelledError, JobError

pytestmark = pytest.mark.slow

POINT = "{x: float64, y: float64}"
SECOND = 1_000_000
PATIENCE = 300.0
PER_SECOND = (
    "select window(received, '1 second').start as start, count(*) as n, max(x) as most from point group by 1"
)


class Watched:
    """A query in a thread."""

    def __init__(self, workplace: Any, **arguments: Any) -> None:
        self._context = workplace.context
        self._events = workplace.events
        self._changed = threading.Condition()
        self._context.report = self._report
        self._context.cancelled.clear()
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._run, args=({"feed": "f", "every": 0.1, **arguments},))
        self.thread.start()

    def _run(self, arguments: dict[str, Any]) -> None:
        try:
            continuous.run(self._context, arguments)
        except Exception as error:
            self.error = error
        with self._changed:
            self._changed.notify_all()

    def _report(self, event: dict[str, Any]) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def wait(self, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first result that fits."""
        with self._changed:
            assert self._changed.wait_for(
                lambda: self.error is not None or any(map(until, self._tables())), PATIENCE
            ), self._events
        assert self.error is None, self.error
        return next(filter(until, self._tables()))

    def _tables(self) -> list[dict[str, Any]]:
        return [event for event in self._events if event["event"] == "table"]

    def end(self) -> Exception | None:
        """Cancel it, and return the error that ended it."""
        self._context.cancelled.set()
        self.thread.join(PATIENCE)
        return self.error

    def failure(self) -> str:
        """Wait for the query to fail, and return why."""
        self.thread.join(PATIENCE)
        assert self.error is not None
        return str(self.error)


@pytest.fixture
def watch(workplace: Any) -> Iterator[Callable[..., Watched]]:
    made: list[Watched] = []

    def start(**arguments: Any) -> Watched:
        made.append(Watched(workplace, **arguments))
        return made[-1]

    write_description(workplace.context.feeds / "f", FeedDescription(types={"point": TypeEntry(POINT)}))
    yield start
    for one in made:
        one.end()


@pytest.fixture
def record(workplace: Any, make_point: Callable[..., Record]) -> Callable[..., None]:
    def made(numbers: range, recorder: str = "a") -> None:
        workplace.record((make_point(n, type="point") for n in numbers), recorder=recorder)

    return made


def test_history_and_new_records_are_in_one_ordered_result(watch: Any, record: Any) -> None:
    record(range(1500))
    one = watch(query=f"{PER_SECOND} order by start desc limit 2")
    table = one.wait(lambda event: sum(row[1] for row in event["rows"]) == 1500)
    assert table["columns"] == [["start", "time"], ["n", "whole"], ["most", "real"]]
    assert [row[1:] for row in table["rows"]] == [[500, 1499.0], [1000, 999.0]]
    assert table["rows"][0][0] - table["rows"][1][0] == SECOND
    record(range(1500, 2100))
    table = one.wait(lambda event: event["rows"][0][1] == 100)
    assert [row[1:] for row in table["rows"]] == [[100, 2099.0], [1000, 1999.0]]
    assert isinstance(one.end(), CancelledError)


def test_keys_keep_the_latest_row_of_each_and_the_greatest_keys(watch: Any, record: Any) -> None:
    record(range(3000))
    one = watch(query=PER_SECOND, keys=["Start"], rows=2)
    table = one.wait(lambda event: [row[1] for row in event["rows"]] == [1000, 1000])
    assert table["cut"]
    record(range(3000, 3001))
    table = one.wait(lambda event: event["rows"][-1][1] == 1)
    assert [row[2] for row in table["rows"]] == [2999.0, 3000.0]


def test_rows_without_an_aggregate_roll(watch: Any, record: Any) -> None:
    record(range(10))
    one = watch(query="select x, object, payload is null as gone from records join_me", rows=3)
    assert "the views are: point, records" in one.failure()
    one = watch(query="select x, object, array(x) as list from point", rows=3)
    one.wait(lambda event: [row[0] for row in event["rows"]] == [7.0, 8.0, 9.0])
    record(range(10, 11))
    table = one.wait(lambda event: event["rows"][-1][0] == 10.0)
    assert [row[0] for row in table["rows"]] == [8.0, 9.0, 10.0]
    assert table["rows"][-1][2] == "[10.0]"


def test_two_recorders_count_once_however_far_apart_they_are_read(
    watch: Any, record: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(range(40_000), "a")
    record(range(0, 40_000, 2), "b")
    monkeypatch.setattr(continuous, "_LARGEST_WHOLE", 10_000)
    monkeypatch.setattr(continuous, "_FIRST_BATCH", 4_000)
    one = watch(query="select count(*) as n from point", lateness=1.0)
    one.wait(lambda event: event["rows"] == [[40_000]])


def test_an_empty_result_is_told_as_one(watch: Any, record: Any) -> None:
    record(range(5))
    one = watch(query="select object, count(*) as n from point where x > 100 group by object")
    assert one.wait(lambda _: True)["rows"] == []


def test_a_query_reaches_back_as_far_as_it_says(watch: Any, record: Any) -> None:
    record(range(5))  # long ago
    one = watch(query="select count(*) as n from point", since=3600.0)
    record(range(5, 6))
    assert one.wait(lambda _: True)["rows"] == [[0]]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"query": "select nonsense from"}, "the views are: point, records"),
        ({"query": "select n from point"}, "the views are: point, records"),
        ({"query": "select 1"}, "reads nothing of the feed"),
        ({"query": "create table t (a int)"}, "the views are"),
        ({"query": "select * from csv.`/etc/passwd`"}, "the views are"),
        ({"query": "set a = 1"}, "the views are"),
        ({"query": PER_SECOND, "keys": ["begin"]}, "no column 'begin'; it has: start, n, most"),
        ({"query": f"select {', '.join(f'x as x{n}' for n in range(101))} from point"}, "101 columns"),
        ({"query": PER_SECOND, "rows": 10_001}, "1 to 10,000 rows"),
        ({"query": PER_SECOND, "feed": "nothing"}, "there is no feed 'nothing'"),
    ],
)
def test_a_wrong_query_ends_with_the_reason(
    watch: Any, record: Any, arguments: dict[str, Any], why: str
) -> None:
    record(range(3))
    assert why in watch(**arguments).failure()


def test_a_query_that_fails_while_it_runs_is_tried_again_and_then_told(
    watch: Any, record: Any, workplace: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(continuous, "_PAUSE", 0.01)
    monkeypatch.setattr(continuous, "ATTEMPTS", 2)
    record(range(3))
    one = watch(query="select raise_error('too low') as no, count(*) from point group by 1")
    failure = one.failure()
    assert isinstance(one.error, JobError)
    assert "failed 2 times" in failure and "too low" in failure
    assert len(workplace.told("retry")) == 1


def test_a_feed_that_is_deleted_and_begun_anew_is_read_anew(
    watch: Any, record: Any, workplace: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(continuous, "_PAUSE", 0.5)
    record(range(100))
    one = watch(query="select count(*) as n from point")
    one.wait(lambda event: event["rows"] == [[100]])
    shutil.rmtree(Path(workplace.context.feeds) / "f" / "a")
    record(range(7))
    one.wait(lambda event: event["rows"] == [[7]])
