"""Reading one stretch of a log in a worker. Only workers import this, as it is dear and planners are many."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyarrow as pa

from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.spark.data_source.options import NotSharedError, ReadOptions
from liven.liveobjects.feeds.spark.data_source.ranges import Stretch
from liven.liveobjects.feeds.table.arrow_blocks import record_arrays
from liven.liveobjects.feeds.table.decoder import BlockDecoder


def read_stretch(options: ReadOptions, stretch: Stretch, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Return the batches of a stretch in the order of the log; raise FeedError."""
    log = options.logs()[stretch.recorder]
    if log.end < stretch.high:  # a folder of this name that is not the one of the session, or an old picture
        raise NotSharedError(log.folder, log.end, stretch.high)
    ignored: Callable[[DamagedError], None] = lambda _damage: None  # noqa: E731 - the job has noted it
    blocks = log.blocks(stretch.low, stretch.high, ignored if options.skip_damage else None)
    if options.readings:
        decoder = BlockDecoder(options.readings, schema)
        made = (batch for block in blocks for batch in decoder.batches(block, stretch.recorder))
    else:
        made = (_plain_batch(block, stretch.recorder, schema) for block in blocks)
    yield from _gathered(made, options.batch_rows)


def _plain_batch(block: Block, recorder: str, schema: pa.Schema) -> pa.RecordBatch:
    columns = record_arrays(block, recorder, schema.names)
    arrays = [
        columns[field.name] if field.name in columns else pa.nulls(len(block), field.type) for field in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _gathered(batches: Iterator[pa.RecordBatch], least: int) -> Iterator[pa.RecordBatch]:
    """Join small batches, which are dear one by one."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        if not waiting and batch.num_rows >= least:
            yield batch
            continue
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= least:
            yield pa.concat_batches(waiting)
            waiting, rows = [], 0
    if waiting:
        yield pa.concat_batches(waiting)
