"""The operations in the branches that programs keep on their disks.

Where everybody had left and some came back without the others, both may confirm changes. When they meet, one
history wins, and the other is a branch until a person decides: nothing in it is lost.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.branches.listing import listed_branches
from liven.liveobjects.channel.store.other_processes import OtherProcess
from liven.liveobjects.channel.store.shared_log import SharedLog

NAME: Final = re.compile(rb"m\d+\.\d+\.\d+(?= )")
"""The name of an operation, in its text."""


def branched_operations(data_folders: Iterable[Path]) -> dict[str, set[int]]:
    """Return the names of the operations in all branches below these data folders, each with its places in
    them. No program runs."""
    found: dict[str, set[int]] = defaultdict(set)
    for root in (folder / "channels" for folder in data_folders):
        names = {each.name for each in listed_branches(root) if not each.trouble}
        for folder in root.iterdir() if names else ():
            if folder.name.isdigit():
                for history in _histories_in(folder, names):
                    for place, name in enumerate(history):
                        found[name].add(place)
    return found


def _histories_in(folder: Path, names: set[str]) -> Iterator[list[str]]:
    """Yield the operations of each branch in a log, in their order."""
    log = OtherProcess(SharedLog(folder, reading=True), None)
    try:
        for name in names:
            kept = log.open(name).kept()
            found = [one for data in (kept.checkpoint or b"", *kept.entries) for one in NAME.findall(data)]
            yield [one.decode() for one in dict.fromkeys(found)]
    finally:
        log.close()
