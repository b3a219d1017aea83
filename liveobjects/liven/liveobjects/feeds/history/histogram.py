"""The number of events over time, out of the heads of blocks: no record is read, however long a feed is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

BUCKETS: Final = 240


class Stretch(NamedTuple):
    """Some records that follow each other."""

    earliest: int
    latest: int
    records: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Events for each of some equal parts of a span of time."""

    begin: int
    end: int
    counts: tuple[float, ...]

    @property
    def highest(self) -> float:
        return max(self.counts, default=0.0)

    @property
    def records(self) -> float:
        return sum(self.counts)


NOTHING: Final = Histogram(0, 0, ())


def histogram(stretches: Iterable[Stretch], begin: int, end: int, buckets: int = BUCKETS) -> Histogram:
    """Return the events between two moments. The records of a stretch are spread evenly over it."""
    rows = [one for one in stretches if one.records > 0 and one.latest >= begin and one.earliest <= end]
    if end < begin or buckets < 1 or not rows:
        return Histogram(begin, end, (0.0,) * max(buckets, 0))
    edges = np.linspace(0, end + 1 - begin, buckets + 1)
    table = np.array(rows, dtype=np.int64)
    starts, stops = (table[:, 0] - begin).astype(float), (table[:, 1] + 1 - begin).astype(float)
    counts = table[:, 2]
    per_time = counts / (stops - starts)
    # The events up to each edge: a sum of ramps, one for each stretch, from its density at both of its ends.
    order = np.argsort(np.concatenate((starts, stops)), kind="stable")
    points = np.concatenate((starts, stops))[order]
    slopes = np.cumsum(np.concatenate((per_time, -per_time))[order])
    reached = np.concatenate(([0.0], np.cumsum(slopes[:-1] * np.diff(points))))
    totals = np.interp(edges, points, reached)
    return Histogram(begin, end, tuple(np.maximum(np.diff(totals), 0.0).tolist()))


def histogram_of_times(times: Sequence[NDArray[np.int64]], buckets: int = BUCKETS) -> Histogram:
    """Return events at exactly these times."""
    every = np.concatenate(times) if times else np.zeros(0, np.int64)
    if not len(every):
        return NOTHING
    begin, end = int(every.min()), int(every.max())
    places = (every - begin) * buckets // (end + 1 - begin)
    counts = np.bincount(places.astype(np.int64), minlength=buckets)
    return Histogram(begin, end, tuple(counts.astype(float).tolist()))
