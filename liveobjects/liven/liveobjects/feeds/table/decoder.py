"""The typed columns of recorded payloads.

A `Reading` says how to read one type of a feed. A `BlockDecoder` takes blocks of records and returns record
batches with the columns of the records, those of the values, and `error` and `payload` for values that cannot
be decoded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from liven.liveobjects.feeds.payload_decoder import UndecodableError
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.table.arrow_blocks import record_arrays
from liven.liveobjects.feeds.table.bulk_decoder import BulkDecoder
from liven.liveobjects.feeds.table.columns import Field, TypeColumns, columns_of
from liven.liveobjects.feeds.table.reading import Reading, Sealing
from liven.types.catalogue.builtin import builtin_catalogue
from liven.types.codec.codec import Codec
from liven.types.codec.errors import CodecError
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import ValueType

ERROR: Final = "error"
PAYLOAD: Final = "payload"
_LONGEST_ERROR: Final = 500


class UnknownTypeError(ValueError):
    """A type's notation cannot be read."""


@lru_cache(maxsize=256)
def value_type(notation: str) -> ValueType:
    """Return the value type that a notation spells out; raise UnknownTypeError."""
    try:
        return builtin_catalogue(Formalisms(builtin_formalisms())).value(notation)
    except (LookupError, ValueError, TypeError) as error:
        raise UnknownTypeError(f"{notation}: {error}") from error


class BlockDecoder:
    """Decodes the records of some types into batches of one schema. If its columns of names are dictionaries,
    all of them must be."""

    def __init__(self, readings: Sequence[Reading], schema: pa.Schema) -> None:
        """Raise UnknownTypeError for a type that cannot be read here."""
        self._schema = schema
        self._coded = any(pa.types.is_dictionary(kind) for kind in schema.types)
        self._values = [_Values(reading, schema) for reading in readings]

    def batches(
        self, block: Block, recorder: str, chosen: npt.NDArray[np.bool_] | None = None
    ) -> list[pa.RecordBatch]:
        """Return the batches of a block: one for each of the types in it, in its order of rows; of the chosen
        rows, or of all."""
        found = []
        for values in self._values:
            rows = values.rows_in(block)
            if chosen is not None:
                rows &= chosen
            if rows.all():
                found.append(self._batch(block, recorder, values, None))
            elif rows.any():
                found.append(self._batch(block, recorder, values, np.flatnonzero(rows)))
        return found

    def _batch(
        self, block: Block, recorder: str, values: _Values, rows: npt.NDArray[np.intp] | None
    ) -> pa.RecordBatch:
        own = {*values.names, ERROR, PAYLOAD}
        names = [name for name in self._schema.names if name not in own]
        columns = record_arrays(block, recorder, names, coded=self._coded)
        if rows is not None:
            places = pa.array(rows)
            columns = {name: column.take(places) for name, column in columns.items()}
        columns.update(values.decode(block, np.arange(len(block)) if rows is None else rows))
        count = len(block) if rows is None else len(rows)
        if values.opened_type and "type" in columns:
            columns["type"] = self._repeated(values.opened_type, count)
        arrays = [
            columns[field.name] if field.name in columns else pa.nulls(count, field.type)
            for field in self._schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self._schema)

    def _repeated(self, text: str, count: int) -> pa.Array:
        return pa.repeat(pa.scalar(text, pa.string()), count).cast(self._schema.field("type").type)


class _Values:
    """The columns of one type's values."""

    def __init__(self, reading: Reading, schema: pa.Schema) -> None:
        type_ = value_type(reading.notation)
        self._columns: TypeColumns = columns_of(type_)
        self._reading = reading
        self._decode: Callable[[bytes], Any] = Codec(type_).decode
        self.opened_type = ""
        self._kinds: dict[str, pa.DataType] = {}
        self._wanted: list[tuple[Field, str]] = []
        for field in self._columns.fields:
            name = reading.names.get(field.column.name, field.column.name)
            if name in schema.names:
                self._wanted.append((field, name))
                self._kinds[name] = schema.field(name).type
        self.names = tuple(name for _, name in self._wanted)
        self._tells = ERROR in schema.names or PAYLOAD in schema.names
        plain = all(field.prepare is None for field, _ in self._wanted) and not self._columns.is_union
        self._bulk = BulkDecoder.of(type_) if plain else None
        if reading.sealing is not None:
            self._open(reading.sealing)

    def _open(self, sealing: Sealing) -> None:
        """Have values opened before they are decoded; opening is the slow part of it."""
        from liven.liveobjects.feeds.table.opener import opener  # loads cryptography

        self.opened_type = self._reading.type
        self._bulk = None
        decode, opened = self._decode, opener(sealing)
        self._decode = lambda payload: decode(opened(payload))

    def rows_in(self, block: Block) -> npt.NDArray[np.bool_]:
        """Return for each row of a block whether its value is to be decoded so."""
        sealing = self._reading.sealing
        if sealing is None:
            return block.type.rows_of(self._reading.type)
        rows = block.channel.rows_of(sealing.channel) & block.type.rows_among(sealing.types)
        if sealing.states is not None:
            rows &= (block.flags & np.uint32(CHECKPOINT) != 0) == sealing.states
        return rows

    def decode(self, block: Block, rows: npt.NDArray[np.intp]) -> dict[str, pa.Array]:
        """Return the columns of the values of some rows, `error` and `payload` among them."""
        if self._bulk is None:
            return self._one_by_one(block, rows)
        starts, stops = block.ends[:-1][rows].astype(np.int64), block.ends[1:][rows].astype(np.int64)
        good, parts = self._bulk.decode(block.payload, starts, stops)
        columns = {name: _cast(parts[field.part], self._kinds[name]) for field, name in self._wanted}
        if self._tells:
            columns[ERROR], columns[PAYLOAD] = (
                pa.nulls(len(rows), pa.string()),
                pa.nulls(len(rows), pa.binary()),
            )
        if good.all():
            return columns
        bad = np.flatnonzero(~good)
        rest = self._one_by_one(block, rows[bad])
        order = np.arange(len(rows))
        order[bad] = len(rows) + np.arange(len(bad))
        places = pa.array(order)
        return {name: pa.concat_arrays([column, rest[name]]).take(places) for name, column in columns.items()}

    def _one_by_one(self, block: Block, rows: npt.NDArray[np.intp]) -> dict[str, pa.Array]:
        payloads = (
            block.payloads() if len(rows) == len(block) else [block.payload_of(row) for row in rows.tolist()]
        )
        values, errors = self._decoded(payloads)
        columns = {}
        for field, name in self._wanted:
            parts = self._parts(values, field, errors)
            columns[name] = _array(parts, self._kinds[name], errors)
        if self._tells:
            count = range(len(payloads))
            columns[ERROR] = pa.array([errors.get(row) for row in count], pa.string())
            kept = [payloads[row] if row in errors else None for row in count]
            columns[PAYLOAD] = pa.array(kept, pa.binary())
        return columns

    def _decoded(self, payloads: Sequence[bytes]) -> tuple[list[Any], dict[int, str]]:
        values: list[Any] = []
        errors: dict[int, str] = {}
        decode, keep = self._decode, values.append
        for payload in payloads:
            try:
                keep(decode(payload))
            except (CodecError, UndecodableError) as error:
                errors[len(values)] = str(error)[:_LONGEST_ERROR]
                keep(None)
        return values, errors

    def _parts(self, values: list[Any], field: Field, errors: Mapping[int, str]) -> list[Any]:
        parts = _picked(values, field, is_union=self._columns.is_union, some_failed=bool(errors))
        prepare = field.prepare
        return parts if prepare is None else [None if part is None else prepare(part) for part in parts]


def _picked(values: list[Any], field: Field, *, is_union: bool, some_failed: bool) -> list[Any]:
    """Return the part of each value that a column holds; None for a value that could not be decoded."""
    part = field.part
    if is_union and not part:
        return [None if value is None else next(iter(value)) for value in values]
    if not part:
        return values
    if is_union:
        return [None if value is None else value.get(part) for value in values]
    if some_failed:
        return [None if value is None else value[part] for value in values]
    return [value[part] for value in values]


def _cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    return column if column.type == kind else column.cast(kind)


def _array(parts: list[Any], kind: pa.DataType, errors: dict[int, str]) -> pa.Array:
    """Return the parts as an array; one that Arrow refuses becomes null, and its row an error."""
    try:
        return pa.array(parts, kind)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        kept: list[Any] = []
        for row, part in enumerate(parts):
            try:
                pa.scalar(part, kind)
            except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
                errors.setdefault(row, f"does not fit {kind}: {error}"[:_LONGEST_ERROR])
                kept.append(None)
            else:
                kept.append(part)
        return pa.array(kept, kind)
