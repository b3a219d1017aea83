"""The delay of one message to another member, as a multiple of the FIFO group channel's delay.

Three programs run on this machine's sockets and share one clock. The figure is the median at a member that
does not send.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from channel_figures.program import asked, end, start
from figure_report import Figure

MEMBERS = 3
MESSAGES = 60
SETTLES = 4.0
TARGETS = {"the sender orders": 1.3, "another orders": 2.5}


def figures() -> Iterator[Figure]:
    """Yield the delay when the oldest member sends, which orders, and when another one does."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        members = []
        for _ in range(MEMBERS):
            members.append(start("delay_member.py", home))
            assert members[-1].stdout is not None
            members[-1].stdout.readline()
            time.sleep(SETTLES)
        try:
            for sender, (what, target) in enumerate(TARGETS.items()):
                asked(members[2], "report")
                asked(members[sender], f"send {MESSAGES}")
                said = json.loads(asked(members[2], "report"))
                yield Figure(f"group, {what}", said["group"], "µs")
                for kind in ("ordered", "shared"):
                    yield Figure(f"{kind} beside group, {what}", said[kind] / said["group"], "×", target)
        finally:
            end(*members)
