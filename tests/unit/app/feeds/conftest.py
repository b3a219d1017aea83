"""A home with a recorded feed, and the command that is run there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest

from liven.app.cli.dispatch import dispatch
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter

NOON = 1_700_000_000_000_000
Run = Callable[..., int]


def record(number: int) -> Record:
    """Return a record of a plane, one a second."""
    return Record(
        NOON + number * 1_000_000,
        NOON + number * 1_000_000,
        f"plane-{number % 3}",
        "planes",
        ("ann", "bo")[number % 2],
        "{x: float64}",
        number,
        number % 2,
        msgpack.packb({"x": number / 2}),
    )


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def feeds(home: Path) -> Path:
    return home / "state" / "feeds"


@pytest.fixture
def log(feeds: Path) -> Path:
    """Return the log of a feed with a hundred records in blocks of ten."""
    with LogWriter(feeds / "airspace" / "ann") as writer:
        for number in range(100):
            writer.append(record(number))
            if number % 10 == 9:
                writer.flush()
    return feeds / "airspace" / "ann"


@pytest.fixture
def run(home: Path) -> Run:
    """Return a function that runs `liven feeds` with some words."""

    def ran(*words: object) -> int:
        return dispatch(["feeds", *map(str, words)])

    return ran
