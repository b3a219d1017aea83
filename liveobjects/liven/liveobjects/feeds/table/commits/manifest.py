"""The manifest of a feed's tables: its commits, and their sum.

A file belongs to a table if the sum says so. Killed jobs leave others behind, which nobody lists.
`Manifest.commit` adds a commit in one step, after the files that it names are on the disk; two writers cannot
both add the same number."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.table.commits.commit import (
    Commit,
    DamagedCommitError,
    DataFile,
    Skipped,
    decode_commit,
)
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.liveobjects.feeds.table.schema import TableSchema
from liven.runtime.files import PRIVATE, create_file, read_regular, sync_folder

BASE_EVERY: Final = 64
"""Each commit of such a number is a base, which bounds the time to read a long history."""
FORGOTTEN_AFTER: Final = 7 * 86_400_000_000
"""Microseconds after which a base no longer names a removed file, which was deleted long before."""
_NAME: Final = re.compile(r"(\d{16})\.json")
_LONGEST: Final = 256 << 20
_DAMAGED: Final = ".damaged"


class ConflictError(FeedError):
    """Another writer made the commit of this number."""


@dataclass(slots=True)
class State:
    """The sum of commits."""

    number: int = -1
    """The number of the last commit; -1 if there is none."""
    ends: dict[str, int] = field(default_factory=dict)
    files: dict[str, DataFile] = field(default_factory=dict)
    schemas: dict[str, TableSchema] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    forks: dict[str, list[int]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    late: set[str] = field(default_factory=set)
    removed: dict[str, int] = field(default_factory=dict)
    duplicates: int = 0

    def add(self, commit: Commit) -> None:
        """Apply one commit."""
        if commit.base:
            self.files, self.removed, self.late = {}, dict(commit.removed), set()
            self.skipped, self.duplicates = [], 0
        self.number = commit.number
        self.ends.update(commit.ends)
        self.schemas.update(commit.schemas)
        self.marks.update(commit.marks)
        self.forks.update(commit.forks)
        self.skipped += commit.skipped
        self.late.update(commit.late)
        self.late.difference_update(commit.settled)
        self.duplicates += commit.duplicates
        for path in commit.remove:
            self.files.pop(path, None)
            self.removed[path] = commit.at
        self.files.update({file.path: file for file in commit.add})

    def copy(self) -> State:
        """Return a state that changes on its own."""
        return replace(
            self,
            ends=dict(self.ends),
            files=dict(self.files),
            schemas=dict(self.schemas),
            marks=dict(self.marks),
            forks=dict(self.forks),
            skipped=list(self.skipped),
            late=set(self.late),
            removed=dict(self.removed),
        )

    def tables(self) -> list[str]:
        """Return the names of the tables."""
        return sorted(self.schemas)

    def files_of(self, table: str, days: Iterable[str] | None = None) -> list[DataFile]:
        """Return the files of a table, of some days or of all."""
        wanted = None if days is None else set(days)
        return [
            file
            for file in self.files.values()
            if file.table == table and (wanted is None or file.day in wanted)
        ]

    def rows_of(self, table: str) -> int:
        """Return the number of rows of a table."""
        return sum(file.rows for file in self.files.values() if file.table == table)


class Manifest:
    """The commits of one feed."""

    def __init__(self, layout: Layout, feed: str) -> None:
        self.layout = layout
        self.feed = feed
        self._folder = layout.commits(feed)

    def state(self) -> State:
        """Return the sum of all commits; raise DamagedCommitError or OSError."""
        state = State()
        for commit in self._recent():
            state.add(commit)
        return state

    def commit(self, state: State, commit: Commit) -> State:
        """Add the next commit after `state` and return their sum; raise ConflictError or OSError. `state`
        stays as it is.

        The files that it adds must be on the disk, and synchronized.
        """
        commit = replace(commit, number=state.number + 1)
        whole = state.copy()
        whole.add(commit)
        if commit.number and commit.number % BASE_EVERY == 0:
            commit = _base(whole, commit)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            create_file(self._path(commit.number), commit.encode(), PRIVATE)
        except FileExistsError:
            raise ConflictError(
                f"{self._path(commit.number)}: another process made this commit meanwhile; try again"
            ) from None
        sync_folder(self._folder)
        return whole

    def set_damage_aside(self) -> list[Path]:
        """Rename the first commit that cannot be read, and all later ones; then go back to a commit whose
        files are all there, since a later one may have had some deleted. Return the old paths. Raises OSError
        and FutureVersionError, which nothing is set aside for."""
        aside: list[Path] = []
        for number in self._numbers():
            try:
                self._read(number)
            except DamagedCommitError:
                aside += self._set_aside_from(number)
                break
        while True:
            try:
                state = self.state()
            except DamagedCommitError:  # those that a base had replaced are gone
                return [*aside, *self._set_aside_from(0)]
            if all((self.layout.root / path).is_file() for path in state.files):
                return aside
            aside += self._set_aside_from(state.number)

    def _set_aside_from(self, first: int) -> list[Path]:
        paths = [self._path(number) for number in self._numbers() if number >= first]
        for path in reversed(paths):  # a crash in between leaves the damaged one in place
            path.rename(path.with_name(f"{path.name}{_DAMAGED}-{time.time_ns()}"))
        if paths:
            sync_folder(self._folder)
        return paths

    def drop_history(self, before: int) -> int:
        """Delete commits older than `before` (microseconds) that a base has replaced; return their number."""
        numbers = self._numbers()
        bases = [number for number in numbers if number and number % BASE_EVERY == 0]
        dropped = 0
        for number in numbers:
            path = self._path(number)
            if not bases or number >= bases[-1] or path.stat().st_mtime_ns // 1000 >= before:
                break
            path.unlink()
            dropped += 1
        return dropped

    def _recent(self) -> list[Commit]:
        """Return the last base and the commits after it, or all."""
        found: list[Commit] = []
        numbers = self._numbers()
        expected = numbers[-1] if numbers else -1
        for number in reversed(numbers):
            if number != expected:
                break
            found.append(self._read(number))
            expected -= 1
            if found[-1].base:
                return found[::-1]
        if found and found[-1].number != 0:
            raise DamagedCommitError(self._path(found[-1].number - 1), "it is missing")
        return found[::-1]

    def _numbers(self) -> list[int]:
        if not self._folder.is_dir():
            return []
        names = (_NAME.fullmatch(path.name) for path in self._folder.iterdir())
        return sorted(int(match[1]) for match in names if match is not None)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:016d}.json"

    def _read(self, number: int) -> Commit:
        path = self._path(number)
        commit = decode_commit(read_regular(path, _LONGEST), path)
        if commit.number != number:
            raise DamagedCommitError(path, f"it says that it is number {commit.number}")
        return commit


def _base(state: State, commit: Commit) -> Commit:
    return replace(
        commit,
        ends=dict(state.ends),
        add=tuple(state.files.values()),
        remove=(),
        schemas=dict(state.schemas),
        marks=dict(state.marks),
        forks=dict(state.forks),
        skipped=tuple(state.skipped),
        late=tuple(sorted(state.late)),
        settled=(),
        duplicates=state.duplicates,
        base=True,
        removed={path: at for path, at in state.removed.items() if at >= commit.at - FORGOTTEN_AFTER},
    )


def all_states(layout: Layout) -> Mapping[str, State]:
    """Return the state of every feed; raise DamagedCommitError or OSError."""
    return {feed: Manifest(layout, feed).state() for feed in layout.feeds()}
