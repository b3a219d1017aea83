"""The schema of a table: the union of the columns of all versions of its type.

A column that a version lacks is null in that version's rows. A number may widen. Where two versions disagree
about a column, the later one gets a column of its own, whose name ends with its type (`speed_string`), so
that no value is lost."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from liven.liveobjects.feeds.table.columns import RECORD_COLUMNS, Column, ddl

QUARANTINE: Final = "quarantine"
RECORDS: Final = "records"
"""The view of a feed's records as they were recorded; no table may have its name."""
QUARANTINE_COLUMNS: Final = (
    *(Column(name, kind) for name, kind in RECORD_COLUMNS),
    Column("reason", "STRING"),
    Column("detail", "STRING"),
    Column("payload", "BINARY"),
)
UNDECODABLE: Final = "undecodable"
UNKNOWN_TYPE: Final = "unknown-type"
DAMAGED: Final = "damaged"
FAR_TIME: Final = "far-time"
"""The reasons of the quarantine."""
SILVER_COLUMNS: Final = tuple(Column(name, kind) for name, kind in RECORD_COLUMNS)
_OWN: Final = "liven:"
_SIMPLE: Final = re.compile(r"[a-z][a-z0-9_]*(:[a-z][a-z0-9_]*)?")
_TAKEN: Final = frozenset(
    {QUARANTINE, RECORDS, "commits", "staging", "damaged", "asof", "sessions", "gaps", "stats_1m"}
)
"""Folders of the layout, and the derived tables of `spark.jobs.derived.schemas`."""
_WIDER: Final = {("BIGINT", "DECIMAL(20,0)")}
"""Pairs (narrow, wide) whose values fit, and of which Spark reads a narrow file as wide."""
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class TableSchema:
    """The type of a table's rows, and its columns in the order in which they first came."""

    type: str
    """The id of the class, which its versions share, or the name of the type."""
    columns: tuple[Column, ...]

    @property
    def ddl(self) -> str:
        """The columns as Spark reads them."""
        return ddl(self.columns)

    def to_json(self) -> dict[str, Any]:
        """Return the schema as JSON values."""
        return {"type": self.type, "columns": [[column.name, column.kind] for column in self.columns]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TableSchema:
        """Return the schema of such values."""
        return cls(str(data["type"]), tuple(Column(str(name), str(kind)) for name, kind in data["columns"]))


def table_name(type_name: str) -> str:
    """Return the name of the table for values of this type: short for classes, else made of its hash."""
    if _SIMPLE.fullmatch(type_name) and len(type_name) <= _LONGEST:
        name = type_name.removeprefix(_OWN).replace(":", "_")
        return f"{name}_" if name in _TAKEN else name
    digest = hashlib.sha256(type_name.encode()).hexdigest()[:8]
    head = re.sub(r"[^a-z0-9]+", "_", type_name.lower()).strip("_")[:24].strip("_")
    return f"{head if head[:1].isalpha() else 'type'}_{digest}"


def merged(
    known: TableSchema | None, type_name: str, columns: Iterable[Column]
) -> tuple[TableSchema, dict[str, str]]:
    """Return the schema with further columns, and the name that each of `columns` has in it."""
    found = {column.name: column for column in (SILVER_COLUMNS if known is None else known.columns)}
    names: dict[str, str] = {}
    for column in columns:
        names[column.name] = _placed(found, column)
    return TableSchema(type_name, tuple(found.values())), names


def _placed(found: dict[str, Column], column: Column) -> str:
    """Put a column among those found; return its name there."""
    lower = {name.lower(): name for name in found}
    name = lower.get(column.name.lower(), column.name)
    known = found.get(name)
    if known is None:
        found[name] = Column(name, column.kind)
    elif known.kind != column.kind:
        if (known.kind, column.kind) in _WIDER:
            found[name] = Column(name, column.kind)
        elif (column.kind, known.kind) not in _WIDER:
            suffix = re.sub(r"[^a-z0-9]+", "_", column.kind.lower()).strip("_")[:_LONGEST]
            return _placed(found, Column(f"{name}_{suffix}", column.kind))
    return name
