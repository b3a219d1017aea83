"""Side logs: each process of a campaign writes down what it did and saw, for the judge.

A row is one line of JSON, written by one call and appended by the kernel, so it survives the end of the
process in whatever way. The files are outside the folder whose disk is faulty, so no power cut touches them.
Times are of the steady clock, which all processes of the machine share.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class SideLog:
    """The side log of one process, for writing."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def write(self, kind: str, **facts: object) -> None:
        """Append a row."""
        row = {"kind": kind, "t": round(time.monotonic(), 4), **facts}
        os.write(self._file, json.dumps(row, separators=(",", ":")).encode() + b"\n")


def rows(path: Path) -> Iterator[Row]:
    """Read a side log. A last line without an end is left out: its process was killed while writing."""
    for line in path.read_bytes().splitlines(keepends=True):
        if line.endswith(b"\n"):
            yield json.loads(line)


class Reader:
    """A side log that is being written, read from where the last reading ended."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def fresh(self) -> list[Row]:
        """Return the rows since the last call."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return []
        whole = data[: data.rfind(b"\n") + 1]
        self._offset += len(whole)
        return [json.loads(line) for line in whole.splitlines()]
