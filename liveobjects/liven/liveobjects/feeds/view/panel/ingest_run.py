"""The run of `liven feeds ingest` beside this program: its progress, its end, and its cancellation."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QObject, QProcess, Signal

_LONGEST_LINE: Final = 64 * 1024
_MOST_ERRORS: Final = 8 * 1024
_END_WITHIN_MS: Final = 1000
"""Milliseconds that a closing window waits; what is not committed then is ingested by the next run."""


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """The progress of an ingest."""

    what: str
    done: int = 0
    total: int = 0
    """0 if it is not known."""
    seconds_left: float | None = None

    @property
    def sentence(self) -> str:
        """The progress in words."""
        said = self.what
        if self.total:
            said = f"{said}: {self.done:,} of {self.total:,} records"
        if self.seconds_left is not None:
            said = f"{said}, {_time_left(self.seconds_left)} left"
        return said


class IngestRun(QObject):
    """One ingest. `start` it once."""

    progressed = Signal(object)
    """`IngestProgress`."""
    ended = Signal(str)
    """It is over: with the reason of a failure and what to do, or an empty text."""

    def __init__(
        self,
        name: str,
        program: Sequence[str] = (),
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to ingest a feed. `program` is the command before `feeds ingest`."""
        super().__init__(parent)
        liven = program or (sys.executable, "-m", "liven.app.main")
        self._command = [*liven, "feeds", "ingest", name, "--json"]
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.readyReadStandardError.connect(self._read_errors)
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._failed_to_start)
        self._rest = b""
        self._errors = b""
        self._warning = ""
        """The last thing that the person should know about rows that were left out."""
        self._clock = clock
        self._planned = clock()
        self._cancelled = False
        self._over = False

    def start(self) -> None:
        """Start it."""
        self._process.start(self._command[0], self._command[1:])

    def cancel(self) -> None:
        """Ask it to stop; what it has committed stays."""
        self._cancelled = True
        self._interrupt()

    def close(self) -> None:
        """Stop it, and say nothing any more: the window closes."""
        self._over = True
        if self._interrupt() and not self._process.waitForFinished(_END_WITHIN_MS):
            self._process.kill()
            self._process.waitForFinished(_END_WITHIN_MS)

    def _interrupt(self) -> bool:
        """Interrupt it as Ctrl+C does, so that it ends in order. Return False if it does not run."""
        process = self._process.processId()
        if not process or self._process.state() is QProcess.ProcessState.NotRunning:
            return False
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGINT)
        return True

    def _read(self) -> None:
        data = self._rest + bytes(self._process.readAllStandardOutput().data())
        *lines, self._rest = data.split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            self._rest = b""
        for line in lines:
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            event = json.loads(line)
        except ValueError:
            return
        if not isinstance(event, dict) or self._over:
            return
        kind, text = event.get("event"), _text(event, "text")
        if kind == "plan":
            self._planned = self._clock()
            self.progressed.emit(IngestProgress("Ingesting", 0, _number(event, "rows")))
        elif kind == "batch":
            done, total = _number(event, "done"), _number(event, "total")
            self.progressed.emit(IngestProgress("Ingesting", done, total, self._left(done, total)))
        elif kind == "warning":
            self._warning = text
        elif text:
            self.progressed.emit(IngestProgress(text[:1].upper() + text[1:]))

    def _left(self, done: int, total: int) -> float | None:
        """Return the seconds that the rest takes if it goes on like this."""
        if not done or total < done:
            return None
        return (self._clock() - self._planned) * (total - done) / done

    def _read_errors(self) -> None:
        self._errors = (self._errors + bytes(self._process.readAllStandardError().data()))[-_MOST_ERRORS:]

    def _finished(self, code: int) -> None:
        if self._over:
            return
        self._over = True
        if self._cancelled:
            self.ended.emit("Cancelled. What was ingested before stays; ingesting again goes on there.")
        elif code == 0:
            self.ended.emit(self._warning)
        else:
            last = self._errors.decode(errors="replace").strip().splitlines()
            why = last[-1].removeprefix("liven: ") if last else f"it ended with the code {code}"
            self.ended.emit(why)

    def _failed_to_start(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and not self._over:
            self._over = True
            self.ended.emit(f"{self._command[0]} cannot be started: {self._process.errorString()}")


def _text(said: dict[str, Any], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""


def _number(said: dict[str, Any], name: str) -> int:
    value = said.get(name)
    return max(0, value) if isinstance(value, int) and not isinstance(value, bool) else 0


def _time_left(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
