"""Records to write, and folders to write them to."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter

NOON = 1_700_000_000_000_000
Make = Callable[..., Record]
Write = Callable[..., list[Record]]


def made_record(number: int, payload: bytes | None = None) -> Record:
    """Return a record that differs from its neighbours in every column."""
    return Record(
        NOON + number * 1000,
        NOON + number * 1000 - 7,
        f"plane-{number % 5}",
        "liven:planes",
        ("ann", "bo")[number % 2],
        "struct(x: float64)",
        number * 3,
        number % 16,
        number.to_bytes(4, "little") * (number % 4) if payload is None else payload,
    )


@pytest.fixture
def make() -> Make:
    return made_record


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a place in memory if there is one: the tests force thousands of files to the disk."""
    memory = Path("/dev/shm")
    place = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else tmp_path))
    yield place / "log"
    shutil.rmtree(place)


@pytest.fixture
def write() -> Write:
    """Return a function that writes a log of small blocks in small files, and returns its records."""

    def written(folder: Path, count: int, *, rows: int = 3, blocks: int = 4, start: int = 0) -> list[Record]:
        given = [made_record(number) for number in range(start, start + count)]
        with LogWriter(folder, segment_blocks=blocks) as writer:
            for at in range(0, count, rows):
                writer.extend(given[at : at + rows])
                writer.flush()
        return given

    return written
