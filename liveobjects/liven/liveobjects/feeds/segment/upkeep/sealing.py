"""Sealing the files that are no longer written: small blocks become large ones, small files join, an index
is added.

A file is replaced in one step, so readers find the old one or the new one, and no record gets another
number. Files join their predecessor as long as that is no more than twice as large: each record is
rewritten a few times in all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import cast

from liven.liveobjects.feeds.segment.block import BadBodyError, Block
from liven.liveobjects.feeds.segment.block_format import HOLE, Head
from liven.liveobjects.feeds.segment.block_merge import merged_blocks
from liven.liveobjects.feeds.segment.file_index import FileIndex, StaleIndexError, load_index, read_block
from liven.liveobjects.feeds.segment.segment_files import SegmentFile, opened, segment_files
from liven.liveobjects.feeds.segment.upkeep.segment_draft import SegmentDraft

_GROWTH = 2
"""A file joins its predecessor if that is at most so many times as large."""


def seal(folder: Path, log: int, before: int, most_bytes: int) -> int:
    """Seal the files whose records are all before `before`; return how many files were written.

    The caller is the writer or holds its lock. Damaged files stay as they are. Raises OSError and leaves
    every file whole.
    """
    written = 0
    done: list[FileIndex] = []
    for file, stop in _closed(folder, before):
        index = load_index(file, log)
        if index.damages or index.tail is not None or index.end != stop:
            done.clear()
            continue
        if not index.is_sealed:
            rewritten = _rewrite([index], folder, log)
            if rewritten is None:
                done.clear()
                continue
            index, written = rewritten, written + 1
        while done and done[-1].size <= _GROWTH * index.size and done[-1].size + index.size <= most_bytes:
            joined = _rewrite([done[-1], index], folder, log)
            if joined is None:
                break
            done.pop()
            index, written = joined, written + 1
        done.append(index)
    return written


def _closed(folder: Path, before: int) -> Iterator[tuple[SegmentFile, int]]:
    """Return the files that are no longer written, each with the first sequence of the next."""
    for file, following in pairwise(segment_files(folder)):
        if following.first <= before:
            yield file, following.first


def _rewrite(sources: Sequence[FileIndex], folder: Path, log: int) -> FileIndex | None:
    """Write the records of consecutive files as one, in place of the first, and delete the others; None if a
    block cannot be read."""
    first = sources[0].file
    draft = SegmentDraft(folder, log, first.first)
    try:
        for is_hole, run in groupby(_items(sources), key=lambda item: isinstance(item, Head)):
            if is_hole:
                for head in cast(Iterator[Head], run):
                    draft.add_hole(head.first, head.end)
            else:
                for block in merged_blocks(cast(Iterator[Block], run)):
                    draft.add(block)
        draft.put(first.path, sealed=True)
    except (BadBodyError, StaleIndexError):
        return None
    finally:
        draft.drop()
    for other in sources[1:]:
        other.file.path.unlink()
    return load_index(first, log)


def _items(sources: Sequence[FileIndex]) -> Iterator[Block | Head]:
    """Return the blocks of files in order, and the heads of the holes among them."""
    for index in sources:
        with opened(index.file.path) as fd:
            for placed in index.blocks:
                yield placed.head if placed.head.kind == HOLE else read_block(fd, placed)
