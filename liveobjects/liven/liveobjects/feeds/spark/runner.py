"""Running a job: in the resident process if there is one that fits, else in a session of our own.

Java may be killed at any time. A job loses nothing by that, so it is started again, with a new Java, a few
times."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import feeds_root
from liven.liveobjects.feeds.spark.interrupt import heeded_interrupts, own_interrupts
from liven.liveobjects.feeds.spark.jobs.job import CancelledError, JobContext, JobError
from liven.liveobjects.feeds.spark.jobs.registry import JOBS
from liven.liveobjects.feeds.spark.session import Session, first_line, open_session
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError, VirtualMachineEndedError
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.liveobjects.feeds.table.commits.lock import locked
from liven.runtime.exit_codes import ENVIRONMENT, NO, OK
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.user_folders import UserFolders

STARTS: Final = 4
"""The most times that Java is started for one job."""
INTERRUPTED: Final = 130
Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a job."""

    code: int
    """An exit code of `liven`."""
    text: str = ""
    """The sentence about a failure: where, why, and what to do."""
    cache_missing: bool = False
    """True if starts of Java are not prepared yet."""


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of a run."""

    feeds: Path
    tables: Path
    cache: Path
    logs: Path
    socket: Path

    @classmethod
    def of(cls, folders: UserFolders, tables: Path | None = None) -> Places:
        """Return the folders of a user; `tables` may be elsewhere."""
        return cls(
            feeds=feeds_root(folders),
            tables=tables or folders.state / "tables",
            cache=folders.cache / "spark",
            logs=folders.state / "logs",
            socket=folders.runtime / "feeds.sock",
        )


@dataclass(slots=True)
class Run:
    """One job with its arguments."""

    job: str
    arguments: dict[str, Any]
    settings: SparkSettings
    places: Places
    report: Report
    cancelled: threading.Event = field(default_factory=threading.Event)
    has_told_rows: bool = False
    """True if somebody has rows of this job, which would come twice if it were done again."""

    def tell(self, event: dict[str, Any]) -> None:
        """Report an event of the job."""
        self.has_told_rows = self.has_told_rows or event["event"] == "rows"
        self.report(event)

    def say(self, step: str, text: str) -> None:
        """Report a step on the way to the job."""
        self.report({"event": step, "text": text})

    def cancel(self, session: Session) -> None:
        """Make the job end soon with CancelledError."""
        self.cancelled.set()
        session.cancel()

    def run(self) -> Outcome:
        """Do it in a session of our own and return its end."""
        row = JOBS[self.job]
        owner = f"process {os.getpid()} (liven feeds {self.job})"
        try:
            with tables_lock(self.places, owner, self.report) if row.writes else nullcontext(None) as lock:
                for start in range(1, STARTS + 1):
                    try:
                        return self._once(() if lock is None else (lock,))
                    except VirtualMachineEndedError as error:
                        if self.has_told_rows:
                            return Outcome(NO, INCOMPLETE)
                        if start == STARTS:
                            raise
                        self.report({"event": "restart", "start": start, "text": str(error)})
        except KeyboardInterrupt:
            return stopped(self.job)
        except Exception as error:
            return outcome_of(error)
        raise AssertionError("a start either returns or raises")

    def _once(self, keep: tuple[int, ...]) -> Outcome:
        log = self.places.logs / f"spark-{self.job}.log"
        with own_interrupts():
            load = JOBS[self.job].load
            session = open_session(
                self.settings, self.places.cache, log, keep=keep, said=self.say, meanwhile=load
            )
            self.report({"event": "ready"})
            try:
                with heeded_interrupts(lambda: self.cancel(session)):
                    return run_in(session, self)
            finally:
                session.close()


def run_in(session: Session, run: Run) -> Outcome:
    """Do a job in a session; raise VirtualMachineEndedError or KeyboardInterrupt."""
    context = JobContext(session, run.places.feeds, Layout(run.places.tables), run.tell, run.cancelled)
    try:
        JOBS[run.job].load().run(context, run.arguments)
    except (KeyboardInterrupt, VirtualMachineEndedError):
        raise
    except Exception as error:
        if run.cancelled.is_set():
            return stopped(run.job)
        session.demand_running(error)
        return outcome_of(error)
    missing = (
        session.cache is not None and not session.cache.exists and not session.cache.failure_note.exists()
    )
    return Outcome(OK, cache_missing=missing)


@contextmanager
def tables_lock(places: Places, owner: str, report: Report) -> Iterator[int]:
    """Hold the lock of the tables."""

    def waiting(other: str) -> None:
        report({"event": "waiting", "text": f"waiting for {other}"})

    with locked(Layout(places.tables).lock, owner, waiting=waiting) as descriptor:
        yield descriptor


def outcome_of(error: Exception) -> Outcome:
    """Return the end of a job that raised this."""
    match error:
        case CancelledError():
            return Outcome(INTERRUPTED, STOPPED)
        case FeedError() | JobError():
            return Outcome(NO, str(error))
        case NoSparkError():
            return Outcome(ENVIRONMENT, str(error))
        case OSError():
            return Outcome(ENVIRONMENT, explain_os_error(error))
        case _:
            return Outcome(NO, f"Spark failed: {first_line(error)}")


def stopped(job: str) -> Outcome:
    """Return the end of a job that a person stopped."""
    return Outcome(INTERRUPTED, STOPPED if JOBS[job].writes else "stopped")


INCOMPLETE: Final = "Java ended while the rows were told; those above are not all, so run the query again"
STOPPED: Final = "stopped; all that was committed stays, and the next run goes on from there"
