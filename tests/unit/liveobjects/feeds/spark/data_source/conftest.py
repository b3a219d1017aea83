"""Feeds for the data source."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter

NOON = 1_700_000_000_000_000


def record(number: int, payload: bytes | None = None) -> Record:
    return Record(
        NOON + number,
        NOON + number,
        f"o{number % 3}",
        "c",
        "ann",
        "bytes",
        number + 1,
        0,
        b"%d" % number if payload is None else payload,
    )


def written(folder: Path, numbers: Iterable[int]) -> Path:
    """Write the records of these numbers to a log."""
    with LogWriter(folder) as log:
        log.extend([record(number) for number in numbers])
    return folder


@pytest.fixture
def write() -> Callable[[Path, Iterable[int]], Path]:
    return written


@pytest.fixture
def make() -> Callable[..., Record]:
    return record


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    """A feed with two recorders: 20,000 and 500 records."""
    written(tmp_path / "feed" / "a", range(20_000))
    written(tmp_path / "feed" / "b", range(500))
    return tmp_path / "feed"
