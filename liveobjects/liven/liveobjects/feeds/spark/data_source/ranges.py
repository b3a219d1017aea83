"""Stretches of a log: the partitions that Spark gives to its tasks, and reading one."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql.datasource import InputPartition

from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.data_source.options import ReadOptions

LEAST_ROWS = 65_536
"""Fewer records are not worth a task of their own."""


class Stretch(InputPartition):
    """The records of one recorder from `low` to before `high`."""

    def __init__(self, recorder: str, low: int, high: int) -> None:
        super().__init__(None)
        self.recorder = recorder
        self.low = low
        self.high = high

    def __repr__(self) -> str:
        return f"Stretch({self.recorder!r}, {self.low}, {self.high})"


def split(spans: Mapping[str, tuple[int, int]], partitions: int, least: int = LEAST_ROWS) -> list[Stretch]:
    """Return about `partitions` stretches of equal length that cover the spans of all recorders."""
    rows = sum(max(0, high - low) for low, high in spans.values())
    step = max(least, -(-rows // partitions))
    return [
        Stretch(recorder, at, min(high, at + step))
        for recorder, (low, high) in spans.items()
        for at in range(low, high, step)
    ]


def spans_of(options: ReadOptions, logs: Mapping[str, Log]) -> dict[str, tuple[int, int]]:
    """Return the sequences to read, by recorder."""
    return {recorder: options.span(recorder, log) for recorder, log in logs.items()}
