"""A measurement that runs: what interrupts us goes to it alone, in order, and what it leaves behind ends."""

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


def measured(script: Path, rest: Sequence[str]) -> tuple[int, bool]:
    """Its exit code, and whether it was interrupted. Ctrl-C in a terminal reaches all of a group; the script
    has one of its own, so that it can end its programs itself. A second Ctrl-C ends all of them at once."""
    command = [sys.executable, "-m", "liven.app.bench.script", str(script), *rest]
    child = subprocess.Popen(command, process_group=0)
    told: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        if len(told) == 1:
            child.send_signal(signal.SIGINT)
        else:
            _end_group(child.pid)

    heard = [number for number in _HEARD if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, hear) for number in heard}
    try:
        code = child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if told:
        _end_group(child.pid)
        return 128 + told[0], True
    return code, False


def _end_group(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it has ended
        os.killpg(group, signal.SIGKILL)
