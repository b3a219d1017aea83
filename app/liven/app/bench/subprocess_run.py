"""Running a measurement in a subprocess: it receives Ctrl-C alone, and leaves no processes behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType

_HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_measurement(script: Path, rest: Sequence[str]) -> tuple[int, bool]:
    """Run a script; return its exit code and a flag that tells if it was interrupted.

    Ctrl-C in a terminal reaches a whole process group. The script has its own group, so that it can end its
    programs in order. A second Ctrl-C ends all of them at once.
    """
    command = [sys.executable, "-m", "liven.app.bench.script", str(script), *rest]
    told: list[int] = []
    passed: list[int] = []
    begun: list[subprocess.Popen[bytes]] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        if len(told) > 1 and begun:
            _end_group(begun[0].pid)
        pass_on()

    def pass_on() -> None:
        """Send the first Ctrl-C to the script as soon as it runs."""
        if told and begun and not passed:
            passed.append(told[0])
            begun[0].send_signal(signal.SIGINT)

    heard = [number for number in _HEARD if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, hear) for number in heard}
    try:
        child = subprocess.Popen(command, process_group=0)
        begun.append(child)
        pass_on()
        code = child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if told:
        _end_group(child.pid)
        return 128 + told[0], True
    return code, False


def _end_group(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it has ended already
        os.killpg(group, signal.SIGKILL)
