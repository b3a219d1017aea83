"""A file of a log written anew beside its place, and put there when it is on the disk, with its index."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from liven.liveobjects.feeds.segment.block import Block, Buffer, pack_block
from liven.liveobjects.feeds.segment.block_format import HOLE, Head, pack_head, parse_head
from liven.liveobjects.feeds.segment.file_index import pack_index
from liven.liveobjects.feeds.segment.recovery import DRAFT
from liven.liveobjects.feeds.segment.segment_files import Placed, write_at
from liven.runtime.files import PRIVATE, sync_folder

_MOST_HOLE = 1 << 31
"""Numbers of one hole; a longer one is several."""


class SegmentDraft:
    """The new file. Until `put` nothing is changed; `drop` leaves no trace."""

    def __init__(self, folder: Path, log: int, first: int) -> None:
        self._folder, self._log = folder, log
        self._path = folder / f"{DRAFT}{secrets.token_hex(8)}"
        self._fd = os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
        self.blocks: list[Placed] = []
        self.size = 0
        self.end = first

    def add(self, block: Block) -> None:
        """Write a block."""
        self._write(pack_block(block, self._log))

    def add_hole(self, first: int, end: int) -> None:
        """Write that the records from `first` to before `end` are gone for good."""
        while first < end:
            rows = min(end - first, _MOST_HOLE)
            self._write([pack_head(Head(HOLE, rows, 0, 0, first, 0, 0, self._log))])
            first += rows

    def put(self, path: Path, *, sealed: bool) -> None:
        """Force the file to the disk and put it in place; raise OSError."""
        if sealed and self.blocks:
            write_at(self._fd, pack_index(self.blocks, self.end, self.size, self._log), self.size, self._path)
        os.fsync(self._fd)
        self._path.replace(path)
        sync_folder(self._folder)
        self.drop()

    def drop(self) -> None:
        """Close the file, and delete it if it was not put in place."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            self._path.unlink(missing_ok=True)

    def _write(self, pieces: list[Buffer]) -> None:
        write_at(self._fd, pieces, self.size, self._path)
        head = parse_head(bytes(pieces[0]))
        assert head is not None
        self.blocks.append(Placed(self.size, head))
        self.size += head.size
        self.end = head.end
