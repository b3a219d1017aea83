"""Parquet files with the columns of records as a source. Needs pyarrow, of the extra `feeds`.

Files are read by row groups. Groups whose sequences overlap, as those of partitions do, are read and put in
order together; groups that do not are read one after the other. Groups that are read together may have so
many rows and bytes; more are refused.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.rows import Rows
from liven.liveobjects.feeds.replay.source.segment_log import rows_of_block
from liven.liveobjects.feeds.replay.source.source import BATCH
from liven.runtime.files import readable_size

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from liven.liveobjects.feeds.segment.arrow import COLUMNS, block_of
    from liven.liveobjects.feeds.segment.parquet_batches import decoded_batches, open_parquet
except ImportError:  # the extra is not installed
    pa = None

SUFFIX: Final = ".parquet"
_TOGETHER_MOST: Final = 4_000_000
"""Rows of overlapping groups that are put in order in memory."""
_MEMORY_MOST: Final = 1 << 30
"""Bytes of the rows that are in memory together."""
_NEEDED: Final = ("received", "channel", "type", "payload")


@dataclass(frozen=True, slots=True)
class _Group:
    """One row group of a file."""

    file: Path
    number: int
    first: int
    last: int
    earliest: int
    latest: int
    rows: int


@dataclass(frozen=True, slots=True)
class _Run:
    """Groups that overlap, and no other group does."""

    groups: tuple[_Group, ...]

    @property
    def first(self) -> int:
        return self.groups[0].first

    @property
    def last(self) -> int:
        return max(group.last for group in self.groups)

    @property
    def latest(self) -> int:
        return max(group.latest for group in self.groups)


class ParquetFiles:
    """The records in some files, in the order of their sequences."""

    complete = True
    failure: FeedError | None = None

    def __init__(self, paths: Sequence[Path]) -> None:
        """Read the footers of files; raise ReplayError."""
        if pa is None:
            raise ReplayError("Parquet files need pyarrow", "install it: pip install 'liven[feeds]'")
        groups = [group for path in paths for group in _groups_of(path)]
        groups.sort(key=lambda group: (group.first, group.last))
        self._runs = _runs_of(groups)
        self._firsts = [run.first for run in self._runs]
        self.begin = groups[0].first if groups else 0
        self.end = max((group.last for group in groups), default=-1) + 1
        self.span = (
            min((group.earliest for group in groups), default=0),
            max((group.latest for group in groups), default=0),
        )

    @classmethod
    def below(cls, path: Path) -> ParquetFiles:
        """Return the source of a file, or of all files in a folder; raise ReplayError if there are none."""
        found = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not found:
            raise ReplayError(f"{path}: there are no Parquet files here", "name another folder")
        return cls(found)

    def rows(self, first: int, end: int) -> Iterator[Rows]:
        for run in self._between(first, end):
            whole = self._read(run).between(first, end)
            for low in range(0, len(whole), BATCH):
                yield whole.cut(low, min(low + BATCH, len(whole)))

    def rows_back(self, first: int, end: int) -> Iterator[Rows]:
        for run in reversed(self._between(first, end)):
            whole = self._read(run).between(first, end)
            for high in range(len(whole), 0, -BATCH):
                yield whole.cut(max(0, high - BATCH), high)

    def sequence_at(self, time: int) -> int:
        for run in self._runs:
            if run.latest >= time:
                rows = self._read(run)
                later = np.flatnonzero(rows.received >= time)
                if len(later):
                    return int(rows.sequence[later[0]])
        return self.end

    def close(self) -> None:
        """Do nothing: no file is open between two calls."""

    def _between(self, first: int, end: int) -> list[_Run]:
        low = max(bisect_right(self._firsts, first) - 1, 0)
        high = bisect_right(self._firsts, end - 1)
        return [run for run in self._runs[low:high] if run.last >= first]

    def _read(self, run: _Run) -> Rows:
        batches, size = [], 0
        for group in run.groups:
            try:
                with open_parquet(group.file) as file:
                    for batch in decoded_batches(file, str(group.file), [group.number]):
                        size += batch.nbytes
                        if size > _MEMORY_MOST:
                            raise ReplayError(_too_large(group.file, run), _SMALLER)
                        batches.append(batch)
            except (OSError, pa.ArrowException) as error:
                raise ReplayError(f"{group.file}: it cannot be read: {error}") from None
        tables = [pa.Table.from_batches([batch]) for batch in batches]
        return _rows_of(pa.concat_tables(tables, promote_options="default"))


_EXPORT: Final = "export it with `liven feeds export`"
_SMALLER: Final = (
    "write it sorted by sequence and with smaller row groups, or import it: `liven feeds import`"
)


def _too_large(file: Path, run: _Run) -> str:
    first, last, most = run.first, run.last, readable_size(_MEMORY_MOST)
    return f"{file}: the rows {first} to {last} take more than {most} of memory together"


def _groups_of(path: Path) -> list[_Group]:
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            missing = [name for name in _NEEDED if name not in names]
            if missing or "sequence" not in names:
                lacking = ", ".join(missing or ["sequence"])
                raise ReplayError(f"{path}: it has no column {lacking}", _EXPORT)
            return [_group_of(file, path, number) for number in range(file.num_row_groups)]
    except (OSError, pa.ArrowException) as error:
        raise ReplayError(f"{path}: it is no Parquet file that can be read: {error}") from None


def _group_of(file: Any, path: Path, number: int) -> _Group:
    """Return the bounds of a row group: from its footer, or by reading two columns."""
    bounds = []
    for wanted in file.iter_batches(row_groups=[number], columns=["sequence", "received"]):
        if wanted.num_rows:
            received = wanted.column("received").cast(pa.timestamp("us", "UTC")).cast(pa.int64())
            each = [pc.min_max(column).as_py() for column in (wanted.column("sequence"), received)]
            bounds.append([one[end] for one in each for end in ("min", "max")])
            if None in bounds[-1]:
                raise ReplayError(f"{path}: it has rows without a sequence or a time", _EXPORT)
    rows = file.metadata.row_group(number).num_rows
    if not bounds:
        return _Group(path, number, 0, -1, 0, 0, 0)
    first, last, earliest, latest = zip(*bounds, strict=True)
    return _Group(path, number, min(first), max(last), min(earliest), max(latest), rows)


def _runs_of(groups: Sequence[_Group]) -> list[_Run]:
    runs: list[list[_Group]] = []
    last = -1
    for group in groups:
        if not group.rows:
            continue
        if runs and group.first <= last:
            runs[-1].append(group)
        else:
            runs.append([group])
        last = max(last, group.last)
    for run in runs:
        rows = sum(group.rows for group in run)
        if len(run) > 1 and rows > _TOGETHER_MOST:
            raise ReplayError(
                f"{rows:,} rows in {len(run)} parts of files are out of order",
                "write them sorted by sequence",
            )
    return [_Run(tuple(run)) for run in runs]


def _rows_of(table: Any) -> Rows:
    """Return a table as rows, in order. Columns that it lacks are empty."""
    count = table.num_rows
    for name in COLUMNS:
        if name in table.column_names:
            continue
        empty = table.column("received") if name == "sent" else pa.nulls(count, _kind(name))
        table = table.append_column(name, empty)
    batches = table.select(COLUMNS).combine_chunks().to_batches()
    batch = batches[0] if batches else pa.RecordBatch.from_pylist([], table.select(COLUMNS).schema)
    sequence = np.ascontiguousarray(batch.column("sequence").to_numpy(zero_copy_only=False), np.int64)
    rows = rows_of_block(block_of(batch))
    rows = Rows(
        sequence,
        rows.received,
        rows.sent,
        rows.serial,
        rows.flags,
        rows.names,
        rows.starts,
        rows.stops,
        rows.payload,
    )
    if np.any(sequence[1:] < sequence[:-1]):
        rows = rows.ordered()
    return rows


def _kind(name: str) -> Any:
    return pa.string() if name in ("object", "author") else pa.int64()
