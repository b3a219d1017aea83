"""A query of a recipe: its parameters, its results, and its process that dies."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.feeds.derivation import feed_query
from liven.liveobjects.feeds.derivation.feed_query import FeedQuery, feed_is_here
from liven.liveobjects.feeds.description import FeedDescription, write_description
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.capability import CapabilityKind
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench

STAND_IN = Path(__file__).with_name("stand_in_query.py")
READY = json.dumps({"event": "ready"})


def line(*cells: int) -> str:
    rows = [[cell] for cell in cells]
    return json.dumps({"event": "table", "columns": [["n", "whole"]], "rows": rows, "cut": False, "at": 1})


class Stage:
    """A bench whose queries are lines that are printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bench = Bench()
        self.lines: list[str] = []
        self.starts = 0
        self.probes: list[Any] = []
        """The clients; one that is dropped disconnects."""
        monkeypatch.setattr(feed_query, "query_command", lambda *_: [])
        monkeypatch.setattr(feed_query, "QueryProcess", self._started)

    def _started(self, _command: Any, *rest: Any) -> Any:
        from liven.liveobjects.feeds.derivation.query_process import QueryProcess

        self.starts += 1
        return QueryProcess([sys.executable, str(STAND_IN), *self.lines], *rest)

    def query(self, *lines: str) -> Any:
        self.lines = list(lines)
        return self.bench.build(FeedQuery, feed="radar", query="select 1")

    def client(self, query: Any) -> Any:
        """Connect a client."""
        self.probes.append(query.probe("Endpoint"))
        return self.probes[-1]

    def told(self, query: Any, count: int) -> list[list[int]]:
        """Wait for tables and return their cells."""
        probe = self.client(query)
        self.bench.crank.wait(lambda: sum(event[0] == "set" for event in probe.heard) >= count)
        return [event[1].columns[0].values for event in probe.heard if event[0] == "set"]

    def problem(self) -> str:
        """Wait for a problem, and take it."""
        self.bench.crank.wait(lambda: bool(self.bench.problems))
        return str(self.bench.problems.pop(0))


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Stage]:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    made = Stage(monkeypatch)
    yield made
    made.bench.close()


def test_each_result_is_a_table(stage: Stage) -> None:
    query = stage.query(READY, line(1), line(1, 2), "wait")
    assert stage.told(query, 2) == [[1], [1, 2]]
    stage.probes.pop().close()
    later = stage.client(query)
    stage.bench.crank.settle()
    assert later.heard[1][1].columns[0].values == [1, 2], "the latest table comes at once"


def test_nothing_runs_before_somebody_is_connected_or_after_it(stage: Stage) -> None:
    query = stage.query(READY, "wait")
    assert query.instance.process is None
    probe = query.probe("Endpoint")
    stage.bench.crank.settle()
    assert query.instance.process is not None
    probe.close()
    stage.bench.crank.settle()
    assert query.instance.process is None
    assert stage.starts == 1


def test_a_killed_process_is_told_once_and_started_again_with_a_pause(stage: Stage) -> None:
    query = stage.query(line(1), "wait")
    assert stage.told(query, 1) == [[1]]
    stage.lines = [READY, "complain liven: Java was killed", "die 3"]
    os.kill(query.instance.process, signal.SIGKILL)
    assert "the query on the feed radar does not run" in stage.problem()
    stage.bench.advance(3)
    assert "Java was killed" in stage.problem()
    stage.lines = [line(5), "wait"]
    stage.bench.advance(1)
    assert stage.starts == 2, "the second pause is longer"
    stage.bench.advance(4)
    stage.bench.crank.wait(lambda: query.instance.get().columns[0].values == [5])
    assert stage.bench.problems == []


def test_a_wrong_query_is_tried_again_when_the_description_changes(stage: Stage, tmp_path: Path) -> None:
    place = tmp_path / "state" / "feeds" / "radar"
    write_description(place, FeedDescription(title="Radar"))
    query = stage.query("complain liven: there is no table aircraft", "die 1")
    probe = stage.client(query)
    assert "there is no table aircraft" in stage.problem()
    write_description(place, FeedDescription(title="Radar of the north"))
    stage.lines = [line(7), "wait"]
    stage.bench.advance(feed_query.LOOK_EVERY)
    stage.bench.crank.wait(lambda: probe.heard[-1][0] == "set")
    assert probe.heard[-1][1].columns[0].values == [7]


def test_garbage_is_told_and_does_not_end_the_query(stage: Stage) -> None:
    bad = json.dumps({"event": "table", "columns": [], "rows": [[1]], "cut": False, "at": 1})
    query = stage.query(bad, line(3), "wait")
    assert stage.told(query, 1) == [[3]]
    assert "another number of cells" in stage.problem()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"feed": ""}, "no name of a feed"),
        ({"feed": "--tables=/"}, "no name of a feed"),
        ({"query": " \n"}, "1 to 65,536 characters"),
        ({"query": "x" * 70_000}, "1 to 65,536 characters"),
        ({"every": -1.0}, "every 0 to 86,400 seconds"),
        ({"every": float("nan")}, "every 0 to 86,400 seconds"),
        ({"rows": 0}, "1 to 10,000 rows"),
        ({"rows": 10_001}, "1 to 10,000 rows"),
        ({"since": "yesterday"}, "is not a span of time"),
        ({"lateness": "soon"}, "is not a span of time"),
    ],
)
def test_a_wrong_recipe_is_refused_with_the_reason(values: dict[str, Any], told: str) -> None:
    with Bench() as bench, pytest.raises(CallFailedError, match=told):
        bench.build(FeedQuery, **{"feed": "radar", "query": "select 1", **values})


def test_the_feed_is_stated() -> None:
    (stated,) = FeedQuery.capabilities("radar")
    assert (stated.kind, stated.subject) == (CapabilityKind.RUN_QUERY, "radar")
    assert str(stated) == "run a query with Spark on the recorded feed radar"
    assert stated.is_asked


def test_a_feed_is_here_once_something_is_recorded(stage: Stage, tmp_path: Path) -> None:
    assert not feed_is_here("radar")
    assert not feed_is_here("\0")
    with LogWriter(tmp_path / "state" / "feeds" / "radar" / "a") as log:
        log.extend([Record(1, 1, "o", "c", "ann", "bool", 1, 0, b"\xc3")])
    assert feed_is_here("radar")
