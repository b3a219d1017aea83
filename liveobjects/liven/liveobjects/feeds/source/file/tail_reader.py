"""Reads the rows of a file that grows: follows its lines, decodes them, remembers the position.

It blocks, so it is for a worker thread, one call at a time.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from liven.liveobjects.feeds.source.file.line_follower import Batch, LineFollower, Mark
from liven.liveobjects.feeds.source.file.remembered import Remembered
from liven.liveobjects.feeds.source.formats.decoded import Decode, FieldError, Row
from liven.liveobjects.feeds.source.formats.format_table import Cells
from liven.liveobjects.feeds.source.formats.table_lines import Heading
from liven.runtime.errors import CallFailedError

_SIGNED: Final = "-sig"


class Lines(Protocol):
    """Makes rows of the lines of one file after another."""

    def began(self, head: str | None) -> None:
        """Begin with another file; `head` is its first line if reading begins after it."""

    def rows(self, number: int, line: str) -> list[Row]:
        """Return the rows of a line; raise FieldError."""


@dataclass(slots=True)
class Found:
    """The next rows."""

    rows: list[Row] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    """Number and reason of each line that was refused."""
    mark: Mark | None = None
    more: bool = False
    missing: bool = False


class TailReader:
    """Follows one file."""

    def __init__(
        self, path: Path, lines: Lines, encoding: str, remembered: Remembered, *, at_end: bool
    ) -> None:
        self._path = path
        self._lines = lines
        self._encoding = encoding
        self._remembered = remembered
        self._at_end = at_end
        self._follower: LineFollower | None = None
        self._headed = False
        self._busy = threading.Lock()
        self._closed = False

    def read(self, most: int, done: Mark | None) -> Found:
        """Return the rows of up to `most` lines; raise OSError. `done` is the position up to which rows have
        been given: it is remembered."""
        with self._busy:
            found = Found() if self._closed else self._read(most, done)
        if self._closed:
            self.close(done)
        return found

    def _read(self, most: int, done: Mark | None) -> Found:
        if self._follower is None:
            mark = _mark_of(self._remembered.read(), self._path)
            self._follower = LineFollower(self._path, mark, at_end=self._at_end)
        if done is not None:
            self._remembered.write(_written(done, self._path))
        batch = self._follower.read(most)
        if batch.fresh or not self._headed:
            try:
                self._begin(batch)
            except FieldError as error:
                batch.faults.append((1, str(error)))
        found = Found([], batch.faults, batch.mark, batch.more, batch.missing)
        for number, data in batch.lines:
            self._decode(number, data, found)
        return found

    def close(self, done: Mark | None) -> None:
        """Remember the position, and close the file; raise OSError. A read that is under way in another
        thread does it at its end."""
        self._closed = True
        if not self._busy.acquire(blocking=False):
            return
        try:
            if self._follower is not None:
                self._follower.close()
                self._follower = None
                if done is not None:
                    self._remembered.write(_written(done, self._path), now=True)
        finally:
            self._busy.release()

    def _begin(self, batch: Batch) -> None:
        """Tell the heading of the file if reading begins after it."""
        assert self._follower is not None
        first = batch.lines[0][0] if batch.lines else (batch.mark.line + 1 if batch.mark is not None else 1)
        head = self._follower.head() if first > 1 else None
        self._headed = True
        self._lines.began(None if head is None else head.decode(self._encoding, "replace"))

    def _decode(self, number: int, data: bytes, found: Found) -> None:
        encoding = self._encoding + _SIGNED if number == 1 and self._encoding == "utf-8" else self._encoding
        try:
            line = data.decode(encoding)
            if line.strip():
                found.rows += self._lines.rows(number, line)
        except UnicodeDecodeError as error:
            wrong = data[error.start : error.start + 1].hex()
            reason = f"byte {error.start + 1} (0x{wrong}) is not text in {self._encoding}"
            found.faults.append((number, reason))
        except FieldError as error:
            found.faults.append((number, str(error)))


class TableLines:
    """The lines of a CSV. The first line of each file is its heading, unless the columns are given."""

    def __init__(self, cells: Cells, columns: str) -> None:
        """Raise FieldError for columns that are none."""
        self._cells = cells
        self._given = Heading(columns) if columns else None
        self._heading = self._given

    def began(self, head: str | None) -> None:
        """Read the heading."""
        self._heading = self._given
        if head is not None and self._given is None:
            self._heading = Heading(head)

    def rows(self, number: int, line: str) -> list[Row]:
        """Return the row of a line; none for the heading."""
        if number == 1 and self._given is None:
            self._heading = Heading(line)
            return []
        if self._heading is None:
            raise FieldError("the file has no heading; give its columns in the recipe")
        return [self._cells(self._heading.cells(line))]


class DocumentLines:
    """Lines that are documents of their own, such as JSON."""

    def __init__(self, decode: Decode) -> None:
        self._decode = decode

    def began(self, head: str | None) -> None:
        """Ignore the heading: there is none."""

    def rows(self, number: int, line: str) -> list[Row]:  # noqa: ARG002
        """Return the rows of a line; raise FieldError if none of it can be used."""
        found = self._decode(line.encode("utf-8", "surrogatepass"))
        if found.faults and not found.rows:
            more = f"; and {found.refused - 1:,} more in this line" if found.refused > 1 else ""
            raise FieldError(f"{found.faults[0]}{more}".removeprefix("row 1: "))
        return found.rows


def checked_encoding(name: str) -> str:
    """Return an encoding in which a line ends with one byte; raise CallFailedError for others."""
    try:
        if "\na".encode(name) == b"\na":
            return "utf-8" if name.lower().replace("_", "-") in ("utf-8", "utf8") else name
    except (LookupError, UnicodeError, TypeError, ValueError):
        raise CallFailedError(f"there is no encoding called {name[:60]!r}; most files are in utf-8") from None
    raise CallFailedError(f"lines in {name[:60]} cannot be told apart; convert the file to utf-8")


def _written(mark: Mark, path: Path) -> dict[str, Any]:
    return {
        "path": str(path),
        "device": mark.device,
        "inode": mark.inode,
        "offset": mark.offset,
        "line": mark.line,
        "proof": mark.proof.hex(),
    }


def _mark_of(value: Any, path: Path) -> Mark | None:
    """Return a remembered position; None if it is damaged, or of another path."""
    try:
        if value["path"] != str(path):
            return None
        device, inode, offset, line = numbers = [value[one] for one in ("device", "inode", "offset", "line")]
        proof = bytes.fromhex(value["proof"])
    except (TypeError, KeyError, ValueError):
        return None
    whole = all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one < 2**63 for one in numbers)
    return Mark(device, inode, offset, line, proof) if whole else None
