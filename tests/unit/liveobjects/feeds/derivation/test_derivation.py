"""A derivation waits for its feed and its turn, asks, and stops."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.liveobjects.feeds.derivation.test_feed_query import STAND_IN, line

from liven.liveobjects.feeds.derivation import feed_query
from liven.liveobjects.feeds.derivation.derivation import LOOK_EVERY, Derivation
from liven.liveobjects.feeds.derivation.query_process import QueryProcess
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.capability import CapabilityKind, Consent
from liven.runtime.loader import Loader
from liven.runtime.testing import Bench
from liven.types.catalogue import register
from liven.types.declare import scan


class Stage:
    """A bench with the class of the query, which prints one result and waits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path, consent: Consent) -> None:
        monkeypatch.setenv("LIVEN_HOME", str(home))
        self.feed = home / "state" / "feeds" / "radar"
        self.processes: list[QueryProcess] = []
        monkeypatch.setattr(feed_query, "QueryProcess", self._started)
        self.bench = Bench()
        self.bench.loader.close()
        self.bench.loader = Loader(self.bench.node, self.bench.known, consent=consent)
        register(self.bench.known.catalogue, scan(feed_query), self.bench.known.matcher)

    def _started(self, _command: Any, *rest: Any) -> QueryProcess:
        self.processes.append(QueryProcess([sys.executable, str(STAND_IN), line(4), "wait"], *rest))
        return self.processes[-1]

    def record(self) -> None:
        with LogWriter(self.feed / "a") as log:
            log.extend([Record(1, 1, "o", "c", "ann", "bool", 1, 0, b"\xc3")])


def derivation(stage: Stage, **values: Any) -> Any:
    return stage.bench.build(Derivation, feed="radar", query="select 1", **values)


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(monkeypatch, tmp_path, Consent(feeds=["radar"]))
    yield made
    made.bench.close()


def values(probe: Any) -> list[Any]:
    return [event[1].columns[0].values for event in probe.heard if event[0] == "set"]


def test_it_waits_for_the_feed_and_stops_when_it_is_deleted(stage: Stage) -> None:
    built = derivation(stage)
    probe = built.probe("Endpoint")
    stage.bench.advance(LOOK_EVERY)
    assert "this computer has no feed radar" in str(stage.bench.problems.pop())
    stage.bench.advance(3 * LOOK_EVERY)
    assert (stage.processes, stage.bench.problems) == ([], []), "one problem is enough"
    stage.record()
    stage.bench.advance(LOOK_EVERY)
    stage.bench.crank.wait(lambda: values(probe) == [[4]])
    probe.close()
    later = built.probe("Endpoint")
    stage.bench.crank.settle()
    assert values(later) == [[4]], "the latest result comes at once"
    shutil.rmtree(stage.feed)
    stage.bench.advance(LOOK_EVERY)
    assert not built.instance.context.connected("result")
    stage.record()
    stage.bench.advance(LOOK_EVERY)
    stage.bench.crank.wait(lambda: len(stage.processes) == 2)


def test_it_ends_its_process_when_it_ends(stage: Stage) -> None:
    stage.record()
    built = derivation(stage)
    probe = built.probe("Endpoint")
    stage.bench.crank.settle()
    stage.bench.crank.wait(lambda: values(probe) == [[4]])
    built.close()
    stage.bench.crank.settle()
    assert stage.processes[0].is_closed


def test_after_a_no_nothing_runs_and_nothing_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stage = Stage(monkeypatch, tmp_path, Consent())
    stage.record()
    derivation(stage)
    stage.bench.crank.settle()
    assert "which nobody allowed" in str(stage.bench.problems.pop())
    stage.bench.advance(10 * LOOK_EVERY)
    assert stage.processes == []
    stage.bench.close()


def test_the_group_is_stated_and_the_feed_is_not() -> None:
    (stated,) = Derivation.capabilities(group="home/turns")
    assert (stated.kind, stated.subject) == (CapabilityKind.JOIN_CHANNEL, "home/turns")
    assert Derivation.capabilities() == ()
