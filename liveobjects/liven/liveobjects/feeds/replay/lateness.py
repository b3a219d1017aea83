"""The lateness of a replay: how long after its deadline each event was given, as a histogram of fixed
size."""

from __future__ import annotations

from math import frexp
from typing import Final

_STEPS: Final = 16
"""Buckets in each doubling: a bucket is 4 % wide on average, so a quantile is exact to 4 %."""
_LEAST: Final = 1e-6
_DOUBLINGS: Final = 30
"""From 1 µs to 18 minutes."""


class Lateness:
    """Counts of events by their lateness in seconds."""

    __slots__ = ("_buckets", "count", "total", "worst")

    def __init__(self) -> None:
        self._buckets = [0] * (_STEPS * _DOUBLINGS + 1)
        self.count = 0
        self.total = 0.0
        self.worst = 0.0

    def add(self, seconds: float) -> None:
        """Count one event. An event that is early counts as one without lateness."""
        self.count += 1
        if seconds > self.worst:
            self.worst = seconds
        if seconds <= _LEAST:
            self._buckets[0] += 1
            return
        self.total += seconds
        fraction, doublings = frexp(seconds / _LEAST)
        place = (doublings - 1) * _STEPS + int((fraction - 0.5) * 2 * _STEPS)
        self._buckets[min(place, len(self._buckets) - 1)] += 1

    def absorb(self, other: Lateness) -> None:
        """Count the events of another one, too."""
        self.count += other.count
        self.total += other.total
        self.worst = max(self.worst, other.worst)
        self._buckets = [one + more for one, more in zip(self._buckets, other._buckets, strict=True)]

    def quantile(self, part: float) -> float:
        """Return the lateness, in seconds, that `part` of all events did not exceed; zero without events."""
        wanted, seen = part * self.count, 0
        for place, count in enumerate(self._buckets):
            seen += count
            if count and seen >= wanted:
                doublings, step = divmod(place, _STEPS)
                return float(min(self.worst, _LEAST * 2**doublings * (1 + (step + 1) / _STEPS)))
        return 0.0

    @property
    def mean(self) -> float:
        """The mean lateness in seconds."""
        return self.total / self.count if self.count else 0.0

    def as_record(self) -> dict[str, float]:
        """Return the figures for a program, in microseconds."""
        return {
            "events": self.count,
            "median_us": round(self.quantile(0.5) * 1e6, 1),
            "p99_us": round(self.quantile(0.99) * 1e6, 1),
            "worst_us": round(self.worst * 1e6, 1),
        }
