"""Follows a file that grows: gives complete lines with their numbers, through rotation and truncation.

It blocks, so it is for a worker thread, one call at a time.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Final

from liven.runtime.files import open_regular, readable_size, refuse_system_file

CHUNK: Final = 256 << 10
"""Bytes that are read at once, and the most that one batch has."""
LONGEST_LINE: Final = 1 << 20
_PROOF: Final = 64
"""Bytes before the position that are compared, to notice a file that was cut and has grown again."""
_MOST_SIBLINGS: Final = 10_000
_NEWLINE: Final = b"\n"


@dataclass(frozen=True, slots=True)
class Mark:
    """A position in a file: everything before it has been read."""

    device: int
    inode: int
    offset: int
    line: int
    proof: bytes
    """The last bytes before it."""


@dataclass(slots=True)
class Batch:
    """The next lines."""

    lines: list[tuple[int, bytes]] = field(default_factory=list)
    """Number and bytes of each, without its end."""
    faults: list[tuple[int, str]] = field(default_factory=list)
    mark: Mark | None = None
    """The position after them."""
    more: bool = False
    """True if the file has more already."""
    fresh: bool = False
    """True if the lines are of another file than those before, or of the same one after it was cut."""
    missing: bool = False
    """True if there is no file of this name, perhaps for a moment."""


class LineFollower:
    """Follows one path."""

    def __init__(self, path: Path, mark: Mark | None = None, *, at_end: bool = False) -> None:
        """Begin after `mark` if that file is still there, else at the begin or the end of the file."""
        self.path = path
        self._mark = mark
        self._at_end = at_end
        self._file: FileIO | None = None
        self._offset = 0
        self._line = 0
        self._ahead = b""
        self._long = False
        self._known = b""
        """The last bytes before the position, as they were read."""
        self._replaced = False
        self._next_is_fresh = False

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def head(self) -> bytes | None:
        """Return the first line of the file, or None while it is not complete."""
        assert self._file is not None
        found = os.pread(self._file.fileno(), LONGEST_LINE, 0)
        end = found.find(_NEWLINE)
        return found[:end].rstrip(b"\r") if end >= 0 else None

    def read(self, most: int) -> Batch:
        """Return up to `most` of the next lines; raise OSError if the file cannot be read."""
        batch = Batch(fresh=self._next_is_fresh)
        self._next_is_fresh = False
        if self._file is None:
            self._open(batch)
        if self._was_cut():
            self._restart(batch)
        self._take(batch, most)
        if not batch.lines and not batch.faults and not batch.more:
            self._look_for_another(batch)
        batch.mark = self._marked()
        return batch

    def _open(self, batch: Batch) -> None:
        found = self._remembered() if self._mark is not None else None
        if found is not None:
            self._file = found
            assert self._mark is not None
            self._offset, self._line, self._known = self._mark.offset, self._mark.line, self._mark.proof
        else:
            self._file = _opened(self.path)
            batch.fresh = True
            if self._at_end:
                self._offset, self._line = _last_line(self._file)
                self._known = _proof(self._file, self._offset)
        self._mark, self._at_end = None, False

    def _remembered(self) -> FileIO | None:
        """Return the file of the mark: under its name, or under the one that a rotation gave it meanwhile."""
        mark = self._mark
        assert mark is not None
        for path in (self.path, *_siblings(self.path)):
            try:
                if (mark.device, mark.inode) != _identity(path.stat()):
                    continue
                file = _opened(path)
            except OSError:
                continue
            if os.fstat(file.fileno()).st_size >= mark.offset and _proof(file, mark.offset) == mark.proof:
                return file
            file.close()
        return None

    def _was_cut(self) -> bool:
        """True if the file is shorter than what was read of it, or differs before the position."""
        assert self._file is not None
        size = os.fstat(self._file.fileno()).st_size
        read = self._offset + len(self._ahead)
        if size == read:
            return False
        return size < read or _proof(self._file, self._offset) != self._known

    def _restart(self, batch: Batch) -> None:
        self._offset = self._line = 0
        self._ahead = self._known = b""
        self._long = False
        batch.fresh = True

    def _take(self, batch: Batch, most: int) -> None:
        """Take complete lines; read on only if there is none."""
        taken = 0
        while len(batch.lines) < most and taken < CHUNK:
            end = self._ahead.find(_NEWLINE)
            if end < 0:
                if taken or not self._fill():
                    break
                self._skip_long(batch)
                continue
            line, self._ahead = self._ahead[:end], self._ahead[end + 1 :]
            taken += end + 1
            self._passed(line + _NEWLINE)
            self._line += 1
            if self._long:
                self._long = False
            else:
                batch.lines.append((self._line, line.rstrip(b"\r")))
        batch.more = _NEWLINE in self._ahead or taken > 0

    def _fill(self) -> bool:
        """Read on; return False at the end of the file."""
        assert self._file is not None
        found = os.pread(self._file.fileno(), CHUNK, self._offset + len(self._ahead))
        self._ahead += found
        return bool(found)

    def _skip_long(self, batch: Batch) -> None:
        """Drop what is read of a line that is too long."""
        if len(self._ahead) <= LONGEST_LINE or _NEWLINE in self._ahead:
            return
        if not self._long:
            reason = f"it is longer than {readable_size(LONGEST_LINE)}, the limit of a line"
            batch.faults.append((self._line + 1, reason))
        self._long = True
        self._passed(self._ahead)
        self._ahead = b""

    def _passed(self, data: bytes) -> None:
        self._offset += len(data)
        self._known = (self._known + data[-_PROOF:])[-_PROOF:]

    def _look_for_another(self, batch: Batch) -> None:
        """Notice that another file has the name. The old one is read to its end first, and once more at the
        next look, because its writer may have written on for a moment."""
        assert self._file is not None
        try:
            another = _identity(self.path.stat()) != _identity(os.fstat(self._file.fileno()))
        except FileNotFoundError:
            batch.missing = True
            return
        if not another:
            return
        if not self._replaced:
            self._replaced = True
            return
        self._replaced = False
        rest, number = self._ahead, self._line + 1
        file = _opened(self.path)
        self.close()
        self._file = file
        if rest and not self._long:
            batch.lines.append((number, rest.rstrip(b"\r")))
        self._restart(Batch())
        self._next_is_fresh = True
        batch.more = True

    def _marked(self) -> Mark:
        assert self._file is not None
        device, inode = _identity(os.fstat(self._file.fileno()))
        return Mark(device, inode, self._offset, self._line, self._known)


def _opened(path: Path) -> FileIO:
    refuse_system_file(path)
    return open_regular(path)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _proof(file: FileIO, offset: int) -> bytes:
    start = max(0, offset - _PROOF)
    return os.pread(file.fileno(), offset - start, start)


def _last_line(file: FileIO) -> tuple[int, int]:
    """Return offset and number of the last complete line's end."""
    offset = end = line = 0
    while piece := os.pread(file.fileno(), CHUNK, offset):
        found = piece.rfind(_NEWLINE)
        if found >= 0:
            end = offset + found + 1
        line += piece.count(_NEWLINE)
        offset += len(piece)
    return end, line


def _siblings(path: Path) -> list[Path]:
    """Return the files whose names begin like this one's, as rotation names them."""
    try:
        with os.scandir(path.parent) as entries:
            found = [entry for _, entry in zip(range(_MOST_SIBLINGS), entries, strict=False)]
    except OSError:
        return []
    return [Path(one.path) for one in found if one.name.startswith(path.stem) and one.name != path.name]
