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

_PATIENCE = 240.0
"""Seconds after which a command hangs: the first start of Spark takes some ten on a quiet computer."""
_END_WITHIN = 20.0
_LOOK_AGAIN = 0.1


class Commands:
    """`liven` commands with a home of their own."""

    def __init__(self, home: Path) -> None:
        self._environment: Mapping[str, str] = {**os.environ, "LIVEN_HOME": str(home)}

    def start(self, *words: str, output: IO[bytes] | int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """Start a command beside the others. Both outputs go to `output`."""
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "liven.app.main", *words],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl+C reaches the demo alone, which ends them in order
        )

    def answer(self, *words: str, waiting: Callable[[float], object] = lambda _: None) -> str:
        """Run a command to its end and return what it printed; raise DemoError.

        `waiting` is called with the seconds that it has taken so far.
        """
        with tempfile.TemporaryFile() as output:
            command = self.start(*words, output=output)
            began = time.monotonic()
            try:
                while command.poll() is None:
                    seconds = time.monotonic() - began
                    if seconds > _PATIENCE:
                        raise DemoError(f"liven {' '.join(words)} did not end within {_PATIENCE:.0f} s")
                    waiting(seconds)
                    time.sleep(_LOOK_AGAIN)
            finally:
                end(command)
            output.seek(0)
            text = output.read().decode(errors="replace").strip()
        if command.returncode:
            raise DemoError(f"liven {' '.join(words)} failed: {text or f'exit code {command.returncode}'}")
        return text


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
