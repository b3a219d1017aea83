"""Ending what a campaign started, also after it was killed itself.

Every process of a campaign has `CHAOS_CAMPAIGN` in its environment, which its own children inherit, such as
a membership service in the background. A guardian waits until the campaign's end of a pipe is closed, and
then ends them and removes the network namespaces.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

VARIABLE: Final = "CHAOS_CAMPAIGN"
_END_WITHIN: Final = 5.0


def processes_of(token: str) -> list[int]:
    """Return the processes of a campaign."""
    wanted, found = f"{VARIABLE}={token}".encode(), []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit() and wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return [pid for pid in found if pid != os.getpid()]


def end_processes(token: str) -> None:
    """Kill the processes of a campaign, and wait until they have ended."""
    limit = time.monotonic() + _END_WITHIN
    while (left := processes_of(token)) and time.monotonic() < limit:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def remove_namespaces(owner: int) -> None:
    """Remove the network namespaces that a process made (`network_namespaces.Segment` names them)."""
    if shutil.which("ip") is None:
        return
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False).stdout
    for line in listed.splitlines():
        name = line.split(" ")[0]
        if re.fullmatch(rf"lv{owner}(sw|h\d+)", name):
            subprocess.run(["ip", "netns", "del", name], check=False)


def start_guardian(token: str) -> subprocess.Popen[bytes]:
    """Start the guardian of this process."""
    command = [sys.executable, "-S", str(Path(__file__)), token, str(os.getpid())]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)


def _guard(token: str, owner: int) -> None:
    sys.stdin.read()
    end_processes(token)
    remove_namespaces(owner)


if __name__ == "__main__":
    _guard(sys.argv[1], int(sys.argv[2]))
