"""One session of Spark for all tests that need Java, feeds to work on, and the same again on a cluster.

Each test of a session runs here and, being slow then, on a cluster of a master and two workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.cluster.local_cluster import opened_cluster
from liven.liveobjects.feeds.spark.jobs.job import JobContext
from liven.liveobjects.feeds.spark.session import Session, opened_session
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.table.commits.layout import Layout

DAY = 86_400_000_000
NOON = 20_000 * DAY + DAY // 2
POINT = "{x: float64, y: float64}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests with Java in one process of xdist (`--dist loadgroup`), so that one Java runs."""
    for item in items:
        if "session" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("java"))
            if find_spec("pyspark") is None:
                item.add_marker(pytest.mark.skip(reason="needs the extra `spark`"))


HERE, CLUSTER = "here", "cluster"


@pytest.fixture(scope="session", params=[HERE, pytest.param(CLUSTER, marks=pytest.mark.slow)])
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A session that lasts for all tests."""
    folder = tmp_path_factory.mktemp("spark")
    with ExitStack() as stack:
        settings = SparkSettings()
        if request.param == CLUSTER:
            cluster = stack.enter_context(opened_cluster(folder / "cache"))
            settings = SparkSettings(cluster.url, conf=cluster.settings)
        yield stack.enter_context(opened_session(settings, folder / "cache", folder / "spark.log"))


class Workplace:
    """Feeds, tables, and jobs on them."""

    def __init__(self, session: Session, root: Path) -> None:
        self.events: list[dict[str, Any]] = []
        self.layout = Layout(root / "tables")
        self.context = JobContext(session, root / "feeds", self.layout, self.events.append)

    def record(self, records: Iterable[Record], feed: str = "f", recorder: str = "a") -> Path:
        """Append records to a log and return its folder."""
        folder = self.context.feeds / feed / recorder
        with LogWriter(folder) as log:
            log.extend(list(records))
        return folder

    def ingest(self, **arguments: Any) -> None:
        from liven.liveobjects.feeds.spark.jobs import ingest

        ingest.run(self.context, arguments)

    def sql(self, query: str) -> list[list[Any]]:
        """Return the rows of a query."""
        from liven.liveobjects.feeds.spark.jobs import sql

        before = len(self.events)
        sql.run(self.context, {"query": query})
        return [row for event in self.events[before:] if event["event"] == "rows" for row in event["rows"]]

    def told(self, event: str) -> list[dict[str, Any]]:
        """Return the events of this name."""
        return [each for each in self.events if each["event"] == event]


@pytest.fixture
def workplace(session: Session, tmp_path: Path) -> Workplace:
    return Workplace(session, tmp_path)


def point(number: int, **more: Any) -> Record:
    """Return a record of a point; each number has its own time and serial."""
    values: dict[str, Any] = {
        "received": NOON + number * 1000,
        "object": f"o{number % 3}",
        "channel": "c",
        "author": "ann",
        "type": POINT,
        "serial": number + 1,
        "flags": 0,
        "payload": msgpack.packb({"x": float(number), "y": -1.0}),
        **more,
    }
    return Record(sent=values["received"], **values)


@pytest.fixture
def make_point() -> Callable[..., Record]:
    return point
