"""The rows of a Parquet file in batches of bounded memory. Needs pyarrow, of the extra `feeds`.

A few kilobytes of such a file may stand for any amount of memory: a value is there once, however many rows
have it, and pages are compressed. Columns of bytes and texts are therefore read as references to values,
whose sizes are counted before the values are copied for each row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from liven.liveobjects.feeds.errors import FeedError

BATCH_BYTES: Final = 32 << 20
"""The most bytes of texts and payloads in a batch, unless one row has more."""
BATCH_ROWS: Final = 8192
GROUP_MOST: Final = 1 << 30
"""The most bytes of a part of a file before they are compressed; usual ones have 128 MB."""
_BYTES: Final = "BYTE_ARRAY"


class TooLargeError(FeedError):
    """A part of a Parquet file would take too much memory."""


def open_parquet(source: Path | BinaryIO) -> pq.ParquetFile:
    """Open a file for `decoded_batches`; raise OSError or pyarrow's errors."""
    found = pq.ParquetFile(source)
    columns = [found.schema.column(place) for place in range(len(found.schema))]
    bytes_columns = [each.path for each in columns if each.physical_type == _BYTES and each.path == each.name]
    if isinstance(source, Path):
        found.close()
    else:
        source.seek(0)
    return pq.ParquetFile(source, read_dictionary=bytes_columns)


def decoded_batches(
    file: pq.ParquetFile, name: str, groups: Sequence[int] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of some row groups, or of all; raise TooLargeError, OSError or pyarrow's errors."""
    chosen = range(file.num_row_groups) if groups is None else groups
    for group in chosen:
        size = file.metadata.row_group(group).total_byte_size
        if size > GROUP_MOST:
            raise TooLargeError(
                f"{name}: its row group {group} has {size:,} bytes, and {GROUP_MOST:,} are allowed; write the"
                " file with smaller row groups"
            )
        for batch in file.iter_batches(batch_size=BATCH_ROWS, row_groups=[group]):
            yield from _pieces(batch)


def _pieces(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield a batch with its values in place of the references, in as many pieces as its size demands."""
    ends = np.cumsum(_row_sizes(batch))
    low = 0
    while low < batch.num_rows:
        before = ends[low - 1] if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + BATCH_BYTES, side="right")))
        yield _plain(batch.slice(low, high - low))
        low = high


def _row_sizes(batch: pa.RecordBatch) -> Any:
    sizes = np.zeros(batch.num_rows, np.int64)
    for column in batch.columns:
        if pa.types.is_dictionary(column.type) and len(column.dictionary):
            lengths = pc.fill_null(pc.binary_length(column.dictionary), 0).to_numpy(zero_copy_only=False)
            places = pc.fill_null(column.indices, 0).to_numpy(zero_copy_only=False)
            sizes += lengths.astype(np.int64)[places]
    return sizes


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
