"""Blocks of records in the columns of tables, and rows of a query as blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from liven.liveobjects.feeds.segment.arrow import COLUMNS, SCHEMA, coded_names, record_batch
from liven.liveobjects.feeds.segment.arrow import block_of as block_of_batch
from liven.liveobjects.feeds.segment.block import NAME_COLUMNS, Block, Names

TIME: Final = SCHEMA.field("received").type
_OTHER_NAMES: Final = {"seq": "sequence"}
_NEEDED: Final = ("received", "object", "type", "payload")


def record_arrays(
    block: Block, recorder: str, wanted: Sequence[str], *, coded: bool = False
) -> dict[str, pa.Array]:
    """Return the wanted columns of a block; names that records do not have are left out. With `coded`, texts
    are numbers into tables of texts, as in the block."""
    texts = (*NAME_COLUMNS, "recorder") if coded else ()
    names = [name for name in wanted if _OTHER_NAMES.get(name, name) in COLUMNS and name not in texts]
    batch = record_batch(block, tuple(_OTHER_NAMES.get(name, name) for name in names))
    found = dict(zip(names, batch.columns, strict=True))
    if coded:
        given = {
            **dict(zip(NAME_COLUMNS, block.names(), strict=True)),
            "recorder": _repeated(recorder, len(block)),
        }
        found |= {name: coded_names(given[name]) for name in wanted if name in given}
    elif "recorder" in wanted:
        found["recorder"] = pa.repeat(pa.scalar(recorder, pa.string()), len(block))
    return found


def _repeated(text: str, rows: int) -> Names:
    return Names(np.zeros(rows, np.uint32), (text,))


def block_of(batch: pa.RecordBatch) -> Block:
    """Return the block of rows that a query made; raise ValueError if they are no records.

    Times, objects, types and payloads must be there. `sent` is `received` if it is missing, the rest empty or
    0."""
    given = dict(zip(batch.schema.names, batch.columns, strict=True))
    missing = [name for name in _NEEDED if name not in given or given[name].null_count]
    if missing:
        raise ValueError(
            f"rows for a feed need a value in {', '.join(_NEEDED)}; missing: {', '.join(missing)}"
        )
    rows = batch.num_rows
    given.setdefault("sent", given["received"])
    given.setdefault("channel", pa.repeat(pa.scalar("", pa.string()), rows))
    given.setdefault("author", pa.repeat(pa.scalar("", pa.string()), rows))
    given.setdefault("serial", pa.repeat(pa.scalar(0, pa.int64()), rows))
    given.setdefault("flags", pa.repeat(pa.scalar(0, pa.int32()), rows))
    names = [name for name in COLUMNS if name in given]
    arrays = [given[name].cast(TIME) if name in ("received", "sent") else given[name] for name in names]
    return block_of_batch(pa.RecordBatch.from_arrays(arrays, names=names))
