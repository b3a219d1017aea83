"""The operations in the branches that programs keep on their disks.

Where everybody had left and some came back without the others, both may confirm changes. When they meet, one
history wins, and the other is a branch until a person decides: nothing in it is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.branches.listing import listed_branches
from liven.liveobjects.channel.store.other_processes import OtherProcess
from liven.liveobjects.channel.store.shared_log import SharedLog

NAME: Final = re.compile(rb"m\d+\.\d+\.\d+(?= )")
"""The name of an operation, in its text."""


def branched_operations(data_folders: Iterable[Path]) -> set[str]:
    """Return the names of the operations in all branches below these data folders. No program runs."""
    found: set[str] = set()
    for root in (folder / "channels" for folder in data_folders):
        names = {each.name for each in listed_branches(root) if not each.trouble}
        for folder in root.iterdir() if names else ():
            if folder.name.isdigit():
                found |= _operations_in(folder, names)
    return found


def _operations_in(folder: Path, names: set[str]) -> set[str]:
    log = OtherProcess(SharedLog(folder, reading=True), None)
    found: set[str] = set()
    try:
        for name in names:
            kept = log.open(name).kept()
            for data in (kept.checkpoint or b"", *kept.entries):
                found.update(each.decode() for each in NAME.findall(data))
    finally:
        log.close()
    return found
