"""The records behind the rows of a table: of which feed, by recorder, sequence and time. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.table.commits.layout import COMMITS, Layout
from liven.liveobjects.feeds.table.commits.manifest import Manifest

ROWS_MOST: Final = 10_000_000
_DEEPEST: Final = 3
"""The folders from a file of a table up to the table: the file, its day and its feed."""
_NEEDED: Final = ("recorder", "seq", "received")


class NoRecordsError(FeedError):
    """A table has no rows that are records of a feed."""


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A table, or a part of it: a feed, a day or a file."""

    layout: Layout
    part: str
    """Relative to the root of the tables."""

    @classmethod
    def of(cls, path: Path) -> TablePlace | None:
        """Return the table at a path; None if there is none."""
        path = path.absolute()
        if not path.exists():
            return None
        for root in (path.parent, *path.parents[1 : _DEEPEST + 1]):
            if (root / COMMITS).is_dir() and path != root / COMMITS:
                return cls(Layout(root), path.relative_to(root).as_posix())
        return None

    def files(self) -> dict[str, list[Path]]:
        """Return the files that the commits name, by feed; raise DamagedCommitError or OSError."""
        found: dict[str, list[Path]] = {}
        for feed in self.layout.feeds():
            for path in Manifest(self.layout, feed).state().files:
                if path == self.part or path.startswith(f"{self.part}/"):
                    found.setdefault(feed, []).append(self.layout.root / path)
        return found


@dataclass(frozen=True, slots=True)
class TableRecords:
    """The places of records, those of each recorder in their order."""

    feed: str
    by_recorder: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]
    """Sequences, and the times of receipt in microseconds since 1970."""


def table_records(place: TablePlace, rows_most: int = ROWS_MOST) -> TableRecords:
    """Return the records behind a table; raise FeedError or OSError."""
    files = place.files()
    where = place.layout.root / place.part
    if not files:
        raise NoRecordsError(f"{where}: no commit names a file here; `liven feeds ingest` makes tables")
    if len(files) > 1:
        feeds = ", ".join(f"feed={feed}" for feed in files)
        raise NoRecordsError(f"{where}: it has rows of several feeds; name the folder of one: {feeds}")
    ((feed, paths),) = files.items()
    return TableRecords(feed, _places(paths, where, rows_most))


def _places(paths: Sequence[Path], where: Path, rows_most: int) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    tables, rows = [], 0
    for path in paths:
        try:
            with pq.ParquetFile(path) as file:
                lacking = [name for name in _NEEDED if name not in file.schema_arrow.names]
                if lacking:
                    raise NoRecordsError(
                        f"{where}: its rows are not records, as it has no column {lacking[0]}; play the feed"
                    )
                rows += file.metadata.num_rows
                if rows > rows_most:
                    raise NoRecordsError(
                        f"{where}: it has more than {rows_most:,} rows; name the folder of a day, day=…"
                    )
                tables.append(file.read(columns=list(_NEEDED)))
        except pa.ArrowException as error:
            raise NoRecordsError(f"{path}: it cannot be read: {error}") from None
    whole = pa.concat_tables(tables, promote_options="permissive")
    found = {}
    for recorder in pc.unique(whole.column("recorder")).to_pylist():
        mine = whole.filter(pc.equal(whole.column("recorder"), recorder))
        sequence = mine.column("seq").cast(pa.int64()).to_numpy()
        received = mine.column("received").cast(pa.timestamp("us", "UTC")).cast(pa.int64()).to_numpy()
        order = np.argsort(sequence, kind="stable")
        found[str(recorder)] = sequence[order], received[order]
    return found
