"""Power cuts: undo the changes to a folder that its programs had not forced to disk when they were killed.

`faulty_system.c`, preloaded into the programs, journals every change. A cut keeps what an fsync of the file
or the folder covers. Of the rest it keeps a beginning: so many changes to names, and for each file so many
writes, of which the last may be torn, or may have got its length and zeros for bytes.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_SOURCE: Final = Path(__file__).with_name("faulty_system.c")
_HEAD: Final = struct.Struct("=IIQQQQQQIIII")
_WRITTEN, _CREATED, _MOVED, _REMOVED, _FORCED = map(ord, "WCMRF")


class NoCompilerError(OSError):
    """There is no C compiler, or it refused the library."""


def build(folder: Path) -> Path:
    """Compile the library into a folder and return its path."""
    library = folder / "faulty_system.so"
    command = ["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl", "-lpthread"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise NoCompilerError("there is no `cc` here: apt install gcc libc6-dev") from None
    if done.returncode:
        raise NoCompilerError(f"the compiler refused {_SOURCE.name}: {done.stderr}")
    return library


@dataclass(frozen=True, slots=True)
class Change:
    """A record of the journal."""

    kind: int
    time: int
    node: int
    other: int
    offset: int
    length: int
    before: int
    first: bytes
    second: bytes
    third: bytes


class FaultySystem:
    """The faults of the machine on which the programs of one folder run."""

    def __init__(self, library: Path, tree: Path, beside: Path) -> None:
        self.tree = tree
        self._library = library
        self._journal = beside / "journal"
        self._full = beside / "disk-is-full"
        self._clock = beside / "clock"
        self.was_always_good = True
        """True if the disk was never full and its folder never replaced."""
        self._journal.mkdir(parents=True)
        self.shift_clock(0)

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that the programs need."""
        return {
            "LD_PRELOAD": str(self._library),
            "CHAOS_TREE": str(self.tree),
            "CHAOS_JOURNAL": str(self._journal),
            "CHAOS_FULL": str(self._full),
            "CHAOS_CLOCK": str(self._clock),
        }

    def fill_disk(self) -> None:
        """Refuse further data from now on."""
        self.was_always_good = False
        self._full.touch()

    def free_disk(self) -> None:
        """Accept data again."""
        self._full.unlink(missing_ok=True)

    def shift_clock(self, seconds: int) -> None:
        """Set the clock of the day wrong by so many seconds, for running programs too."""
        with open(self._clock, "r+b" if self._clock.exists() else "wb") as file:  # noqa: PTH123
            file.write(struct.pack("=q", seconds))

    def replace(self) -> None:
        """Regard everything as being on disk: nothing runs, and the folder was put there by others."""
        self.was_always_good = False
        self._forget()

    def _forget(self) -> None:
        for path in self._journal.iterdir():
            path.unlink()

    def cut_power(self, chance: random.Random) -> int:
        """Undo what was not forced to disk, after all programs were killed. Return the number of undone
        changes."""
        changes = sorted(self._changes(), key=lambda each: each.time)
        undone = self._undo(changes, chance)
        shutil.rmtree(self.tree / "run", ignore_errors=True)
        self._forget()
        return undone

    def _changes(self) -> Iterable[Change]:
        for path in self._journal.glob("*.journal"):
            data, at = path.read_bytes(), 0
            while at + _HEAD.size <= len(data):
                size, kind, time, node, other, offset, length, before, *names, _ = _HEAD.unpack_from(data, at)
                at_name, parts = at + _HEAD.size, []
                for name in names:
                    parts.append(data[at_name : at_name + name])
                    at_name += name
                at += 4 + size
                if at <= len(data):  # the last one may be incomplete
                    yield Change(kind, time, node, other, offset, length, before, *parts)

    def _undo(self, changes: list[Change], chance: random.Random) -> int:
        forced: dict[int, int] = defaultdict(int)
        for change in changes:
            if change.kind == _FORCED:
                forced[change.node] = max(forced[change.node], change.time)
        rest = [each for each in changes if each.kind != _FORCED and each.time >= forced[each.node]]
        writes = [each for each in rest if each.kind == _WRITTEN]
        names = [each for each in rest if each.kind != _WRITTEN]
        undone = self._undo_writes(writes, chance)
        kept = chance.choice((0, chance.randint(0, len(names)), len(names)))
        for change in reversed(names[kept:]):
            self._undo_name(change)
        return undone + len(names) - kept

    def _undo_writes(self, writes: list[Change], chance: random.Random) -> int:
        by_file: dict[int, list[Change]] = defaultdict(list)
        for change in writes:
            by_file[change.node].append(change)
        paths = self._paths()
        undone = 0
        for node, rows in by_file.items():
            if node not in paths:
                continue
            kept = chance.choice((0, chance.randint(0, len(rows)), len(rows)))
            with open(paths[node], "r+b") as file:  # noqa: PTH123
                size = os.fstat(file.fileno()).st_size
                for change in reversed(rows[kept:]):
                    file.seek(change.offset)
                    file.write(change.first)
                    file.truncate(change.before)
                if kept < len(rows):
                    self._tear(file.fileno(), rows[kept], size, chance)
            undone += len(rows) - kept
        return undone

    @staticmethod
    def _tear(file: int, change: Change, size: int, chance: random.Random) -> None:
        """Leave the beginning of the first undone write there as zeros, as file systems do that write the
        length of a file before its bytes."""
        most = min(change.offset + change.length, size)
        if most > change.before and chance.random() < 0.5:
            os.ftruncate(file, chance.randint(change.before, most))

    def _paths(self) -> dict[int, Path]:
        """Return a name of each file by its inode."""
        found: dict[int, Path] = {}
        for root in (self._journal, self.tree):
            for folder, _, names in os.walk(root):
                for name in names:
                    with suppress(OSError):
                        found[os.lstat(Path(folder, name)).st_ino] = Path(folder, name)
        return found

    def _undo_name(self, change: Change) -> None:
        first = Path(os.fsdecode(change.first))
        kept = self._journal / os.fsdecode(change.third)
        with suppress(FileNotFoundError):  # the change may never have happened
            if change.kind == _CREATED:
                first.unlink()
            elif change.kind == _MOVED:
                second = Path(os.fsdecode(change.second))
                second.rename(first)
                if change.third:
                    os.link(kept, second)
            elif change.kind == _REMOVED and not first.exists():
                os.link(kept, first)
