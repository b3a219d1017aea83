"""The training of Java's start: a run of the real work on a small feed, at whose end Java writes the startup
cache.

It takes a minute, so it runs in the background after the first success, with the lowest priority.
"""

from __future__ import annotations

import fcntl
import math
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.java import NoJavaError, find_java
from liven.liveobjects.feeds.spark.jobs import compaction, ingest, sql
from liven.liveobjects.feeds.spark.jobs.job import JobContext
from liven.liveobjects.feeds.spark.session import Session, open_session
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.spark.startup_cache import StartupCache
from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError, java_flags
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.runtime.files import PRIVATE, write_file

ROWS: Final = 60_000
_TYPE: Final = "{name: text, x: float64, y: float64}"
_PREFIX: Final = "training-"
_WRITTEN_WITHIN: Final = 1200.0
"""Seconds: nobody waits for it, and it gets what a busy computer leaves."""
_START: Final = 1_700_000_000_000_000


def prepare(cache: Path, log: Path) -> Path | None:
    """Write the cache for this Java and Spark and return it, or None if it is there or being made.

    Raises NoSparkError or OSError; a note beside the cache then keeps other commands from trying again.
    """
    try:
        java = find_java(os.environ, cache)
    except NoJavaError as error:
        raise NoSparkError(str(error)) from None
    settings = SparkSettings()
    wanted = StartupCache.of(cache, java, java_flags(java, settings.cores))
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(cache / "training.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return None if wanted.exists else _train(wanted, settings, cache, log)
    except BlockingIOError:
        return None
    finally:
        os.close(lock)


def _train(wanted: StartupCache, settings: SparkSettings, cache: Path, log: Path) -> Path:
    for abandoned in cache.glob(f"{_PREFIX}*"):  # of a killed training: only one holds the lock
        shutil.rmtree(abandoned, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=cache))
    draft = folder / "draft"
    try:
        write_feed(folder / "feeds" / "training" / "recorder", ROWS)
        session = open_session(settings, cache, log, draft=draft)
        try:
            work(session, folder)
        finally:
            session.close(_WRITTEN_WITHIN)  # Java writes the cache now, which takes most of the time
        if not draft.is_file():
            raise NoSparkError(f"Java wrote no startup cache; its messages: {log}")
        wanted.adopt(draft)
    except (NoSparkError, OSError) as error:
        with suppress(OSError):
            write_file(wanted.failure_note, f"{error}\n".encode(), PRIVATE)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return wanted.path


def write_feed(folder: Path, rows: int) -> None:
    """Write a feed to train on."""
    with LogWriter(folder) as log:
        log.extend(
            Record(
                _START + number * 1000,
                _START + number * 1000,
                f"object-{number % 100}",
                "training",
                "training",
                _TYPE,
                number + 1,
                0,
                msgpack.packb({"name": "training", "x": math.sin(number), "y": math.cos(number)}),
            )
            for number in range(rows)
        )


def work(session: Session, folder: Path) -> None:
    """Do once everything that jobs do: ingest, compaction, SQL, a stream that writes back."""

    def ignore(_event: dict[str, Any]) -> None:
        pass

    context = JobContext(session, folder / "feeds", Layout(folder / "tables"), ignore)
    ingest.run(context, {"feeds": ["training"], "first_rows": ROWS // 20, "most_rows": ROWS // 5})
    compaction.run(context, {"feeds": ["training"], "least_files": 2})
    sql.run(context, {"query": "select object, max(seq) from records group by object", "limit": 10})
    spark = session.spark
    feed = str(folder / "feeds" / "training")
    stream = spark.readStream.format("liven").option("path", feed).option("maxrows", str(ROWS // 3)).load()
    query = (
        stream.drop("seq", "recorder")
        .writeStream.format("liven")
        .option("path", str(folder / "copy" / "spark"))
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
