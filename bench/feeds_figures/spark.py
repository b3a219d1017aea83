"""Feeds on Spark: ratios to plain pyarrow and to the same work on Spark's Parquet source, in one run.

Each round does all kinds of work one after the other; a ratio is of the quickest of its rounds, since others
use the machine, too.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from figure_report import Figure

from liven.liveobjects.feeds.segment.block import Block, four_names
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.jobs import ingest
from liven.liveobjects.feeds.spark.jobs.job import JobContext
from liven.liveobjects.feeds.spark.session import Session, open_session
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.table.arrow_blocks import record_arrays
from liven.liveobjects.feeds.table.columns import RECORD_COLUMNS
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.liveobjects.feeds.table.decoder import BlockDecoder
from liven.liveobjects.feeds.table.reading import Reading
from liven.liveobjects.feeds.table.typed_tables import tables_for

ROUNDS = 3
ROWS = 2_000_000
BLOCK = 8192
POINT = "{alt: float64, lat: float64, lon: float64, speed: float64, track: float64}"
START = 1_700_000_000_000_000
MILLION = 1e6
_SCALES = {"alt": 9000, "lat": 90, "lon": 180, "speed": 250, "track": 360}


def write_feed(folder: Path, rows: int) -> None:
    """Write a feed of an airspace: a thousand objects, five numbers each."""
    objects, only = [f"plane-{number}" for number in range(1000)], np.zeros(BLOCK, np.uint32)
    with LogWriter(folder) as log:
        for low in range(0, rows, BLOCK):
            numbers = np.arange(low, min(rows, low + BLOCK))
            payloads = [_payload(number) for number in numbers.tolist()]
            ends = np.zeros(len(numbers) + 1, np.int32)
            np.cumsum([len(payload) for payload in payloads], out=ends[1:])
            none = only[: len(numbers)]
            planes = ((numbers % 1000).astype(np.uint32), objects)
            names = four_names([planes, *((none, [name]) for name in ("airspace", "radar", POINT))])
            times, data = START + numbers, memoryview(b"".join(payloads))
            serials = (numbers + 1).astype(np.uint64)
            log.extend_block(Block(low, times, times, serials, *names, none, ends, data))


def _payload(number: int) -> bytes:
    part = math.sin(number)
    value = {
        "alt": part * 9000,
        "lat": part * 90,
        "lon": part * 180,
        "speed": part * 250,
        "track": part * 360,
    }
    packed: bytes = msgpack.packb(value)
    return packed


class Work:
    """Kinds of work on one feed, each with its seconds."""

    def __init__(self, session: Session, home: Path, rows: int) -> None:
        self.session, self.home, self.rows = session, home, rows
        self.log = Log(home / "feeds" / "f" / "a")
        self.parquet = str(home / "raw.parquet")
        (self.table,) = tables_for([POINT], {}, {}).tables
        self.schema = pa.schema(
            [
                *((name, kind) for name, kind in _ARROW if name != "payload"),
                *((name, pa.float64()) for name in _SCALES),
            ]
        )
        self._write_raw()

    def _write_raw(self) -> None:
        """Write the records as they are to Parquet, for Spark's own source."""
        names = [name for name, _ in _ARROW]
        writer = None
        for block in self.log.blocks():
            columns = record_arrays(block, "a", names)
            batch = pa.RecordBatch.from_arrays([columns[name] for name in names], names=names)
            writer = writer or pq.ParquetWriter(self.parquet, batch.schema)
            writer.write_batch(batch, row_group_size=1 << 20)
        assert writer is not None
        writer.close()

    def arrow_to_parquet(self) -> None:
        """Decode and write with pyarrow alone, on one core."""
        decoder = BlockDecoder([Reading(POINT, POINT, {})], self.schema)
        with pq.ParquetWriter(self.home / "arrow.parquet", self.schema) as writer:
            for block in self.log.blocks():
                for batch in decoder.batches(block, "a"):
                    writer.write_batch(batch)

    def ingest(self) -> None:
        """Ingest everything as `liven feeds ingest` does, commits and all."""
        shutil.rmtree(self.home / "tables", ignore_errors=True)
        context = JobContext(
            self.session, self.home / "feeds", Layout(self.home / "tables"), lambda _event: None
        )
        ingest.run(context, {"feeds": ["f"], "first_rows": ingest.MOST_ROWS})

    def spark_parquet_to_parquet(self) -> None:
        """Have Spark decode the same payloads from its Parquet source and write the same columns."""
        from pyspark import cloudpickle

        # workers cannot import this module
        cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]
        schema = self.schema

        def decode(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            decoder = BlockDecoder([Reading(POINT, POINT, {})], schema)
            for batch in batches:
                yield from _decoded(batch, decoder, schema)

        rows = self.session.spark.read.parquet(self.parquet)
        out = str(self.home / "spark.parquet")
        rows.mapInArrow(decode, self.table.schema.ddl).write.mode("overwrite").parquet(out)

    def scan_feed(self) -> None:
        """Read every payload through the data source."""
        reader = self.session.spark.read.format("liven").schema("seq BIGINT, payload BINARY")
        _sum(reader.option("path", str(self.log.folder)).load())

    def scan_parquet(self) -> None:
        """Read every payload through Spark's Parquet source."""
        _sum(self.session.spark.read.parquet(self.parquet).select("seq", "payload"))


_KINDS = {
    "BIGINT": pa.int64(),
    "TIMESTAMP": pa.timestamp("us", tz="UTC"),
    "STRING": pa.string(),
    "INT": pa.int32(),
}
_ARROW = (*((name, _KINDS[kind]) for name, kind in RECORD_COLUMNS), ("payload", pa.binary()))


def _decoded(batch: pa.RecordBatch, decoder: BlockDecoder, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Decode the payloads of a batch of Spark's as the data source does, and keep its other columns."""
    from liven.liveobjects.feeds.table.arrow_blocks import block_of

    (made,) = decoder.batches(block_of(batch), "a")
    names = set(batch.schema.names) - {"payload"}
    columns = [batch.column(name) if name in names else made.column(name) for name in schema.names]
    yield pa.RecordBatch.from_arrays(columns, names=schema.names)


def _sum(rows: Any) -> None:
    rows.selectExpr("sum(length(payload))", "max(seq)").collect()


def _seconds(work: Callable[[], None]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def warm_figures(home: Path, rows: int) -> Iterator[Figure]:
    """Yield the figures of a session that is warm."""
    session = open_session(SparkSettings(), home / "cache", home / "spark.log")
    try:
        work = Work(session, home, rows)
        kinds = ("arrow_to_parquet", "ingest", "spark_parquet_to_parquet", "scan_feed", "scan_parquet")
        best = dict.fromkeys(kinds, math.inf)
        for _ in range(ROUNDS):
            for kind in kinds:
                best[kind] = min(best[kind], _seconds(getattr(work, kind)))
    finally:
        session.close()
    yield Figure("ingest", rows / best["ingest"] / MILLION, "M rows/s", 1.0, at_most=False)
    ratio = best["spark_parquet_to_parquet"] / best["ingest"]
    yield Figure("ingest, to the same job on Spark's Parquet source", ratio, "x", 0.7, at_most=False)
    yield Figure("ingest, to pyarrow on one core", best["arrow_to_parquet"] / best["ingest"], "x")
    yield Figure("scan", rows / best["scan_feed"] / MILLION, "M rows/s")
    ratio = best["scan_parquet"] / best["scan_feed"]
    yield Figure("scan, to Spark's Parquet source", ratio, "x", 0.9, at_most=False)


def start_figures(home: Path) -> Iterator[Figure]:
    """Yield the seconds from a command to its first committed rows: unprepared, prepared, resident."""
    user = home / "user"
    write_feed(user / "state" / "feeds" / "f" / "a", 20_000)
    if not list((user / "cache" / "spark").glob("*.startup")):
        yield Figure("first rows committed, unprepared", _first_rows(user, "--alone"), "s", 10.0)
        _liven(user, "prepare")
    yield Figure("first rows committed, prepared", _first_rows(user, "--alone"), "s", 5.0)
    server = subprocess.Popen(_command("serve"), env=_environment(user), stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        _first_rows(user)  # the first job warms it
        yield Figure(
            "first rows committed, resident", min(_first_rows(user) for _ in range(ROUNDS)), "s", 0.3
        )
        yield Figure("command alone", min(_command_alone(user) for _ in range(ROUNDS)), "s")
    finally:
        server.terminate()
        server.wait()


def _first_rows(user: Path, *words: str) -> float:
    """Return the seconds from the start of an ingest until its first batch is committed."""
    shutil.rmtree(user / "state" / "tables" / "commits", ignore_errors=True)
    begun = time.perf_counter()
    command = _command("ingest", "f", "--json", "--no-prepare", *words)
    program = subprocess.Popen(command, env=_environment(user), stdout=subprocess.PIPE)
    assert program.stdout is not None
    found = math.nan
    for line in program.stdout:
        if b'"batch"' in line and math.isnan(found):
            found = time.perf_counter() - begun
    if program.wait():
        raise RuntimeError(f"the ingest ended with code {program.returncode}")
    return found


def _command_alone(user: Path) -> float:
    return _seconds(lambda: _liven(user, "ls"))


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "liven.app.main", "feeds", *words]


def _environment(user: Path) -> dict[str, str]:
    return {**os.environ, "LIVEN_HOME": str(user)}


def _liven(user: Path, *words: str) -> None:
    subprocess.run(_command(*words), env=_environment(user), check=True, stdout=subprocess.DEVNULL)


def figures(rows: int = ROWS, home: Path | None = None, *, starts: bool = True) -> Iterator[Figure]:
    """Yield all figures, or those of a warm session alone. `home` keeps the startup cache of Java between
    runs; without it, the first start is measured unprepared."""
    with tempfile.TemporaryDirectory() as made:
        folder = home or Path(made)
        shutil.rmtree(folder / "feeds", ignore_errors=True)
        shutil.rmtree(folder / "user" / "state", ignore_errors=True)
        write_feed(folder / "feeds" / "f" / "a", rows)
        yield from warm_figures(folder, rows)
        if starts:
            yield from start_figures(folder)
