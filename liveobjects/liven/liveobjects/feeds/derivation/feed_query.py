"""A query on a feed of this computer, run by Spark in a process of its own while somebody is connected.

A process that ends is started again, with growing pauses; at a query that cannot run, the next try is when
the feed's description has changed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from liven.liveobjects.channel.api.endpoints import Value, ValueClient
from liven.liveobjects.feeds.derivation.latest_table import LatestTable
from liven.liveobjects.feeds.derivation.query_process import QueryProcess, query_command
from liven.liveobjects.feeds.derivation.told_table import told_table
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import DESCRIPTION, feeds_root, resolve
from liven.liveobjects.feeds.source.backoff import Backoff
from liven.liveobjects.table.value import Table
from liven.runtime.capability.capability import Capability, runs_query
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.runtime.user_folders import UserFolders
from liven.types.declare import Dual, Int32, proxy

ENDPOINT: Final = "Endpoint"
LONGEST_QUERY: Final = 64 * 1024
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 120.0
"""Seconds between two starts of a process that fails."""
LOOK_EVERY: Final = 2.0
_DAY: Final = 86_400.0
_MOST_ROWS: Final = 10_000
_ADVICE: Final = "correct the query if it is wrong; it is started again by itself"


@proxy(id="4DD13A19B0D0B6F5E70D6B49DD2CBA85", alias="liven:feed-query")
class FeedQuery(LatestTable):
    """The result of `query`, SQL over the growing tables of a feed of this computer, as a stream of tables.

    A new result comes after `every` seconds at least, if anything changed. `keys` are the columns that tell
    rows apart: with them only changed rows are computed, and those with the greatest keys are shown. `since`
    is how far the result reaches back (2h), `rows` the most rows, and `lateness` (10s) how much later than
    others a record may come.
    """

    Endpoint: Dual[Value[Table], ValueClient[Table]]

    def __init__(
        self,
        context: Context,
        feed: str,
        query: str,
        every: float = 1.0,
        keys: str = "",
        since: str = "",
        rows: Int32 = 1000,
        lateness: str = "10s",
    ) -> None:
        self.context = context
        self._feed = feed
        self._command = query_command(
            *_checked(feed, query), *checked_options(every, keys, since, rows, lateness)
        )
        self._backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        self._process: QueryProcess | None = None
        self._again: Entry | None = None
        self._trouble = ""

    @staticmethod
    def capabilities(feed: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return runs_query(feed)

    @property
    def process(self) -> int | None:
        """The number of the process that runs the query; None between two starts."""
        return None if self._process is None else self._process.process

    def Endpoint_connected(self) -> None:
        """Send the latest table, and start."""
        if self.latest is not None:
            self.Endpoint.peer.set(self.latest)
        self._start()

    def Endpoint_disconnected(self) -> None:
        """Stop: nobody wants the result."""
        self._stop()

    def on_end(self) -> None:
        """Stop."""
        self._stop()

    def _start(self) -> None:
        self._again = None
        if self._process is not None or not self.context.connected(ENDPOINT):
            return
        try:
            self._process = QueryProcess(self._command, self.context.watch_fd, self._told, self._ended)
        except OSError as error:
            self._ended(f"the process does not start: {error.strerror or error}")

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()
        if self._again is not None:
            self._again.cancel()
            self._again = None

    def _told(self, event: Mapping[str, Any]) -> None:
        if event["event"] == "table":
            self._take(event)
        elif event["event"] == "warning":
            self.context.report(f"{self._feed}: {event.get('text', '')}")

    def _take(self, event: Mapping[str, Any]) -> None:
        try:
            self.latest = told_table(event)
        except ValueError as error:
            self._report(str(error), "update Liven")
            return
        self._backoff.worked()
        self._trouble = ""
        if self.context.connected(ENDPOINT):
            self.Endpoint.peer.set(self.latest)

    def _ended(self, reason: str) -> None:
        """Start it again later, or at once when the feed's description changes."""
        self._process = None
        self._report(f"the query on the feed {self._feed} does not run: {reason}", _ADVICE)
        self._wait(self.context.now() + self._backoff.failed(), _signature(self._feed))

    def _wait(self, due: float, described: object) -> None:
        left = due - self.context.now()
        if left <= 0 or _signature(self._feed) != described:
            self._start()
        else:
            self._again = self.context.call_later(min(left, LOOK_EVERY), lambda: self._wait(due, described))

    def _report(self, what: str, advice: str) -> None:
        """Report a trouble once, until a result comes."""
        if what != self._trouble:
            self._trouble = what
            self.context.report(what, advice)


def checked_options(every: float, keys: str, since: str, rows: int, lateness: str) -> tuple[str, ...]:
    """Return the options of the command; raise CallFailedError for values that it refuses."""
    from liven.liveobjects.feeds.recorder.log.limits import BadLimitError, seconds_of

    if not 0 <= every <= _DAY:
        raise CallFailedError(f"results come every 0 to {_DAY:,.0f} seconds, not {every:g}")
    if not 1 <= rows <= _MOST_ROWS:
        raise CallFailedError(f"a result has 1 to {_MOST_ROWS:,} rows, not {rows:,}")
    try:
        for span in (since, lateness):
            seconds_of(span or "0s")
    except BadLimitError as error:
        raise CallFailedError(str(error)) from None
    return (
        f"--every={every!r}",
        f"--keys={keys}",
        f"--since={since}",
        f"--rows={rows}",
        f"--lateness={lateness or '0s'}",
    )


def feed_is_here(feed: str) -> bool:
    """Return True if this computer has the feed; looks at the disk."""
    try:
        return bool(resolve(feed, _root()).recorders())
    except (FeedError, OSError, ValueError):
        return False


def _checked(feed: str, query: str) -> tuple[str, str]:
    """Return both as the command takes them; raise CallFailedError."""
    if not feed.strip() or feed.startswith("-") or not feed.isprintable():
        raise CallFailedError(f"{feed[:100]!r} is no name of a feed; `liven feeds ls` lists those there are")
    if not query.strip() or "\0" in query or len(query) > LONGEST_QUERY:
        raise CallFailedError(f"a query has 1 to {LONGEST_QUERY:,} characters")
    return feed, f" {query}"  # the blank makes it no option, whatever it begins with


def _signature(feed: str) -> tuple[int, int] | None:
    """Return what changes with the description of a feed; None if there is none."""
    try:
        found: os.stat_result = (resolve(feed, _root()).feed.path / DESCRIPTION).stat()
    except (FeedError, OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def _root() -> Path:
    return feeds_root(UserFolders.of_user(os.environ))
