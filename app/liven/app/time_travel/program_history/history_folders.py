"""The folders of histories: one for each object, named by its channel."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import FeedError

RECORDER: Final = "history"
"""The folder of the log in that of a history."""
_NAME: Final = 32


def history_folder(root: Path, channel: str) -> Path:
    """Return the folder of the history of the object on a channel."""
    return root / sha256(channel.encode()).hexdigest()[:_NAME]


def history_end(folder: Path) -> int:
    """Return the sequence after the last record of a history; 0 if there is none, or it cannot be read."""
    from liven.liveobjects.feeds.segment.reader import Log  # loads numpy

    with suppress(OSError, FeedError):
        return Log(folder / RECORDER).end if (folder / RECORDER).is_dir() else 0
    return 0


def forget_oldest(root: Path, seconds: float, clock: Callable[[], float] = time.time) -> None:
    """Delete the histories in which nothing was written for so long. Errors are passed over: the next start
    tries it again."""
    oldest = clock() - seconds
    with suppress(OSError):
        for folder in [each for each in root.iterdir() if each.is_dir() and not each.is_symlink()]:
            if max(_times(folder), default=oldest) < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def _times(folder: Path) -> Iterator[float]:
    """Yield the times at which the files in a folder were written."""
    for each in folder.rglob("*"):
        with suppress(OSError):
            if each.is_file():
                yield each.stat().st_mtime
