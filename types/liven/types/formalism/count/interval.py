"""Intervals of whole numbers, one for each endpoint that a formula speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from `low` to `high`; without a `high`, to infinity. Empty if `high` is below `low`."""

    low: int = 0
    high: int | None = None

    @property
    def empty(self) -> bool:
        return self.high is not None and self.high < self.low

    def within(self, other: Interval) -> bool:
        """True if every number in this interval is in the other."""
        if self.empty:
            return True
        below = other.high is None or (self.high is not None and self.high <= other.high)
        return other.low <= self.low and below

    def meet(self, other: Interval) -> Interval:
        """Return the numbers in both."""
        highs = [high for high in (self.high, other.high) if high is not None]
        return Interval(max(self.low, other.low), min(highs, default=None))

    def __str__(self) -> str:
        if self.empty:
            return f"at least {self.low} and at most {self.high}"
        if self.low == self.high:
            return f"exactly {self.low}"
        low, high = f"at least {self.low}", f"at most {self.high}"
        if self.high is None:
            return low
        return f"{low} and {high}" if self.low else high


Counts: TypeAlias = tuple[tuple[str, Interval], ...]
"""An interval for each endpoint, in the order of their names; the empty name is the endpoint itself."""

ANYTHING = Interval()


def meet_all(counts: Iterable[tuple[str, Interval]]) -> Counts:
    """Return the intersection for each endpoint; unbounded ones are dropped."""
    met: dict[str, Interval] = {}
    for endpoint, interval in counts:
        met[endpoint] = met.get(endpoint, ANYTHING).meet(interval)
    return tuple((endpoint, met[endpoint]) for endpoint in sorted(met) if met[endpoint] != ANYTHING)
