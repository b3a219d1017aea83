"""Records as a Parquet file, both ways. Needs pyarrow, of the extra `feeds`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.segment.arrow import SCHEMA, block_of, record_batch
from liven.liveobjects.feeds.segment.block import NAME_COLUMNS, Block
from liven.liveobjects.feeds.segment.parquet_batches import decoded_batches, open_parquet

_TYPES: Final = b"liven.types"
_GROUP_ROWS: Final = 65_536
_GROUP_BYTES: Final = 32 << 20
_SERIAL: Final = SCHEMA.get_field_index("serial")
_FILE_SCHEMA: Final = SCHEMA.set(_SERIAL, pa.field("serial", pa.uint64()))


class BadTableError(FeedError):
    """A Parquet file holds no records, or is damaged."""


def write_parquet(blocks: Iterable[Block], out: BinaryIO, description: FeedDescription) -> None:
    """Write records; raise OSError."""
    types = {name: entry.notation for name, entry in description.types.items()}
    schema = _FILE_SCHEMA.with_metadata({_TYPES: json.dumps(types)})
    with pq.ParquetWriter(out, schema, compression="zstd") as writer:
        held: list[Any] = []
        rows = size = 0
        for block in blocks:
            held.append(record_batch(block))
            rows, size = rows + len(block), size + block.size
            if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
                writer.write_table(_table(held, schema))
                held, rows, size = [], 0, 0
        if held:
            writer.write_table(_table(held, schema))


class ParquetRecords:
    """The records in a Parquet file of ours, or of any program that has at least a column `received`."""

    def __init__(self, source: BinaryIO, name: str) -> None:
        self._name = name
        try:
            self._file = open_parquet(source)
        except pa.ArrowException as error:
            raise BadTableError(f"{name}: it is not a whole Parquet file ({_line(error)})") from None
        found = self._file.schema_arrow
        if "received" not in found.names or ("payload" not in found.names and "value" not in found.names):
            raise BadTableError(
                f"{name}: it holds no records; they have the columns received and payload, and this has"
                f" {', '.join(found.names[:12])}"
            )
        self.rows: int = self._file.metadata.num_rows
        self.types = _types(found.metadata or {})

    def blocks(self) -> Iterator[Block]:
        """Return the records in order, some at a time; raise BadTableError or OSError."""
        try:
            for batch in decoded_batches(self._file, self._name):
                yield block_of(_whole(batch))
        except (pa.ArrowException, pa.ArrowInvalid, ValueError) as error:
            raise BadTableError(f"{self._name}: it cannot be read as records ({_line(error)})") from None


def _table(batches: list[Any], schema: Any) -> Any:
    table = pa.Table.from_batches(batches)
    serial = pa.chunked_array([_unsigned(part) for part in table.column("serial").chunks], pa.uint64())
    return table.set_column(_SERIAL, schema.field("serial"), serial).cast(schema)


def _unsigned(part: Any) -> Any:
    """Return the same bits as numbers without a sign."""
    return pa.Array.from_buffers(pa.uint64(), len(part), part.buffers(), offset=part.offset)


def _whole(batch: Any) -> Any:
    """Return a batch with all columns of a record, in their types; those that are missing are empty."""
    columns = []
    for field in SCHEMA:
        place = batch.schema.get_field_index(field.name)
        if place < 0:
            source = "received" if field.name == "sent" else None
            columns.append(
                batch.column(source).cast(field.type, safe=False)
                if source
                else pa.nulls(batch.num_rows, field.type)
            )
            continue
        column = batch.column(place)
        if field.name == "serial" and pa.types.is_unsigned_integer(column.type):
            column = pa.Array.from_buffers(
                pa.int64(), len(column), column.cast(pa.uint64()).buffers(), offset=column.offset
            )
        elif field.name in NAME_COLUMNS and pa.types.is_dictionary(column.type):
            column = column.cast(pa.string())
        columns.append(column.cast(field.type, safe=False))
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _types(metadata: dict[bytes, bytes]) -> dict[str, TypeEntry]:
    try:
        found = json.loads(metadata.get(_TYPES, b"{}"))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: TypeEntry(text) for name, text in found.items() if isinstance(text, str)}


def _line(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
