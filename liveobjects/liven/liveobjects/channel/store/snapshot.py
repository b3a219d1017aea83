"""Snapshots of logs that running programs write to: each is what a crash at one moment would have left.

A log is appended at its end and compacted at its beginning. Its files get a second name each, so that nothing
disappears from under the snapshot, and only the last one, which grows, is copied. A snapshot counts when its
records and the large payloads that they name are all there.

One program may adopt a channel from the log of another that ended, while the logs are taken one by one. So
all are taken again until no log lost a channel since the time before.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.store.segments import segment_files
from liven.liveobjects.channel.store.shared_log import SharedLog

ASIDE: Final = "aside"
_TRIES: Final = 20
_PAUSE: Final = 0.05


class SnapshotError(OSError):
    """The logs changed too often to be taken as a whole."""


def take_logs(root: Path, staging: Path) -> None:
    """Take the logs in the numbered folders below `root` into `staging`, which must be on the same disk to be
    fast. Raises SnapshotError."""
    before = _take_all(root, staging)
    for _ in range(_TRIES):
        now = _take_all(root, staging)
        if before <= now:
            return
        before = now
    raise SnapshotError("programs move channels between their logs all the time; try again later")


def log_folders(root: Path) -> list[Path]:
    """Return the folders of logs below a root, by number."""
    found = [each for each in root.iterdir() if each.name.isdigit()] if root.is_dir() else []
    return sorted((each for each in found if each.is_dir()), key=lambda each: int(each.name))


def _take_all(root: Path, staging: Path) -> set[tuple[str, bytes]]:
    """Take each log once, and return the channels in each."""
    shutil.rmtree(staging, ignore_errors=True)
    return {(each.name, key) for each in log_folders(root) for key in _take(each, staging / each.name)}


def _take(folder: Path, target: Path) -> list[bytes]:
    """Take one log, and return its channels."""
    for _ in range(_TRIES):
        target.mkdir(parents=True, mode=0o700)
        if _copy(folder, target):
            log = SharedLog(target, reading=True)
            log.close()
            if log.has_payloads:
                return [key for key, index in log.channels.items() if index.name is not None]
        shutil.rmtree(target)
        time.sleep(_PAUSE)
    raise SnapshotError(f"the log in {folder} changes too fast to be copied; try again later")


def _copy(folder: Path, target: Path) -> bool:
    """Give each file of a log a second name. Return False if one disappeared meanwhile."""
    try:
        names = [name for name, _ in segment_files(folder)]
        for name in names:
            _link(folder / name, target / name)
        if names:
            _own_copy(target / names[-1])
        with suppress(FileNotFoundError):
            (target / ASIDE).mkdir()
            for path in _payloads(folder / ASIDE):
                with suppress(FileNotFoundError):  # replaced by a newer one, which the check finds missing
                    _link(path, target / ASIDE / path.name)
    except FileNotFoundError:
        return False
    return True


def _payloads(folder: Path) -> Iterator[Path]:
    return (each for each in folder.iterdir() if not each.name.startswith(".") and each.is_file())


def _link(path: Path, target: Path) -> None:
    try:
        os.link(path, target, follow_symlinks=False)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without second names
        shutil.copyfile(path, target)


def _own_copy(path: Path) -> None:
    """Replace a second name by a copy, because the file still grows."""
    copy = path.with_suffix(".copy")
    shutil.copyfile(path, copy)
    copy.replace(path)
