"""Records as lines of JSON, both ways. A payload is written as its value, and as it is besides where the
value would not give the same bytes again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.exchange.json_form import exact_record, record_of
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import Block
from liven.runtime.files import readable_size

MOST_LINE: Final = 512 << 20
"""A longer line is no record."""
_BATCH: Final = 1024
_BATCH_BYTES: Final = 1 << 20


class BadLineError(FeedError):
    """A line of a file is no record."""


def write_json_lines(blocks: Iterable[Block], out: BinaryIO) -> None:
    """Write records; raise OSError."""
    for block in blocks:
        for sequence, record in enumerate(block.records(), block.first):
            line = json.dumps(exact_record(sequence, record), ensure_ascii=False, separators=(",", ":"))
            out.write(line.encode() + b"\n")


def read_json_lines(source: BinaryIO, name: str) -> Iterator[list[Record]]:
    """Return the records of a file in order, some at a time; raise BadLineError or OSError."""
    batch: list[Record] = []
    size = 0
    number = 0
    while line := source.readline(MOST_LINE):
        number += 1
        if len(line) == MOST_LINE:
            raise BadLineError(f"{name}, line {number}: it is longer than {readable_size(MOST_LINE)}")
        if line.isspace():
            continue
        try:
            batch.append(record_of(_object(line)))
        except ValueError as error:
            raise BadLineError(f"{name}, line {number}: {error}") from None
        size += len(line)
        if len(batch) >= _BATCH or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error})") from None
    if not isinstance(found, dict):
        raise ValueError("it is not an object; a record is one, with `received` at least")
    return found
