"""Records as a table of CSV, both ways: a column for each part of a record, the payload as JSON in one of
them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from typing import Any, BinaryIO, Final

from liven.liveobjects.feeds.exchange.json_form import exact_record, record_of, shown_moment
from liven.liveobjects.feeds.exchange.json_lines import BadLineError
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import Block

COLUMNS: Final = (
    "sequence",
    "received",
    "sent",
    "object",
    "channel",
    "author",
    "type",
    "serial",
    "flags",
    "value",
    "payload",
)
_MOST_FIELD: Final = 512 << 20
_BATCH: Final = 1024
_BATCH_BYTES: Final = 1 << 20


def write_csv(blocks: Iterable[Block], out: BinaryIO) -> None:
    """Write records; raise OSError."""
    text = TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    try:
        table = csv.writer(text)  # its line ends are those of RFC 4180, so that a lone one is quoted
        table.writerow(COLUMNS)
        for block in blocks:
            table.writerows(
                _row(sequence, record) for sequence, record in enumerate(block.records(), block.first)
            )
        text.flush()
    finally:
        text.detach()


def read_csv(source: BinaryIO, name: str) -> Iterator[list[Record]]:
    """Return the records of a file in order, some at a time; raise BadLineError or OSError.

    The first line names the columns; only `received` must be there.
    """
    csv.field_size_limit(_MOST_FIELD)
    text = TextIOWrapper(source, encoding="utf-8-sig", newline="")
    batch: list[Record] = []
    size = number = 0
    try:
        table = csv.DictReader(text, strict=True)
        for row in table:
            number += 1
            batch.append(record_of(_fields(row)))
            size += len(batch[-1].payload)
            if len(batch) >= _BATCH or size >= _BATCH_BYTES:
                yield batch
                batch, size = [], 0
    except (csv.Error, ValueError) as error:
        raise BadLineError(f"{name}, row {number}: {error}") from None
    finally:
        text.detach()
    if batch:
        yield batch


def _row(sequence: int, record: Record) -> list[Any]:
    found = exact_record(sequence, record)
    found["received"], found["sent"] = shown_moment(record.received), shown_moment(record.sent)
    found["flags"] = " ".join(found["flags"])
    if "value" in found:
        found["value"] = json.dumps(found["value"], ensure_ascii=False, separators=(",", ":"))
    return [found.get(column, "") for column in COLUMNS]


def _fields(row: dict[str | Any, str | Any]) -> dict[str, Any]:
    if None in row:
        raise ValueError("it has more fields than the first line names")
    found: dict[str, Any] = {name: text for name, text in row.items() if text}
    if "payload" in row and "value" not in found:
        found.setdefault("payload", "")  # no bytes at all, for a value that is nothing is written as null
    if "flags" in found:
        found["flags"] = found["flags"].split()
    if "serial" in found:
        found["serial"] = int(found["serial"])
    if "value" in found:
        try:
            found["value"] = json.loads(found["value"])
        except (ValueError, RecursionError):
            raise ValueError("its value is not JSON") from None
    return found
