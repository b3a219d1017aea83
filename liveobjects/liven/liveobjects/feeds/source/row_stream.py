"""The value stream of a source: gives rows to its client in order, no faster than a rate, and tells faults.

A source runs while a client is connected. It reads the next rows only when those before have been given, so
that the rest waits where it comes from, not in memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from liven.liveobjects.feeds.source.formats.decoded import Row
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import Record, ValueType

ENDPOINT: Final = "Endpoint"
FASTEST: Final = 100_000.0
"""Rows a second that a recipe may ask for."""
STEP: Final = 0.05
"""Seconds between two groups of rows."""
QUIET: Final = 60.0
"""Seconds between two problems about refused rows."""


def row_type(context: Context) -> ValueType:
    """Return the type of the rows that the recipe asks for."""
    return parameter_type(context.external(ENDPOINT).type)


def parameter_type(kind: EndpointType) -> ValueType:
    """Return the type of the values of a value stream."""
    event = dict(kind.inputs)["set"]
    assert isinstance(event, Record)
    return dict(event.fields)["value"]


def checked_rate(rate: float) -> float:
    """Return a number of rows a second; raise CallFailedError for one that no source keeps."""
    if not 0 < rate <= FASTEST:
        raise CallFailedError(f"a rate is above 0 and up to {FASTEST:,.0f} rows a second, not {rate:g}")
    return rate


def checked_pause(seconds: float, least: float, most: float = 86_400.0) -> float:
    """Return an interval in seconds; raise CallFailedError for one out of range."""
    if not least <= seconds <= most:
        raise CallFailedError(f"an interval is {least:g} to {most:,.0f} seconds, not {seconds:g}")
    return seconds


class Faults:
    """The problems of a source: each refused row is counted, and at most one problem a minute says so."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._quiet_until = -1.0
        self._untold = 0
        self._last = ""
        self._trouble = ""
        self.refused = 0

    def refuse(self, where: str, reason: str) -> None:
        """Count a refused row."""
        self.refused += 1
        self._untold += 1
        self._last = f"{where}: {reason}"
        self.tell()

    def count(self, more: int) -> None:
        """Count refused rows whose reasons are not known."""
        self.refused += more
        self._untold += more

    def tell(self) -> None:
        """Report refused rows, unless that was done a moment ago."""
        now = self._context.now()
        if not self._untold or now < self._quiet_until:
            return
        what = (
            self._last
            if self._untold == 1
            else f"{self._untold:,} rows were refused, the last at {self._last}"
        )
        self._context.report(what, "the row is left out; the others are passed on")
        self._untold = 0
        self._quiet_until = now + QUIET

    def trouble(self, what: str, advice: str) -> None:
        """Report a state that lasts, once."""
        if what != self._trouble:
            self._trouble = what
            self._context.report(what, advice)

    def fine(self) -> None:
        """Forget the last trouble: it is over."""
        self._trouble = ""


class RowStream:
    """Serves the endpoint of a source. `start` is called when a client connects, `stop` when it leaves."""

    def __init__(
        self,
        context: Context,
        rate: float,
        start: Callable[[], object],
        stop: Callable[[], object] = lambda: None,
    ) -> None:
        self._context = context
        self._rate = checked_rate(rate)
        self._start, self._stop = start, stop
        self._waiting: deque[Row] = deque()
        self._latest: list[Row] = []
        self._moving = False
        self._when_empty: list[Callable[[], object]] = []
        self._refused_set = False
        self.faults = Faults(context)
        self.given = 0

    @property
    def group(self) -> int:
        """The most rows that are given at once, and the number that a source reads at a time."""
        return max(1, round(self._rate * STEP))

    @property
    def waiting(self) -> int:
        """The rows that are not given yet."""
        return len(self._waiting)

    def connected(self) -> None:
        """Start; a client that comes again gets the latest row at once."""
        for row in self._latest:
            self._context.send_once(ENDPOINT, "set", row)
        self._start()
        self._move()

    def disconnected(self) -> None:
        """Keep what was not given for the next client."""
        self._stop()

    def get(self) -> Any:
        """Return the latest row."""
        if not self._latest:
            raise CallFailedError("no row has come yet")
        return self._latest[0]

    def set(self, value: Any) -> None:  # noqa: ARG002 - every value stream can be set
        """Refuse the value: rows come from the source alone."""
        if not self._refused_set:
            self._refused_set = True
            self._context.report("a client set a value, but the rows of a source cannot be set", "")

    def give(self, rows: Iterable[Row], done: Callable[[], object] = lambda: None) -> None:
        """Give rows, after those that wait; `done` is called when the last of all is given."""
        self._waiting.extend(rows)
        if self._waiting or self._moving:
            self._when_empty.append(done)
            self._move()
        else:
            done()

    def _move(self) -> None:
        if not self._moving and self._waiting and self._context.connected(ENDPOINT):
            self._moving = True
            self._group()

    def _group(self) -> None:
        """Give the rows that the rate allows now."""
        count = 0
        while self._waiting and count < self.group and self._context.connected(ENDPOINT):
            row = self._waiting.popleft()
            self._latest = [row]
            self.given += 1
            count += 1
            self._context.send_once(ENDPOINT, "set", row)
        if not count:
            self._moving = False
            self._emptied()
            return
        self._context.call_later(max(STEP, count / self._rate), self._group)

    def _emptied(self) -> None:
        if not self._waiting:
            found, self._when_empty = self._when_empty, []
            for done in found:
                done()
