"""The surroundings of a job: a session, folders, a way to report progress and to learn of its cancelling."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from liven.liveobjects.feeds.spark.session import Session
from liven.liveobjects.feeds.table.commits.layout import Layout

Arguments: TypeAlias = Mapping[str, Any]
"""JSON values: a job may run in another process than the command."""
Event: TypeAlias = dict[str, Any]
"""JSON values with the key `event`; see docs/feeds-spark.md."""


class CancelledError(Exception):
    """Somebody cancelled the job; all that it committed stays."""


class JobError(Exception):
    """The job cannot go on; the text says why and what to do."""


@dataclass(slots=True)
class JobContext:
    """The surroundings of a job."""

    session: Session
    feeds: Path
    """The folder of all feeds."""
    layout: Layout
    """The folder of all tables, whose lock this process holds if the job writes."""
    report: Callable[[Event], None]
    cancelled: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """Raise CancelledError if the job was cancelled, and VirtualMachineEndedError if Java has ended."""
        if self.cancelled.is_set():
            raise CancelledError
        self.session.demand_running()

    def tell(self, event: str, **values: Any) -> None:
        """Report an event."""
        self.report({"event": event, **values})


class Job(Protocol):
    """The module of a job."""

    def run(self, context: JobContext, arguments: Arguments) -> None:
        """Do the work; raise JobError, CancelledError, FeedError or OSError."""
