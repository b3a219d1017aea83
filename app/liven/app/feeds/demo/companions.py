"""The processes of the demo of feeds: `liven` commands that run to their end, or beside the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from liven.app.demo.headless import DemoError
from liven.app.feeds.demo.output_watch import OutputWatch

_QUIET = 240.0
"""Seconds without a new word after which a command hangs. A step of Spark's start takes some five on a quiet
computer, and minutes on one that is busy with other things."""
_END_WITHIN = 20.0
_LOOK_AGAIN = 0.1


class Commands:
    """`liven` commands with a home of their own."""

    def __init__(self, home: Path) -> None:
        self._environment: Mapping[str, str] = {**os.environ, "LIVEN_HOME": str(home)}

    def start(
        self,
        *words: str,
        output: IO[bytes] | int = subprocess.DEVNULL,
        errors: IO[bytes] | int = subprocess.STDOUT,
    ) -> subprocess.Popen[bytes]:
        """Start a command beside the others."""
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "liven.app.main", *words],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,  # Ctrl+C reaches the demo alone, which ends them in order
        )

    def answer(
        self,
        *words: str,
        waiting: Callable[[str], object] = lambda _: None,
        beside: IO[bytes] | None = None,
    ) -> str:
        """Run a command to its end and return what it printed, without its progress; raise DemoError.

        `waiting` is called with the last line about its progress. It hangs if there was no new line for long,
        neither of its own nor in the file `beside`, of a process that works for it.
        """
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            command = self.start(*words, output=output, errors=errors)
            watch = OutputWatch(*(each for each in (output, errors, beside) if each is not None))
            try:
                while command.poll() is None:
                    if watch.quiet_seconds() > _QUIET:
                        raise DemoError(_hang(words, watch.line))
                    waiting(watch.line)
                    time.sleep(_LOOK_AGAIN)
            finally:
                end(command)
            text, said = _text(output), _text(errors)
        if command.returncode:
            why = said or text or f"exit code {command.returncode}"
            raise DemoError(f"liven {' '.join(words)} failed: {why}")
        return text


def _hang(words: tuple[str, ...], line: str) -> str:
    last = f"; the last was: {line}" if line else ""
    return f"liven {' '.join(words)} has said nothing new for {_QUIET:.0f} s{last}"


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace").strip()


def end(command: subprocess.Popen[bytes], *, at_once: bool = True) -> None:
    """End a command in order, or kill it if it does not end; wait for its own end if not `at_once`."""
    if command.poll() is not None:
        return
    if at_once:
        command.send_signal(signal.SIGTERM)
    try:
        command.wait(_END_WITHIN)
    except subprocess.TimeoutExpired:
        os.killpg(command.pid, signal.SIGKILL)
        command.wait()
