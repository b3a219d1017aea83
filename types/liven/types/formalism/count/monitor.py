"""A monitor of the number of connected instances, for callers that can see all of them."""

from __future__ import annotations

from liven.types.explanation import Explanation
from liven.types.formalism.count.interval import Counts
from liven.types.formalism.plugin import Standing, Violation
from liven.types.formalism.verdict import Verdict


class CountMonitor(Verdict):
    """Judges the number of instances that a presence channel reports; a single connection does not show it.

    A lower bound binds from the first time it is reached: before that, instances are still arriving.
    """

    def __init__(self, counts: Counts) -> None:
        self._counts = dict(counts)
        self._reached: set[str] = set()
        self._told: set[str] = set()

    @property
    def standing(self) -> Standing:
        if self._violation:
            return Standing.BROKEN
        if self._told < self._counts.keys():
            return Standing.NOT_OBSERVABLE
        return Standing.HOLDS_SO_FAR if self._reached == self._counts.keys() else Standing.UNDECIDED

    def feed(self, atom: str, now: float) -> None:
        """Ignore the event: one connection says nothing about the others."""

    def advance(self, now: float) -> None:
        """Ignore the time: it changes nothing here."""

    def present(self, instances: int, now: float, endpoint: str = "") -> None:
        """Record the number of instances of the endpoint that are connected from `now` on."""
        interval = self._counts.get(endpoint)
        if interval is None or self._violation:
            return
        self._told.add(endpoint)
        if interval.high is not None and instances > interval.high:
            self._break(endpoint, (_told(instances),), now)
        elif instances >= interval.low:
            self._reached.add(endpoint)
        elif endpoint in self._reached:
            self._break(endpoint, (_told(interval.low), _told(instances)), now)

    def _break(self, endpoint: str, trace: tuple[str, ...], now: float) -> None:
        where = f" of {endpoint}" if endpoint else ""
        claim = f"{self._counts[endpoint]} instances{where}: there are {trace[-1]}"
        self._violation = Violation(Explanation(False, claim, subject=endpoint), trace, now)


def _told(instances: int) -> str:
    return f"{instances} connected"
