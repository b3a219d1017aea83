"""A batch of an ingest, and its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.jobs.sealed_channels import Opened
from liven.liveobjects.feeds.table.commits.commit import DataFile
from liven.liveobjects.feeds.table.row_choice import ALL, RowChoice
from liven.liveobjects.feeds.table.schema import QUARANTINE, QUARANTINE_COLUMNS, TableSchema

QUARANTINE_SCHEMA = TableSchema(QUARANTINE, QUARANTINE_COLUMNS)


class LostRowsError(Exception):
    """Rows that workers wrote are not in the folder of the tables."""

    def __init__(self, folder: Path, wrote: int, here: int) -> None:
        super().__init__(
            f"the workers wrote {wrote} rows, and {here} are in {folder} here: the folder of the tables"
            " (--tables) must be one that all computers share"
        )


@dataclass(slots=True)
class Batch:
    """A stretch of one recorder's log."""

    recorder: str
    log: Log
    low: int
    high: int
    ends: tuple[str, ...]
    """The names in the manifest of what is in the tables up to `high` afterwards."""
    choice: RowChoice = ALL
    opened: Opened | None = None
    """The channels whose sealed records are opened; None for a batch of records in clear."""
    prefix: str = ""
    """The beginning of the names of its files."""


@dataclass(slots=True)
class Draft:
    """The result of a batch before its commit."""

    files: list[DataFile] = field(default_factory=list)
    schemas: dict[str, TableSchema] = field(default_factory=dict)
    read: int = 0
    undecodable: int = 0

    @property
    def quarantined(self) -> int:
        """The number of records that are in the quarantine."""
        return sum(file.rows for file in self.files if file.table == QUARANTINE)

    def rows_of_tables(self) -> int:
        """Return the rows in all tables but the quarantine."""
        return sum(file.rows for file in self.files if file.table != QUARANTINE)


def demand_rows(folder: Path, rows: int, files: Iterable[DataFile]) -> None:
    """Raise LostRowsError unless the files have as many rows as the workers wrote."""
    here = sum(file.rows for file in files)
    if here != rows:
        raise LostRowsError(folder, rows, here)
