"""The lag of a live query: from the append of a record to a result that has it.

A recorder appends 20 records every 50 ms and puts them on the disk. A query without a pause between results
follows the feed, in a session that is warm; the lag of each record is the time from its append to the first
result with it or a later one.
"""

from __future__ import annotations

import tempfile
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
from figure_report import Figure

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.jobs.continuous import query
from liven.liveobjects.feeds.spark.jobs.job import CancelledError, JobContext
from liven.liveobjects.feeds.spark.session import Session, opened_session
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.table.commits.layout import Layout

TICK = 0.05
RECORDS = 20
"""Records of one append."""
WARM, SECONDS = 10.0, 20.0
KINDS: Mapping[str, str] = {
    "rows as they come": "select serial as last from records",
    "one sum over all": "select max(serial) as last from records",
}
POINT = "{x: float64}"


@dataclass(slots=True)
class Followed:
    """The appends and the results of one query."""

    appended: list[tuple[int, float]] = field(default_factory=list)
    """The serial of the last record of each append, and when it was on the disk."""
    seen: list[tuple[int, float]] = field(default_factory=list)
    """The greatest serial of each result, and when it came."""
    is_over: threading.Event = field(default_factory=threading.Event)

    def record(self, folder: Path) -> None:
        """Append until it is over."""
        serial, due = 0, time.monotonic()
        with LogWriter(folder) as log:
            while not self.is_over.is_set():
                at = time.time_ns() // 1000
                one = msgpack.packb({"x": 1.5})
                numbers = range(serial + 1, serial + RECORDS + 1)
                log.extend([Record(at, at, "o", "c", "ann", POINT, each, 0, one) for each in numbers])
                begun = time.monotonic()
                log.sync()
                serial += RECORDS
                self.appended.append((serial, begun))
                due += TICK
                self.is_over.wait(max(0.0, due - time.monotonic()))

    def hear(self, event: dict[str, Any]) -> None:
        """Note a result."""
        if event["event"] == "table" and event["rows"]:
            self.seen.append((max(row[0] for row in event["rows"]), time.monotonic()))

    def lags(self) -> list[float]:
        """Return the seconds of each append after the warm-up until it was seen, in order of size."""
        begin = self.seen[0][1] + WARM
        serials = [serial for serial, _ in self.seen]
        found = []
        for serial, at in self.appended:
            place = bisect_left(serials, serial)
            if begin <= at < begin + SECONDS and place < len(self.seen):
                found.append(self.seen[place][1] - at)
        return sorted(found)


def figures() -> Iterator[Figure]:
    """Yield the figures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with opened_session(SparkSettings(), home / "cache", home / "spark.log") as session:
            for number, (kind, text) in enumerate(KINDS.items()):
                lags = _followed(session, home / str(number), text).lags()
                target = 0.4 if number == 0 else None
                yield Figure(f"live lag, {kind}: median", lags[len(lags) // 2], "s", target)
                yield Figure(f"live lag, {kind}: 99 % below", lags[len(lags) * 99 // 100], "s")


def _followed(session: Session, home: Path, text: str) -> Followed:
    found = Followed()
    context = JobContext(session, home / "feeds", Layout(home / "tables"), found.hear, threading.Event())
    given = {"feed": "f", "query": text, "every": 0, "rows": 1}
    recorder = _thread(lambda: found.record(home / "feeds" / "f" / "a"))
    while not (home / "feeds" / "f" / "a" / "durable").exists():
        time.sleep(TICK)
    follower = _thread(lambda: _run(context, given))
    while not found.seen or found.seen[-1][1] < found.seen[0][1] + WARM + SECONDS:
        if not follower.is_alive():
            raise RuntimeError(f"the query ended; see {home}")
        time.sleep(TICK)
    found.is_over.set()
    context.cancelled.set()
    recorder.join()
    follower.join()
    return found


def _run(context: JobContext, given: dict[str, Any]) -> None:
    try:
        query.run(context, given)
    except CancelledError:
        return


def _thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
