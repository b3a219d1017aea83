"""The records of a stretch of a log as files of tables: the work of one task.

Every record that can be read becomes one row: of the table of its type, or of the quarantine. It suits
records of which none can be a duplicate, since nobody looks for those here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.segment.block import NAME_COLUMNS, Block
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.arrow_blocks import TIME, record_arrays
from liven.liveobjects.feeds.table.columns import RECORD_COLUMNS
from liven.liveobjects.feeds.table.commits.layout import NO_DAY, day_of
from liven.liveobjects.feeds.table.commits.staged_files import StagedFile
from liven.liveobjects.feeds.table.decoder import ERROR, PAYLOAD, BlockDecoder
from liven.liveobjects.feeds.table.files.arrow_types import arrow_columns
from liven.liveobjects.feeds.table.files.table_files import TableFiles
from liven.liveobjects.feeds.table.row_choice import ALL, RowChoice
from liven.liveobjects.feeds.table.schema import (
    FAR_TIME,
    QUARANTINE,
    QUARANTINE_COLUMNS,
    UNDECODABLE,
    UNKNOWN_TYPE,
)
from liven.liveobjects.feeds.table.survey import DAY_LENGTH, is_near
from liven.liveobjects.feeds.table.typed_tables import TypedTable

_CODED: Final = pa.dictionary(pa.int32(), pa.string())
_RECORD: Final = tuple(name for name, _ in RECORD_COLUMNS)
_QUARANTINE: Final = arrow_columns(QUARANTINE_COLUMNS)


@dataclass(frozen=True, slots=True)
class Work:
    """The tables to make of a log, and the folder for their files."""

    log: Path
    recorder: str
    tables: tuple[TypedTable, ...]
    unknown: frozenset[str]
    """The types that have no table."""
    folder: Path
    choice: RowChoice = ALL


@dataclass(frozen=True, slots=True)
class Written:
    """The result of one stretch."""

    files: list[StagedFile]
    undecodable: int

    def to_json(self) -> list[Any]:
        """Return the result as JSON values."""
        return [[[one.table, one.day, one.name, one.rows] for one in self.files], self.undecodable]

    @classmethod
    def of(cls, values: list[Any]) -> Written:
        """Return the result of such values."""
        files, undecodable = values
        return cls([StagedFile(*each) for each in files], undecodable)


def task_result(work: Work, stretches: Sequence[tuple[int, int]], number: int) -> str:
    """Write one of these stretches, and return the result as text."""
    return json.dumps(write_stretch(work, *stretches[number]).to_json())


def write_stretch(work: Work, low: int, high: int) -> Written:
    """Write the records from `low` to before `high`; raise FeedError or OSError. Damaged records are left
    out."""
    ignored: Callable[[DamagedError], None] = lambda _damage: None  # noqa: E731 - the survey has noted it
    files = TableFiles(work.folder)
    try:
        rows = _Rows(work, files)
        for block in Log(work.log).blocks(low, high, ignored):
            rows.take(block)
        return Written(files.close(), rows.undecodable)
    except BaseException:
        files.abandon()
        raise


class _Rows:
    """Gives the rows of blocks to their tables."""

    def __init__(self, work: Work, files: TableFiles) -> None:
        self._work = work
        self._files = files
        self._decoders = [(table.name, _decoder(table)) for table in work.tables]
        self.undecodable = 0

    def take(self, block: Block) -> None:
        """Take the chosen rows of a block."""
        chosen = self._work.choice.rows(block)
        near = is_near(block.received) & is_near(block.sent)
        if (far := chosen & ~near).any():
            self._quarantine(_far_rows(block, self._work.recorder, np.flatnonzero(far)), NO_DAY)
        for table, decoder in self._decoders:
            for batch in decoder.batches(block, self._work.recorder, chosen & near):
                self._take_decoded(table, batch)
        strange = chosen & near & block.type.rows_among(self._work.unknown)
        if strange.any():
            rows = _plain_rows(block, self._work.recorder, np.flatnonzero(strange))
            self._add_quarantined(_reasoned(rows, UNKNOWN_TYPE, rows.column("type")))

    def _take_decoded(self, table: str, batch: pa.RecordBatch) -> None:
        errors = batch.column(ERROR)
        if errors.null_count < len(errors):
            bad = batch.filter(pc.is_valid(errors))
            self.undecodable += bad.num_rows
            self._add_quarantined(_reasoned(bad, UNDECODABLE, bad.column(ERROR)))
            batch = batch.filter(pc.is_null(errors))
        for day, rows in _days(batch.drop_columns([ERROR, PAYLOAD])):
            self._files.add(table, day, rows)

    def _add_quarantined(self, rows: pa.RecordBatch) -> None:
        for day, some in _days(rows):
            self._quarantine(some, day)

    def _quarantine(self, rows: pa.RecordBatch, day: str) -> None:
        self._files.add(QUARANTINE, day, rows)


def _decoder(table: TypedTable) -> BlockDecoder:
    columns = arrow_columns(table.schema.columns)
    coded = [each.with_type(_CODED) if _is_name(each.name) else each for each in columns]
    return BlockDecoder(table.readings, pa.schema([*coded, (ERROR, pa.string()), (PAYLOAD, pa.binary())]))


def _is_name(column: str) -> bool:
    return column in NAME_COLUMNS or column == "recorder"


def _microseconds(batch: pa.RecordBatch, column: str) -> npt.NDArray[np.int64]:
    found: npt.NDArray[np.int64] = batch.column(column).cast(pa.int64()).to_numpy()
    return found


def _days(batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Return the rows of each day in which any was received."""
    if not batch.num_rows:
        return
    days = _microseconds(batch, "received") // DAY_LENGTH
    if days[0] == days[-1] and (days == days[0]).all():
        yield day_of(int(days[0]) * DAY_LENGTH), batch
        return
    for day in np.unique(days).tolist():
        yield day_of(day * DAY_LENGTH), batch.filter(pa.array(days == day))


def _plain_rows(block: Block, recorder: str, rows: npt.NDArray[np.intp]) -> pa.RecordBatch:
    """Return some records as they are, with their payloads."""
    columns = record_arrays(block, recorder, [*_RECORD, PAYLOAD])
    return pa.RecordBatch.from_pydict(columns).take(pa.array(rows))


def _far_rows(block: Block, recorder: str, rows: npt.NDArray[np.intp]) -> pa.RecordBatch:
    """Return some records for the quarantine without their times, which nobody could show."""
    told = [
        f"received {received}, sent {sent} µs since 1970"
        for received, sent in zip(block.received[rows].tolist(), block.sent[rows].tolist(), strict=True)
    ]
    found = _reasoned(_plain_rows(block, recorder, rows), FAR_TIME, pa.array(told))
    none = pa.nulls(len(rows), TIME)
    arrays = [none if each.name in ("received", "sent") else found.column(each.name) for each in _QUARANTINE]
    return pa.RecordBatch.from_arrays(arrays, schema=_QUARANTINE)


def _reasoned(rows: pa.RecordBatch, reason: str, details: Any) -> pa.RecordBatch:
    """Return rows in the form of the quarantine."""
    given = dict(zip(rows.schema.names, rows.columns, strict=True))
    given |= {"reason": pa.repeat(pa.scalar(reason), len(rows)), "detail": details}
    arrays = [given[each.name].cast(each.type) for each in _QUARANTINE]
    return pa.RecordBatch.from_arrays(arrays, schema=_QUARANTINE)
