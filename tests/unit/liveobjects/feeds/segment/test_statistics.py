"""Counting a log."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from liven.liveobjects.feeds.record import CHECKPOINT, GAP, Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.statistics import counted, size_of
from liven.liveobjects.feeds.segment.writer import LogWriter

Write = Callable[..., list[Record]]


def test_counts_are_those_of_a_walk(folder: Path, write: Write) -> None:
    given = write(folder, 100)
    seen: list[tuple[int, int]] = []
    counts = counted(Log(folder), lambda done, whole: seen.append((done, whole)), lambda _: None)
    assert counts.records == 100
    assert counts.payload == sum(len(record.payload) for record in given)
    assert counts.checkpoints == sum(bool(record.flags & CHECKPOINT) for record in given)
    assert counts.gaps == sum(bool(record.flags & GAP) for record in given)
    assert counts.names["author"] == {"ann": 50, "bo": 50}
    assert counts.names["object"] == {f"plane-{number}": 20 for number in range(5)}
    assert seen[-1] == (100, 100)


def test_the_size_has_payloads_beside_the_segments(folder: Path, write: Write) -> None:
    given = write(folder, 10)
    before = size_of(folder)
    with LogWriter(folder) as writer:
        writer.append(given[0]._replace(payload=os.urandom(LONG_PAYLOAD + 1)))
    assert size_of(folder) > before + LONG_PAYLOAD
