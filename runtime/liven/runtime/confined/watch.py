"""Watching a confined process: whether it answers, and what it takes of the machine."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.runtime.dispatcher.dispatcher import Dispatcher, Entry
from liven.runtime.files import readable_size
from liven.runtime.sandbox.limits import Limits

EVERY: Final = 1.0
SILENT_AFTER: Final = 3.0
"""The seconds without an answer after which the view says so."""
ENDED_AFTER: Final = 15.0
"""The seconds without an answer after which the process is ended."""
BUSY_FOR: Final = 30.0
"""The seconds for which it may keep a processor busy without a pause."""
_BUSY: Final = 0.9
_MOST_FILES: Final = 1000
_LOOKS_A_FOLDER: Final = 5
"""Its files are counted at every fifth look: that may take milliseconds."""
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Watched:
    """The parts of a process that the watch needs."""

    pid: int
    folder: Path
    limits: Limits
    ping: Callable[[int], object]
    silent: Callable[[bool], object]
    """Called when it stops answering, and when it answers again."""
    end: Callable[[str], object]
    """Ends it, for a reason."""


class Watch:
    """Asks the process every second for a sign of life, and reads what it takes."""

    def __init__(self, dispatcher: Dispatcher, watched: Watched) -> None:
        self._dispatcher = dispatcher
        self._watched = watched
        self._number = 0
        self._answered = 0
        self._asked_at = dispatcher.now()
        self._silent = False
        self._used = 0.0
        self._looks = 0
        self._busy_since: float | None = None
        self._at = dispatcher.now()
        self._timer: Entry | None = dispatcher.call_later(EVERY, self._look)

    @property
    def is_silent(self) -> bool:
        """True while a sign of life is overdue."""
        return self._silent

    def pong(self, number: object) -> None:
        """Take the answer to a ping."""
        if number == self._number:
            self._answered = self._number
            self._tell(False)

    def close(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def ask(self) -> None:
        """Ask for a sign of life, unless one is awaited."""
        if self._answered == self._number:
            self._number += 1
            self._asked_at = self._dispatcher.now()
            self._watched.ping(self._number)

    def _tell(self, silent: bool) -> None:
        if silent != self._silent:
            self._silent = silent
            self._watched.silent(silent)

    def _look(self) -> None:
        self._timer = self._dispatcher.call_later(EVERY, self._look)
        now = self._dispatcher.now()
        late, self._at = now - self._at > 3 * EVERY, now
        if late:  # this program itself stood still: give the process its time again
            self._asked_at = now
        waited = now - self._asked_at if self._answered != self._number else 0.0
        self._tell(waited >= SILENT_AFTER)
        reason = self._greed(now)
        if not reason and waited >= ENDED_AFTER:
            reason = f"it did not answer for {ENDED_AFTER:g} seconds"
        if reason:
            self._watched.end(reason)
            return
        self.ask()

    def _greed(self, now: float) -> str:
        """Return what it takes too much of; empty if nothing."""
        limits = self._watched.limits
        try:
            fields = Path(f"/proc/{self._watched.pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            return ""  # it has just ended
        used, resident = (int(fields[11]) + int(fields[12])) / _TICKS, int(fields[21]) * _PAGE
        if resident > limits.resident:
            return (
                f"it used {readable_size(resident)} of memory; the limit is {readable_size(limits.resident)}"
            )
        threads = int(fields[17])
        if threads > limits.threads:
            return f"it started {threads:,} threads; the limit is {limits.threads:,}"
        busy = used - self._used > _BUSY * EVERY
        self._used = used
        if not busy:
            self._busy_since = None
        elif self._busy_since is None:
            self._busy_since = now
        elif now - self._busy_since > BUSY_FOR:
            return f"it kept a processor busy for {BUSY_FOR:g} seconds"
        self._looks += 1
        return self._hoard() if self._looks % _LOOKS_A_FOLDER == 0 else ""

    def _hoard(self) -> str:
        """Return what it stores too much of. It may delete files and hold them open, so those count, too."""
        limits = self._watched.limits
        size = count = 0
        try:
            with os.scandir(self._watched.folder) as files:
                for file in files:
                    count += 1
                    with suppress(FileNotFoundError):  # it was deleted just now
                        size += file.stat(follow_symlinks=False).st_size
                    if count > _MOST_FILES:
                        return f"it wrote more than {_MOST_FILES:,} files"
            size += self._held()
        except FileNotFoundError:
            return ""  # it has ended
        except PermissionError as error:
            return f"it hides what it does: {error.strerror}"
        if size > limits.folder_size:
            return f"it stored {readable_size(size)}; the limit is {readable_size(limits.folder_size)}"
        return ""

    def _held(self) -> int:
        """Return the bytes of the files and pictures that it holds open, without those in its folder."""
        found: dict[tuple[int, int], int] = {}
        for file in Path(f"/proc/{self._watched.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # it was closed just now
                status = file.stat()
                if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                    found[status.st_dev, status.st_ino] = status.st_blocks * 512
        return sum(found.values())
