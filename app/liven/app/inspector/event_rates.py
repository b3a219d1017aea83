"""The number of events per second on each connection, counted only while the inspector is visible."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from liven.runtime.objects.connection import Connection
from liven.runtime.objects.connection_taps import EventCount


@dataclass(slots=True)
class _Rate:
    """The counter of one connection."""

    count: EventCount = field(default_factory=EventCount)
    before: int = 0
    rate: float = 0.0


class EventRates:
    """Counters on connections, added and removed together."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._last: float | None = None
        self._rates: dict[Connection, _Rate] = {}

    def look(self, connections: Iterable[Connection]) -> None:
        """Count on exactly these connections, and compute the rates since the previous call."""
        now = self._now()
        span = now - self._last if self._last is not None else 0.0
        self._last = now
        there = dict.fromkeys(connections)
        for gone in self._rates.keys() - there.keys():
            self._rates.pop(gone)
        for connection in there:
            known = self._rates.get(connection)
            if known is None:
                known = self._rates[connection] = _Rate()
                connection.watch(known.count)
            elif span > 0:
                known.rate = (known.count.events - known.before) / span
            known.before = known.count.events

    def rate(self, connection: Connection | None) -> float:
        """Return the events per second between the last two calls of `look`."""
        known = self._rates.get(connection) if connection is not None else None
        return known.rate if known is not None else 0.0

    def stop(self) -> None:
        """Remove all counters."""
        for connection, known in self._rates.items():
            connection.unwatch(known.count)
        self._rates.clear()
        self._last = None
