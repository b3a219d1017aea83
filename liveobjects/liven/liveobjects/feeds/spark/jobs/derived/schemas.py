"""The columns of derived tables: what the jobs of this folder promise, whatever a feed holds."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.feeds.table.columns import Column
from liven.liveobjects.feeds.table.schema import TableSchema


def _schema(name: str, columns: str) -> TableSchema:
    pairs = (column.split(" ", 1) for column in columns.split(", "))
    return TableSchema(name, tuple(Column(column, kind) for column, kind in pairs))


ASOF: Final = _schema(
    "asof",
    "at TIMESTAMP, recorder STRING, object STRING, channel STRING, type STRING, seq BIGINT, base BIGINT, "
    "received TIMESTAMP, state BINARY, operations ARRAY<BINARY>",
)
"""States as of a moment: `state` is the last checkpoint, or the last value of a stream, and `operations` are
the messages between it and the moment, in order."""

SESSIONS: Final = _schema(
    "sessions",
    "object STRING, channel STRING, first_received TIMESTAMP, last_received TIMESTAMP, events BIGINT, "
    "bytes BIGINT, longest_gap DOUBLE",
)
"""Times in which an object was active; `longest_gap` is in seconds."""

GAPS: Final = _schema(
    "gaps",
    "channel STRING, author STRING, after_serial BIGINT, before_serial BIGINT, missing BIGINT, "
    "from_received TIMESTAMP, to_received TIMESTAMP",
)
"""Numbers that no recorder got, between two that one did."""

STATISTICS: Final = _schema(
    "stats_1m",
    "object STRING, channel STRING, type STRING, start TIMESTAMP, events BIGINT, bytes BIGINT, "
    "authors BIGINT",
)
"""Counts of each minute."""

DERIVED: Final = {schema.type: schema for schema in (ASOF, SESSIONS, GAPS, STATISTICS)}


def columns_of(schema: TableSchema) -> list[str]:
    """Return the names of the columns."""
    return [column.name for column in schema.columns]
