"""Logs to make tables of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter

NOON = 1_700_000_000_000_000
POINT = "{x: float64, y: float64}"


def record(
    number: int,
    payload: bytes = b"",
    *,
    type: str = POINT,  # noqa: A002 - the name of the column
    received: int | None = None,
    serial: int | None = None,
    author: str = "ann",
    channel: str = "c",
) -> Record:
    """Return a record; each number has its own time and serial."""
    at = NOON + number * 1000 if received is None else received
    return Record(
        at, at, f"o{number % 3}", channel, author, type, number + 1 if serial is None else serial, 0, payload
    )


@pytest.fixture
def make() -> Callable[..., Record]:
    return record


@pytest.fixture
def log(tmp_path: Path) -> Callable[[Iterable[Record]], Log]:
    """Return a function that writes a log of these records."""

    def write(records: Iterable[Record]) -> Log:
        with LogWriter(tmp_path / "log") as writer:
            writer.extend(list(records))
        return Log(tmp_path / "log")

    return write
