"""Segments: appending, seeking and scanning, beside plain pyarrow with the same rows in the same run."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from figure_report import Figure, best_of

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.arrow import record_batch
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.upkeep.verification import verify
from liven.liveobjects.feeds.segment.writer import LogWriter

ROWS = 400_000
BATCH = 1000
PAYLOAD = 100
LARGE = 10_000_000
NOON = 1_750_000_000_000_000
ROUNDS = 3


def figures() -> Iterator[Figure]:
    """Yield the figures; speeds are millions of records a second of processor time, so that other programs on
    the machine do not count."""
    records = [_record(number) for number in range(ROWS)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        yield from _appending(root, records)
        yield from _reading(root, root / "columns")
        yield from _seeking(root)


def _record(number: int) -> Record:
    time_ = NOON + number * 100
    payload = number.to_bytes(8, "little") * (PAYLOAD // 8) + bytes(PAYLOAD % 8)
    return Record(time_, time_, f"plane-{number % 1000}", "planes", "ann", "t", number, 0, payload)


def _rate(rows: int, work: Callable[[int], object]) -> float:
    """Return millions of rows a second of processor time in the quietest round; each gets its number."""
    best = float("inf")
    for number in range(ROUNDS):
        begun = time.process_time()
        work(number)
        best = min(best, time.process_time() - begun)
    return rows / best / 1e6


def _appending(root: Path, records: list[Record]) -> Iterator[Figure]:
    def one_by_one(number: int) -> None:
        with LogWriter(root / f"single-{number}") as writer:
            for record in records[: ROWS // 4]:
                writer.append(record)

    def batches(number: int) -> None:
        with LogWriter(root / f"batches-{number}") as writer:
            for start in range(0, ROWS, BATCH):
                writer.extend(records[start : start + BATCH])

    yield Figure("append, record by record", _rate(ROWS // 4, one_by_one), "M/s")
    rate = _rate(ROWS, batches)
    yield Figure(f"append, {BATCH} tuples a batch", rate, "M/s", 1.0, at_most=False)
    blocks = list(Log(root / "batches-0").blocks())

    def columns(number: int) -> None:
        with LogWriter(root / ("columns" if number == 0 else f"columns-{number}")) as writer:
            for block in blocks:
                writer.extend_block(block)

    column_rate = _rate(ROWS, columns)
    yield Figure("append, columns", column_rate, "M/s")
    names, payloads = [record.object for record in records], [record.payload for record in records]
    times = [record.received for record in records]

    def parquet(number: int) -> None:
        table = pa.table({"received": times, "object": names, "payload": payloads})
        pq.write_table(table, root / f"plain-{number}.parquet")

    yield Figure(
        "append of tuples to pyarrow's table and Parquet of three columns", rate / _rate(ROWS, parquet), "x"
    )


def _reading(root: Path, folder: Path) -> Iterator[Figure]:
    log = Log(folder)
    scan = _rate(ROWS, lambda _: sum(block.size for block in log.blocks()))
    yield Figure("scan into numpy", scan, "M/s")
    arrow = _rate(ROWS, lambda _: sum(record_batch(block).num_rows for block in log.blocks()))
    yield Figure("scan into Arrow, all columns", arrow, "M/s")
    yield Figure("read as records", _rate(ROWS, lambda _: sum(1 for _ in log.records())), "M/s")
    yield Figure("verify", _rate(ROWS, lambda _: list(verify(folder))), "M/s")
    table = pa.Table.from_batches([record_batch(block) for block in log.blocks()])
    pq.write_table(table, root / "whole.parquet")
    plain = _rate(ROWS, lambda _: pq.ParquetFile(root / "whole.parquet").read(use_threads=False).num_rows)
    yield Figure("scan into Arrow to pyarrow's Parquet, one thread", arrow / plain, "x", 0.9, at_most=False)
    size = sum(path.stat().st_size for path in folder.glob("*.seg"))
    yield Figure("bytes a record of 100", size / ROWS, "bytes")


def _seeking(root: Path) -> Iterator[Figure]:
    blocks = list(Log(root / "columns").blocks())
    folder = root / "large"
    with LogWriter(folder) as writer:
        for start in range(0, LARGE, ROWS):
            for block in blocks:
                writer.extend_block(_later(block, start * 100))
    wanted = [LARGE // 7 * number for number in range(1, 7)]

    def opened() -> None:
        Log(folder).record(wanted[3])

    def timed() -> None:
        assert Log(folder).sequence_at(NOON + wanted[3] * 100) == wanted[3]

    log = Log(folder)
    log.record(0)
    yield Figure("seek in 10 M records by number, opened anew", best_of(5, 1, opened) * 1e3, "ms", 10.0)
    yield Figure("seek in 10 M records by time, opened anew", best_of(5, 1, timed) * 1e3, "ms", 10.0)
    warm = best_of(5, 1, lambda: [log.record(number) for number in wanted])
    yield Figure("seek in 10 M records, open", warm / len(wanted) * 1e3, "ms")


def _later(block: Block, by: int) -> Block:
    return Block(
        block.first,
        block.received + by,
        block.sent + by,
        block.serial,
        *block.names(),
        block.flags,
        block.ends,
        block.payload,
    )
