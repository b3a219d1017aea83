"""A recorder for the campaign of kills: it appends points until it is killed, and goes on where its log ends.

    python -m tests.integration.feeds.point_writer FOLDER RECORDS_A_SECOND

The record at a sequence is a function of the sequence alone, so a killed recorder continues the same feed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgpack  # type: ignore[import-untyped]

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter

POINT = "{name: text, x: float64}"
START = 1_700_000_000_000_000
TICK = 0.05


def is_good(sequence: int) -> bool:
    """Return True if the payload at a sequence can be decoded."""
    return sequence % 997 != 8


def is_again(sequence: int) -> bool:
    """Return True if the record at a sequence is the one before it once more.

    Batches with such a record are searched for duplicates, the others are not: kills meet both ways."""
    return sequence % 450 == 430


def point(sequence: int) -> Record:
    """Return the record at a sequence; a few cannot be decoded, and a few are there twice."""
    if is_again(sequence):
        return point(sequence - 1)
    payload = msgpack.packb({"name": f"point {sequence}", "x": sequence / 7})
    if not is_good(sequence):
        payload = payload[:-1]
    at = START + sequence * 1000
    return Record(at, at, f"object-{sequence % 50}", "c", "ann", POINT, sequence + 1, 0, payload)


def main(folder: Path, rate: float) -> None:
    """Append forever."""
    with LogWriter(folder) as log:
        due = time.monotonic()
        while True:
            log.extend([point(sequence) for sequence in range(log.end, log.end + int(rate * TICK))])
            log.sync()
            due += TICK
            time.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
