"""Moving the files that Spark wrote from a staging folder into a table, and deleting what no commit names.

Spark does not force its files to the disk. They are synchronized here, before a commit names them.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from liven.liveobjects.feeds.table.commits.commit import DataFile
from liven.liveobjects.feeds.table.commits.layout import COMMITS, SET_ASIDE, STAGING, Layout, escaped
from liven.liveobjects.feeds.table.commits.manifest import State
from liven.runtime.files import sync_folder


@dataclass(frozen=True, slots=True)
class Staging:
    """The draft of one table's part of a batch."""

    layout: Layout
    table: str
    feed: str
    folder: Path

    @classmethod
    def make(cls, layout: Layout, table: str, feed: str) -> Staging:
        """Return a draft in a folder of its own, which Spark creates; raise OSError."""
        layout.staging.mkdir(parents=True, exist_ok=True, mode=0o700)
        return cls(layout, table, feed, layout.staging / f"{table}-{secrets.token_hex(8)}")

    def adopt(self, prefix: str, day: str | None) -> list[DataFile]:
        """Move the files with rows into the table and return them. Without a `day`, folders name it."""
        found = []
        for number, (source, of_day) in enumerate(self._written(day)):
            rows = pq.read_metadata(source).num_rows
            if rows:
                partition = self.layout.partition(self.table, self.feed, of_day)
                path = f"{partition}/{prefix}-{number:04d}.parquet"
                _move(source, self.layout.root / path)
                size = (self.layout.root / path).stat().st_size
                found.append(DataFile(self.table, path, rows, size, of_day))
        for folder in {(self.layout.root / file.path).parent for file in found}:
            _sync_up_to(folder, self.layout.root)
        self.discard()
        return found

    def discard(self) -> None:
        """Delete the draft."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _written(self, day: str | None) -> Iterator[tuple[Path, str]]:
        for source in sorted(self.folder.rglob("part-*.parquet")):
            yield source, day if day is not None else source.parent.name.removeprefix("day=")


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A finished file of a draft, which a task made for one table and day."""

    table: str
    day: str
    name: str
    """Relative to the folder of the draft."""
    rows: int


def adopt_files(
    layout: Layout, feed: str, draft: Path, prefix: str, files: Iterable[StagedFile]
) -> list[DataFile]:
    """Move these files of a draft into their tables, delete the draft, and return them; raise OSError.

    Files that are not here are left out: the caller counts the rows."""
    found = []
    for number, one in enumerate(files):
        path = f"{layout.partition(one.table, feed, one.day)}/{prefix}-{number:04d}.parquet"
        try:
            rows = pq.read_metadata(draft / one.name).num_rows
            _move(draft / one.name, layout.root / path)
        except FileNotFoundError:
            continue
        found.append(DataFile(one.table, path, rows, (layout.root / path).stat().st_size, one.day))
    for folder in {(layout.root / file.path).parent for file in found}:
        _sync_up_to(folder, layout.root)
    shutil.rmtree(draft, ignore_errors=True)
    return found


def delete_staging(layout: Layout) -> None:
    """Delete the drafts of processes that ended; the caller holds the lock."""
    shutil.rmtree(layout.root / STAGING, ignore_errors=True)


def delete_unlisted(layout: Layout, feed: str, state: State) -> int:
    """Delete the files of a feed that no commit names, and return their number; the caller holds the lock.

    They were moved in by a process that ended before its commit.
    """
    known = state.files.keys() | state.removed.keys()
    count = 0
    for path in _data_files(layout, feed):
        if path.relative_to(layout.root).as_posix() not in known:
            path.unlink(missing_ok=True)
            count += 1
    return count


def set_unlisted_aside(layout: Layout, feed: str, state: State) -> list[Path]:
    """Move the files of a feed that no commit names any more into the folder of damage, and return their new
    paths; the caller holds the lock. Their records may be gone from the recording."""
    known = state.files.keys() | state.removed.keys()
    moved = []
    for path in list(_data_files(layout, feed)):
        name = path.relative_to(layout.root)
        if name.as_posix() not in known:
            moved.append(layout.damaged / name)
            moved[-1].parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.rename(moved[-1])
    return moved


def delete_removed(layout: Layout, state: State, before: int) -> int:
    """Delete the files that commits before `before` (microseconds) removed; return their number."""
    count = 0
    for name, at in state.removed.items():
        path = layout.root / name
        if at < before and name not in state.files and path.exists():
            path.unlink(missing_ok=True)
            count += 1
    return count


def _data_files(layout: Layout, feed: str) -> Iterator[Path]:
    for table in layout.root.iterdir() if layout.root.is_dir() else ():
        if table.name not in (COMMITS, STAGING, SET_ASIDE) and table.is_dir():
            yield from (table / f"feed={escaped(feed)}").glob("day=*/*.parquet")


def _move(source: Path, target: Path) -> None:
    descriptor = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    source.rename(target)


def _sync_up_to(folder: Path, root: Path) -> None:
    while folder != root.parent:
        sync_folder(folder)
        folder = folder.parent
