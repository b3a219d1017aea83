"""Shared log: one line of JSON for each record, in a file of bounded size that several processes write.

The programs of a user and the membership service share it. A writer locks a file beside it, and first checks
if another process has rotated the log meanwhile.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from liven.multicast.errors import MulticastError

SIZE_MOST = 5 * 1024 * 1024
_OLDER_KEPT = 3
_PRIVATE = 0o600


class JsonLines(logging.Formatter):
    """Format each record as one object: time, level, process, message, and its facts."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of one record."""
        facts = getattr(record, "facts", {})
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "pid": record.process,
            "logger": record.name,
            "words": record.getMessage(),
            **facts,
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class SharedLog(logging.Handler):
    """Append to a file that other processes append to as well, and rotate it when it is too long."""

    def __init__(self, path: Path, size_most: int = SIZE_MOST) -> None:
        super().__init__()
        self._path = path
        self._size_most = size_most
        self._told = False
        self._file = self._open(path)
        try:
            self._lock = self._open(path.with_name(f".{path.name}.lock"))
        except OSError:
            os.close(self._file)
            raise

    @staticmethod
    def _open(path: Path) -> int:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, _PRIVATE)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        try:
            line = self.format(record).encode() + b"\n"
            with self._locked():
                self._find_again()
                if os.fstat(self._file).st_size + len(line) > self._size_most:
                    self._cut()
                os.write(self._file, line)
            self._told = False
        except (OSError, ValueError) as error:
            self._complain(error)

    def _complain(self, error: Exception) -> None:
        """Report once that the log cannot be written; a program goes on without its log."""
        if not self._told and sys.stderr is not None:
            why = error.strerror if isinstance(error, OSError) else error
            with suppress(OSError, ValueError):  # the terminal may be closed
                sys.stderr.write(f"liven: the log {self._path} cannot be written: {why}; nothing is logged\n")
        self._told = True

    @contextmanager
    def _locked(self) -> Iterator[None]:
        fcntl.lockf(self._lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._lock, fcntl.LOCK_UN)

    def _find_again(self) -> None:
        """Open the file again if another process has rotated it."""
        try:
            there = self._path.stat()
        except FileNotFoundError:
            there = None
        if there is None or not os.path.samestat(there, os.fstat(self._file)):
            self._reopen()

    def _cut(self) -> None:
        """Rotate: the file becomes the newest of the older ones, and the oldest is removed."""
        names = [self._path, *(Path(f"{self._path}.{number}") for number in range(1, _OLDER_KEPT + 1))]
        for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
            if newer.exists():
                newer.replace(older)
        self._reopen()

    def _reopen(self) -> None:
        fresh = self._open(self._path)
        os.close(self._file)
        self._file = fresh

    def close(self) -> None:
        """Close the file."""
        self.acquire()
        try:
            if self._file >= 0:
                os.close(self._file)
                os.close(self._lock)
                self._file = self._lock = -1
        finally:
            self.release()
        super().close()


def write_log(path: Path) -> logging.Handler:
    """Append the multicast log to a file from now on. Raise MulticastError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler = SharedLog(path)
    except OSError as error:
        raise MulticastError(-1, f"the log {path} cannot be written: {error.strerror}") from error
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("liven.multicast")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False  # a terminal shows the messages of a command, not its log
    return handler


def end_log(handler: logging.Handler) -> None:
    """Undo `write_log`."""
    logger = logging.getLogger("liven.multicast")
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)
    logger.propagate = True
    handler.close()
