"""Writing rows back into a recorder's log, each batch once.

Tasks write logs of their own, which nobody reads. The commit copies them into one segment and moves that into
the log: one rename, so a batch is in the log whole or not at all. Before it, a note says which batch comes at
which sequence, and of which query; a commit that is tried again finds the note and the log, and knows whether
it was done. A query whose checkpoint was deleted counts its batches anew, and so does another query with the
same writer: both are refused, as their batches would be taken for those that are there."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.segment import large_payloads
from liven.liveobjects.feeds.segment.durable_mark import MarkFile
from liven.liveobjects.feeds.segment.log_lock import LogLock
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.recovery import recover
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.table.arrow_blocks import block_of
from liven.runtime.files import PRIVATE, read_json, sync_folder, write_file

BATCHES: Final = "batches"
_ONE_FILE: Final = 1 << 62
_LONGEST_NOTE: Final = 1 << 16
_QUERY: Final = "sql.streaming.queryId"
"""The property of a task in which Spark has the id of the query, which the checkpoint keeps."""


class OtherQueryError(FeedError):
    """The batches in a log come from another query than this one."""

    def __init__(self, note: Path, writer: str) -> None:
        super().__init__(
            f"{note}: the batches of the writer {writer!r} come from another query. Either two queries write"
            " with one name: give this one its own with the option `writer`. Or the checkpoint of the query"
            " was deleted: bring it back, choose another log or `writer`, or delete this note to have the"
            " query append all its rows again"
        )


@dataclass(frozen=True)
class Part(WriterCommitMessage):
    """The log that a task wrote."""

    partition: int
    rows: int
    name: str
    query: str = ""
    """The id of the streaming query, if it is one."""


class SegmentWriter(DataSourceArrowWriter, DataSourceStreamArrowWriter):
    """Writes the rows of a query to the log in `folder`, in the order of the partitions."""

    def __init__(self, folder: Path, writer: str) -> None:
        self._folder = folder
        self._writer = writer

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Write the rows of a task to a log of its own."""
        from pyspark import TaskContext

        task = TaskContext.get()
        partition = 0 if task is None else task.partitionId()
        query = "" if task is None else task.getLocalProperty(_QUERY) or ""
        name = f"part-{partition:05d}-{secrets.token_hex(8)}"
        rows = 0
        with LogWriter(self._folder / BATCHES / name) as log:
            for batch in iterator:
                if batch.num_rows:
                    log.extend_block(block_of(batch))
                    rows += batch.num_rows
        return Part(partition, rows, name, query)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int | None = None) -> None:  # noqa: N803
        """Put the rows of all tasks into the log; do nothing if this batch is there already. Raise
        OtherQueryError if the batches there are not of this query."""
        parts = sorted((one for one in messages if isinstance(one, Part)), key=lambda one: one.partition)
        (self._folder / BATCHES).mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with LogLock(self._folder):
                found = recover(self._folder, secrets.randbits(64))
                if batchId is None:
                    self._append(parts, found.log, found.end, None)
                elif parts and not self._is_done(batchId, parts[0].query, found.end):
                    self._append(parts, found.log, found.end, (batchId, parts[0].query))
        except OtherQueryError:
            self._delete(parts)
            raise
        self._delete(parts)

    def abort(
        self,
        messages: list[WriterCommitMessage | None],
        batchId: int | None = None,  # noqa: N803, ARG002
    ) -> None:
        """Delete what the tasks wrote."""
        self._delete([one for one in messages if isinstance(one, Part)])

    @property
    def _note(self) -> Path:
        return self._folder / BATCHES / f"{self._writer}.json"

    def _is_done(self, batch: int, query: str, end: int) -> bool:
        """Return True if the log has this batch; raise OtherQueryError."""
        try:
            note = read_json(self._note, _LONGEST_NOTE)
        except FileNotFoundError:
            return False
        if note.get("query", query) != query:  # older notes name none
            raise OtherQueryError(self._note, self._writer)
        if batch < note["batch"]:
            return True
        return bool(batch == note["batch"] and end >= note["first"] + note["rows"])

    def _append(self, parts: list[Part], log: int, first: int, batch: tuple[int, str] | None) -> None:
        """Append the rows of a batch, which is given with its query."""
        rows = sum(part.rows for part in parts)
        draft = self._draft(parts, log, first) if rows else None
        if batch is not None:
            note = {"batch": batch[0], "query": batch[1], "first": first, "rows": rows}
            write_file(self._note, json.dumps(note).encode(), PRIVATE)
            sync_folder(self._note.parent)
        if draft is None:
            return
        self._move_payloads(draft)
        (file,) = segment_files(draft)
        file.path.rename(self._folder / file.path.name)
        sync_folder(self._folder)
        mark = MarkFile(self._folder, log)
        try:
            mark.write(first + rows)
        finally:
            mark.close()
        shutil.rmtree(draft, ignore_errors=True)

    def _draft(self, parts: list[Part], log: int, first: int) -> Path:
        """Write the segment of a batch, beside the log, and return its folder."""
        draft = self._folder / BATCHES / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        mark = MarkFile(draft, log)
        mark.write(first)  # a log whose records so far are elsewhere
        mark.close()
        with LogWriter(draft, segment_bytes=_ONE_FILE, segment_blocks=_ONE_FILE) as out:
            for part in parts:
                for block in Log(self._folder / BATCHES / part.name).blocks():
                    out.extend_block(block)
        return draft

    def _move_payloads(self, draft: Path) -> None:
        sequences = large_payloads.sequences(draft)
        if not sequences:
            return
        target = self._folder / large_payloads.NAME
        target.mkdir(exist_ok=True, mode=0o700)
        for name in os.listdir(draft / large_payloads.NAME):  # noqa: PTH208 - names alone
            (draft / large_payloads.NAME / name).rename(target / name)
        sync_folder(target)
        sync_folder(self._folder)

    def _delete(self, parts: list[Part]) -> None:
        for part in parts:
            shutil.rmtree(self._folder / BATCHES / part.name, ignore_errors=True)
