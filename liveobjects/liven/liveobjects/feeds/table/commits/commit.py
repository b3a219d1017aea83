"""One commit of a feed's tables: the files that it adds and removes, and how far the feed is in the tables.

A commit is one JSON file with a checksum. It appears under its name in one step and is never changed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from liven.liveobjects.feeds.errors import FeedError, FutureVersionError
from liven.liveobjects.feeds.table.schema import TableSchema

FORMAT: Final = 1


class DamagedCommitError(FeedError):
    """A commit cannot be read."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path}: this commit cannot be read ({why}); `liven feeds ingest FEED --repair` sets it"
            " and later ones aside and ingests their records again"
        )
        self.path = path


@dataclass(frozen=True, slots=True)
class DataFile:
    """A Parquet file of a table."""

    table: str
    path: str
    """Relative to the root of the tables."""
    rows: int
    size: int
    """Bytes."""
    day: str

    def to_json(self) -> list[Any]:
        """Return the file as JSON values."""
        return [self.table, self.path, self.rows, self.size, self.day]


@dataclass(frozen=True, slots=True)
class Skipped:
    """Records that could not be read, and why."""

    recorder: str
    first: int
    end: int
    why: str


@dataclass(frozen=True, slots=True)
class Commit:
    """The change of a feed's tables by one batch."""

    number: int
    job: str
    at: int
    """When it was made, in microseconds since 1970."""
    ends: Mapping[str, int] = field(default_factory=dict)
    """For each recorder that advanced, the sequence up to which all its records are in the tables."""
    add: tuple[DataFile, ...] = ()
    remove: tuple[str, ...] = ()
    schemas: Mapping[str, TableSchema] = field(default_factory=dict)
    """The tables whose columns changed."""
    marks: Mapping[str, int] = field(default_factory=dict)
    """The highest serials, by `survey.mark_key`."""
    forks: Mapping[str, list[int]] = field(default_factory=dict)
    """The sequences of the forks, by `survey.mark_key` of recorder and channel, of those that got another."""
    skipped: tuple[Skipped, ...] = ()
    late: tuple[str, ...] = ()
    """Days other than the latest that got rows, which compaction looks at first."""
    settled: tuple[str, ...] = ()
    """Days that compaction has brought in order."""
    duplicates: int = 0
    """Records that were in the tables already."""
    base: bool = False
    """True if the commit is the sum of all before it, so that readers begin here."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """In a base: files removed lately and when, which may be deleted later."""

    def encode(self) -> bytes:
        """Return the bytes of the commit's file."""
        body = json.dumps(self._to_json(), ensure_ascii=False, separators=(",", ":"))
        return b'{"crc":%d,"commit":%s}\n' % (zlib.crc32(body.encode()), body.encode())

    def _to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "format": FORMAT,
            "number": self.number,
            "job": self.job,
            "at": self.at,
            "ends": dict(self.ends),
            "add": [file.to_json() for file in self.add],
            "remove": list(self.remove),
            "schemas": {table: schema.to_json() for table, schema in self.schemas.items()},
            "marks": dict(self.marks),
            "skipped": [[one.recorder, one.first, one.end, one.why] for one in self.skipped],
            "late": list(self.late),
            "settled": list(self.settled),
            "duplicates": self.duplicates,
        }
        if self.forks:
            found["forks"] = dict(self.forks)
        return {**found, "base": True, "removed": dict(self.removed)} if self.base else found


def decode_commit(data: bytes, path: Path) -> Commit:
    """Return the commit in a file's bytes; raise DamagedCommitError or FutureVersionError."""
    head, separator, rest = data.partition(b',"commit":')
    if not separator or not head.startswith(b'{"crc":') or not rest.endswith(b"}\n"):
        raise DamagedCommitError(path, "it is cut off or not a commit")
    body = rest[:-2]
    if head[7:] != str(zlib.crc32(body)).encode():
        raise DamagedCommitError(path, "its checksum is wrong")
    try:
        found = json.loads(body)
        if found["format"] != FORMAT:
            raise FutureVersionError(path, int(found["format"]))
        return _commit(found)
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedCommitError(path, f"{type(error).__name__}: {error}") from error


def _commit(found: Mapping[str, Any]) -> Commit:
    return Commit(
        number=int(found["number"]),
        job=str(found["job"]),
        at=int(found["at"]),
        ends=found["ends"],
        add=tuple(DataFile(*row) for row in found["add"]),
        remove=tuple(found["remove"]),
        schemas={table: TableSchema.from_json(data) for table, data in found["schemas"].items()},
        marks=found["marks"],
        forks=found.get("forks", {}),
        skipped=tuple(Skipped(*row) for row in found["skipped"]),
        late=tuple(found["late"]),
        settled=tuple(found["settled"]),
        duplicates=int(found["duplicates"]),
        base=bool(found.get("base", False)),
        removed=found.get("removed", {}),
    )
