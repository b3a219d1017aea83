"""States at a moment: last values of a thousand streams, and objects with checkpoints and operations."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from figure_report import Figure

from liven.liveobjects.feeds.asof.moment_index import MomentIndex
from liven.liveobjects.feeds.asof.states import states_as_of
from liven.liveobjects.feeds.record import CHECKPOINT, VALUE, Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter

ROWS = 1_000_000
CHECKPOINT_EVERY = 256
"""Operations of one object between two of its checkpoints."""
MOMENTS = 50
NOON = 1_750_000_000_000_000
BATCH = 10_000
PAYLOAD = bytes(100)


def figures() -> Iterator[Figure]:
    """Yield the time of one question, of the median moment."""
    for name, objects, flags in (
        ("last values of 1,000 streams", 1000, _all_values),
        ("states of 10 objects with operations", 10, _some_checkpoints),
    ):
        with tempfile.TemporaryDirectory() as folder:
            with LogWriter(Path(folder)) as writer:
                for first in range(0, ROWS, BATCH):
                    writer.extend(
                        _record(each, each % objects, flags(each)) for each in range(first, first + BATCH)
                    )
            log = Log(Path(folder))
            index = MomentIndex(log)
            begun = time.perf_counter()
            index.refresh()
            yield Figure(f"{name} among 1 M records: index, once", time.perf_counter() - begun, "s")
            yield Figure(
                f"{name} among 1 M records, as of a moment", _median_question(log, index), "ms", 20.0
            )


def _all_values(_: int) -> int:
    return VALUE


def _some_checkpoints(number: int) -> int:
    return 0 if number // 10 % CHECKPOINT_EVERY else CHECKPOINT


def _record(number: int, of: int, flags: int) -> Record:
    at = NOON + number * 100
    return Record(at, at, f"plane-{of}", "planes", "ann", "t", number, flags, PAYLOAD)


def _median_question(log: Log, index: MomentIndex) -> float:
    chance = random.Random(1)
    taken = []
    for _ in range(MOMENTS):
        at = chance.randrange(1, ROWS)
        begun = time.perf_counter()
        assert states_as_of(log, at, index)
        taken.append(time.perf_counter() - begun)
    return median(taken) * 1000
