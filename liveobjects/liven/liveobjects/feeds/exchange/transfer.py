"""Exporting a log to a file, and importing a file as a log: whole or not at all, with bounded memory."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from liven.liveobjects.feeds.description import (
    FeedDescription,
    TypeEntry,
    read_description,
    write_description,
)
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.exchange.formats import Format, Source, opened_source, write_format
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.filter import RecordFilter
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.log_lock import is_locked
from liven.liveobjects.feeds.segment.reader import Log, OnDamage
from liven.liveobjects.feeds.segment.recovery import DRAFT
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.files import document_mode

Progress = Callable[[int, int], None]


class ExistingRecorderError(FeedError):
    """There is a recording of this name already."""


def chosen_blocks(
    log: Log,
    low: int | None,
    high: int | None,
    wanted: RecordFilter,
    on_damage: OnDamage | None = None,
    progress: Progress | None = None,
) -> Iterator[Block]:
    """Return the wanted records of a log; runs of neighbours are a block each."""
    first = log.begin if low is None else low
    end = log.end if high is None else min(high, log.end)
    for block in log.blocks(low, high, on_damage):
        if wanted.is_open:
            yield block
        else:
            yield from _runs(block, wanted.rows(block))
        if progress is not None:
            progress(block.end - first, end - first)


def export(kind: Format, blocks: Iterable[Block], path: Path, description: FeedDescription) -> None:
    """Write records to a file that is there whole or not at all; raise OSError or FeedError."""
    with _draft_file(path) as out:
        write_format(kind, blocks, out, description)


def import_file(
    kind: Format,
    path: Path,
    feed: FeedFolder,
    recorder: str,
    *,
    append: bool = False,
    progress: Progress | None = None,
) -> int:
    """Read a file as a recording of a feed; return how many records it has.

    A new recorder is there whole or not at all. With `append`, records go to the end of an existing one;
    after an error those before the bad place stay. Raises OSError or FeedError.
    """
    place = feed.recorder(recorder)
    if place.exists() and not append:
        raise ExistingRecorderError(
            f"{feed.name}/{recorder} exists already; choose another name by --as, or add to it with --append"
        )
    with opened_source(kind, path) as source:
        if place.exists():
            count = _read_into(place, source, progress)
            _add_types(feed.path, source.types)
            return count
        feed.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        _remove_drafts(feed.path)
        draft = feed.path / f"{DRAFT}{secrets.token_hex(8)}"
        try:
            count = _read_into(draft, source, progress)
            _add_types(feed.path, source.types)
            draft.rename(place)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return count


def _remove_drafts(feed: Path) -> None:
    """Delete what imports left that were killed. One that runs holds the lock of its draft."""
    for draft in feed.glob(f"{DRAFT}*"):
        if draft.is_dir() and not is_locked(draft):
            shutil.rmtree(draft, ignore_errors=True)


def _read_into(folder: Path, source: Source, progress: Progress | None) -> int:
    with LogWriter(folder) as writer:
        begin = writer.end
        for batch, done in source.batches:
            if isinstance(batch, Block):
                writer.extend_block(batch)
            else:
                writer.extend(batch)
            if progress is not None:
                progress(min(done, source.whole), source.whole)
        return writer.end - begin


def _add_types(feed: Path, types: dict[str, TypeEntry]) -> None:
    """Add types to the description of a feed; those it has already stay."""
    if types:
        description = read_description(feed)
        if not types.keys() <= description.types.keys():
            write_description(feed, replace(description, types={**types, **description.types}))


def _runs(block: Block, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Iterator[Block]:
    """Return the rows at these places, neighbours together."""
    if len(rows):
        for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
            yield block.slice(int(run[0]), int(run[-1]) + 1)


@contextmanager
def _draft_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside its place, and move it there if nothing fails."""
    draft = path.with_name(f"{DRAFT}{secrets.token_hex(8)}")
    fd = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, document_mode())
    try:
        with os.fdopen(fd, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
