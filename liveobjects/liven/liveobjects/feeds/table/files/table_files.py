"""Rows of tables gathered into row groups, and written to Parquet files, one at a time for a table and day.

Memory and open files have bounds, however many tables and days the rows are of. Texts of records are numbers
into tables of texts in a log, and go into the files as such. Times and numbers that mostly grow are written
as their differences, which is smaller and takes half the time."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from liven.liveobjects.feeds.table.commits.staged_files import StagedFile

ROWS_IN_A_GROUP: Final = 131_072
"""Readers work on the groups of a file at the same time; smaller ones compress worse."""
MOST_BYTES: Final = 128 << 20
"""The most bytes of rows that wait for their group to be full, of all tables and days."""
MOST_OPEN: Final = 64
_GROWING: Final = frozenset({"seq", "received", "sent", "serial", "flags"})


@dataclass(slots=True)
class _Open:
    """A file that more rows may come to."""

    name: str
    writer: pq.ParquetWriter
    rows: int = 0


@dataclass(slots=True)
class _Waiting:
    """Rows of one table and day whose group is not full."""

    batches: list[pa.RecordBatch] = field(default_factory=list)
    rows: int = 0
    bytes: int = 0


class TableFiles:
    """Writes the rows of a task to files in a folder that tasks share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._task = secrets.token_hex(8)
        self._count = 0
        self._bytes = 0
        self._waiting: dict[tuple[str, str], _Waiting] = {}
        self._open: dict[tuple[str, str], _Open] = {}
        self._written: list[StagedFile] = []

    def add(self, table: str, day: str, rows: pa.RecordBatch) -> None:
        """Take rows of one table and day; raise OSError."""
        if not rows.num_rows:
            return
        waiting = self._waiting.setdefault((table, day), _Waiting())
        waiting.batches.append(rows)
        waiting.rows += rows.num_rows
        waiting.bytes += rows.nbytes
        self._bytes += rows.nbytes
        if waiting.rows >= ROWS_IN_A_GROUP:
            self._write((table, day))
        while self._bytes > MOST_BYTES:
            self._write(max(self._waiting, key=lambda key: self._waiting[key].bytes))

    def close(self) -> list[StagedFile]:
        """Write what waits, force all files to the disk, and return them; raise OSError."""
        for key in list(self._waiting):
            self._write(key)
        for key in list(self._open):
            self._finish(key)
        return self._written

    def abandon(self) -> None:
        """Close what is open; nobody will have the files."""
        for each in self._open.values():
            with suppress(OSError):  # the disk may be full
                each.writer.close()
        self._open.clear()
        self._waiting.clear()

    def _write(self, key: tuple[str, str]) -> None:
        """Write a row group."""
        waiting = self._waiting.pop(key)
        self._bytes -= waiting.bytes
        rows = pa.Table.from_batches(waiting.batches).unify_dictionaries()
        opened = self._open.pop(key, None) or self._begun(key, rows.schema)
        self._open[key] = opened  # the last of those in use
        opened.writer.write_table(rows, row_group_size=ROWS_IN_A_GROUP)
        opened.rows += rows.num_rows

    def _begun(self, key: tuple[str, str], schema: pa.Schema) -> _Open:
        if len(self._open) >= MOST_OPEN:
            self._finish(next(iter(self._open)))
        table, day = key
        self._count += 1
        name = f"{table}/day={day}/part-{self._task}-{self._count:04d}.parquet"
        (self._folder / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _Open(name, parquet_writer(self._folder / name, schema))

    def _finish(self, key: tuple[str, str]) -> None:
        opened = self._open.pop(key)
        opened.writer.close()
        _force(self._folder / opened.name)
        self._written.append(StagedFile(*key, opened.name, opened.rows))


def parquet_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Return a writer of rows of a table; raise OSError."""
    growing = [name for name in schema.names if name in _GROWING]
    return pq.ParquetWriter(
        path,
        schema,
        compression="snappy",
        use_dictionary=[place for each in schema for place in _texts(each.name, each.type)],
        column_encoding=dict.fromkeys(growing, "DELTA_BINARY_PACKED"),
        store_schema=False,  # else readers of Arrow get numbers with names in place of texts
    )


def _texts(place: str, kind: pa.DataType) -> list[str]:
    """Return the places of texts in a column, as Parquet names them: they repeat, other values seldom do."""
    if pa.types.is_string(kind) or pa.types.is_dictionary(kind):
        return [place]
    if pa.types.is_list(kind):
        return _texts(f"{place}.list.element", kind.value_type)
    if pa.types.is_map(kind):
        inside = f"{place}.key_value"
        return [*_texts(f"{inside}.key", kind.key_type), *_texts(f"{inside}.value", kind.item_type)]
    if pa.types.is_struct(kind):
        return [one for each in kind for one in _texts(f"{place}.{each.name}", each.type)]
    return []


def _force(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
