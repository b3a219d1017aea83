"""Blocks as Arrow record batches without a copy, and record batches as blocks. Needs pyarrow, of the extra
`feeds`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from liven.liveobjects.feeds.segment.block import NAME_COLUMNS, Block, Names, four_names
from liven.liveobjects.feeds.segment.text_table import TextTable

TIME: Final = pa.timestamp("us", tz="UTC")
SCHEMA: Final = pa.schema(
    [
        ("sequence", pa.int64()),
        ("received", TIME),
        ("sent", TIME),
        ("object", pa.string()),
        ("channel", pa.string()),
        ("author", pa.string()),
        ("type", pa.string()),
        ("serial", pa.int64()),
        ("flags", pa.int32()),
        ("payload", pa.binary()),
    ]
)
"""The columns of a batch. `serial` is unsigned in a segment; its bits are kept, since Spark has no such
numbers."""
COLUMNS: Final = tuple(SCHEMA.names)


def record_batch(block: Block, columns: tuple[str, ...] = COLUMNS) -> pa.RecordBatch:
    """Return some columns of a block in this order."""
    return pa.RecordBatch.from_arrays(
        [_column(block, name) for name in columns], schema=pa.schema([SCHEMA.field(name) for name in columns])
    )


def coded_names(names: Names) -> pa.DictionaryArray:
    """Return a column of texts as numbers into its table."""
    codes = pa.Array.from_buffers(pa.int32(), len(names.codes), [None, pa.py_buffer(names.codes)])
    return pa.DictionaryArray.from_arrays(codes, _texts(names.table))


def block_of(batch: pa.RecordBatch, first: int = 0) -> Block:
    """Return a batch with these columns, except perhaps `sequence`, as a block; raise pyarrow's errors."""
    names = [_coded(batch.column(name)) for name in NAME_COLUMNS]
    payload = batch.column("payload").cast(pa.binary())
    _validity, ends, data = payload.buffers()
    rows = batch.num_rows
    return Block(
        first,
        _numbers(batch.column("received"), np.int64),
        _numbers(batch.column("sent"), np.int64),
        _numbers(batch.column("serial"), np.int64).view(np.uint64),
        *four_names(names),
        _numbers(batch.column("flags"), np.int64).astype(np.uint32),
        np.frombuffer(ends, np.int32, rows + 1, payload.offset * 4),
        memoryview(data if data is not None else b""),
    )


def _column(block: Block, name: str) -> pa.Array:
    rows = len(block)
    if name == "sequence":
        return pa.array(block.sequences)
    if name in ("received", "sent"):
        return pa.Array.from_buffers(TIME, rows, [None, pa.py_buffer(getattr(block, name))])
    if name == "serial":
        return pa.Array.from_buffers(pa.int64(), rows, [None, pa.py_buffer(block.serial)])
    if name == "flags":
        return pa.Array.from_buffers(pa.int32(), rows, [None, pa.py_buffer(block.flags)])
    if name == "payload":
        parts = [None, pa.py_buffer(block.ends), pa.py_buffer(block.payload)]
        return pa.Array.from_buffers(pa.binary(), rows, parts)
    names = getattr(block, name)
    codes = pa.Array.from_buffers(pa.int32(), rows, [None, pa.py_buffer(names.codes)])
    return _texts(names.table).take(codes)


def _texts(table: Sequence[str]) -> pa.StringArray:
    """Return a table of texts; that of a block that was read without decoding it."""
    if isinstance(table, TextTable):
        return pa.StringArray.from_buffers(len(table), pa.py_buffer(table.ends), pa.py_buffer(table.data))
    return pa.array(list(table), pa.string())


def _coded(column: pa.Array) -> tuple[Any, list[str]]:
    encoded = (
        column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column.cast(pa.string()))
    )
    if encoded.null_count:
        encoded = pc.dictionary_encode(pc.fill_null(column.cast(pa.string()), ""))
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.uint32)
    return codes, encoded.dictionary.cast(pa.string()).to_pylist()


def _numbers(column: pa.Array, kind: type[np.int64]) -> Any:
    filled = pc.fill_null(column.cast(pa.int64()), 0) if column.null_count else column.cast(pa.int64())
    return np.ascontiguousarray(filled.to_numpy(zero_copy_only=False), kind)
