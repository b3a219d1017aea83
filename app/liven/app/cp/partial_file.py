"""A file being received: its parts, the missing ranges, and how an interrupted transfer resumes.

Parts are written to `.NAME.part`, with a note beside it of the file's digest and the missing ranges. A file
gets its name only when its digest is right.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from liven.app.cp.byte_ranges import ByteRanges
from liven.app.cp.messages import Offered
from liven.runtime.files import PRIVATE, document_mode
from liven.runtime.os_error_text import explain_os_error

_BLOCK = 1 << 20


def digest_of(path: Path) -> bytes:
    """Return the digest of a file's contents."""
    digest = hashlib.blake2b(digest_size=32)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.digest()


class PartialFile:
    """One offered file on the receiver's side."""

    def __init__(self, folder: Path, offered: Offered, *, replace: bool) -> None:
        self.offered = offered
        self.problem = ""
        self.done = False
        self.resumed = 0
        self._path = folder / offered.name
        self._part = folder / f".{offered.name}.part"
        self._notes = folder / f".{offered.name}.part.json"
        self._gaps = ByteRanges([(0, offered.size)])
        self._descriptor: int | None = None
        self._begin(replace)

    def missing(self) -> ByteRanges:
        """The ranges still missing."""
        return ByteRanges() if self.done or self.problem else self._gaps

    def write(self, offset: int, content: bytes) -> None:
        """Write a part, except the ranges that are already there."""
        end = offset + len(content)
        if self._descriptor is None or end > self.offered.size:
            return
        try:
            os.pwrite(self._descriptor, content, offset)
        except OSError as error:
            self._give_up(explain_os_error(error, self._part))
            return
        self._gaps.remove(offset, end)
        if not self._gaps:
            self._finish()

    def close(self) -> None:
        """Save the missing ranges, so that a later transfer can resume."""
        if self._descriptor is None:
            return
        os.close(self._descriptor)
        self._descriptor = None
        if not self.done:
            self._note_missing()

    def _note_missing(self) -> None:
        """Save the missing ranges; if the disk is full, remove the note, so that a later transfer starts
        afresh."""
        notes = {"digest": self.offered.digest.hex(), "missing": self._gaps.ranges()}
        try:
            self._notes.write_text(json.dumps(notes), encoding="utf-8")
        except OSError:
            with suppress(OSError):
                self._notes.unlink(missing_ok=True)

    def _begin(self, replace: bool) -> None:
        try:
            if self._path.exists() and not replace:
                self._compare()
                return
            self._resume()
            self._descriptor = os.open(
                self._part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE
            )
            os.ftruncate(self._descriptor, self.offered.size)
        except OSError as error:
            self._give_up(explain_os_error(error, self._part))
            return
        if not self._gaps:
            self._finish()

    def _compare(self) -> None:
        """Compare with an existing file of that name: the same content is complete, another one is left
        alone."""
        same = self._path.is_file() and self._path.stat().st_size == self.offered.size
        if same and digest_of(self._path) == self.offered.digest:
            self.done = True
        else:
            self.problem = f"{self._path} exists with other contents; --replace overwrites it"

    def _resume(self) -> None:
        try:
            notes = json.loads(self._notes.read_text(encoding="utf-8"))
            missing = ByteRanges((int(first), int(end)) for first, end in notes["missing"])
            same = bytes.fromhex(notes["digest"]) == self.offered.digest
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return
        if same and self._part.exists():
            self._gaps = missing
            self.resumed = self.offered.size - missing.size()

    def _finish(self) -> None:
        if digest_of(self._part) != self.offered.digest:
            # The parts of an earlier transfer do not match their note: start afresh.
            self._gaps = ByteRanges([(0, self.offered.size)])
            self._notes.unlink(missing_ok=True)
            return
        with suppress(PermissionError):  # some file systems, such as FAT, have no permissions
            self._part.chmod(document_mode())
        self._part.replace(self._path)
        self._notes.unlink(missing_ok=True)
        self.done = True
        self.close()

    def _give_up(self, problem: str) -> None:
        self.problem = problem
        self.close()
