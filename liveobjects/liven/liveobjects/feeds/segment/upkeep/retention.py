"""Deleting old records: whole files from the oldest on, never the last one.

Ages are those of `received`. A file that holds one record from a clock that was far ahead stays until the
limit of size takes it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from liven.liveobjects.feeds.segment import large_payloads
from liven.liveobjects.feeds.segment.file_index import FileIndex, load_index
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.runtime.files import sync_folder

MayGo = Callable[[FileIndex], bool]


def retain(
    folder: Path,
    log: int,
    *,
    most_bytes: int | None,
    oldest: int | None,
    may_go: MayGo = lambda _: True,
) -> int:
    """Delete files until the log has at most `most_bytes`, and those that end before the time `oldest`, up to
    the first that may not go yet; return how many. The caller is the writer or holds its lock. Raises
    OSError."""
    files = segment_files(folder)
    aside = large_payloads.sizes(folder)
    total = sum(file.path.stat().st_size for file in files) + sum(size for _, size in aside)
    deleted = 0
    for file, following in pairwise(files):
        index = load_index(file, log)
        latest = index.latest
        too_old = oldest is not None and (latest is None or latest < oldest)
        too_large = most_bytes is not None and total > most_bytes
        if not (too_old or too_large) or not may_go(index):
            break
        total -= file.path.stat().st_size
        total -= sum(size for sequence, size in aside if file.first <= sequence < following.first)
        file.path.unlink()
        large_payloads.remove_before(folder, following.first)
        deleted += 1
    if deleted:
        sync_folder(folder)
    return deleted
