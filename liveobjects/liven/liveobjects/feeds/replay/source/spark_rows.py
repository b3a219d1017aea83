"""Rows that another program hands over while they are played, such as the result of a query of Spark.

The program writes blocks, as segments have them, to its standard output, in the order in which they are to be
played. It is read no further ahead than `AHEAD`, so it is paced by the replay. All rows that were read stay
in a temporary file, for going back.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import IO, Final, NamedTuple

import numpy as np

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.record import ASIDE
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.rows import Rows
from liven.liveobjects.feeds.replay.source.segment_log import rows_of_block
from liven.liveobjects.feeds.segment.block import BadBodyError, Block, unpack_block
from liven.liveobjects.feeds.segment.block_format import HEAD_SIZE, RECORDS, Head, parse_head
from liven.runtime.files import readable_size
from liven.runtime.os_error_text import explain_os_error

AHEAD: Final = 32 << 20
"""Bytes that are read before they are played."""
SPOOL_MOST: Final = 8 << 30
"""Bytes of the temporary file."""
_ENDS_WITHIN: Final = 5.0
"""Seconds that the program has to end by itself once it is not wanted any more."""
_LAST_LINES: Final = 5


class _Spooled(NamedTuple):
    """One block in the temporary file."""

    head: Head
    offset: int


class SparkRows:
    """The rows of one program. Its sequences have to rise from block to block."""

    def __init__(self, command: Sequence[str], on_more: Callable[[], object] = lambda: None) -> None:
        """Start the program; raise ReplayError. `on_more` is called in another thread when rows have come."""
        self.on_more = on_more
        self.failure: FeedError | None = None
        """The reason why rows are missing at the end."""
        self._spool = tempfile.TemporaryFile(prefix="liven-rows-")  # noqa: SIM115 - closed with the source
        self._blocks: list[_Spooled] = []
        self._firsts: list[int] = []
        self._size = 0
        self._played = 0
        self._span = (0, 0)
        self._complete = self._closing = False
        self._changed = threading.Condition()
        self._words: deque[str] = deque(maxlen=_LAST_LINES)
        try:
            self._program = subprocess.Popen(
                list(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            self._spool.close()
            raise ReplayError(f"the query cannot be started: {explain_os_error(error)}") from None
        self._threads = [
            threading.Thread(target=work, name="liven-rows", daemon=True)
            for work in (self._read, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def begin(self) -> int:
        with self._changed:
            return self._firsts[0] if self._firsts else 0

    @property
    def end(self) -> int:
        with self._changed:
            return self._blocks[-1].head.end if self._blocks else 0

    @property
    def complete(self) -> bool:
        with self._changed:
            return self._complete

    @property
    def span(self) -> tuple[int, int]:
        with self._changed:
            return self._span

    def rows(self, first: int, end: int) -> Iterator[Rows]:
        for spooled in self._between(first, end):
            block = self._block(spooled).clip(first, end)
            if len(block):
                yield rows_of_block(block)

    def rows_back(self, first: int, end: int) -> Iterator[Rows]:
        for spooled in reversed(self._between(first, end)):
            block = self._block(spooled).clip(first, end)
            if len(block):
                yield rows_of_block(block)

    def sequence_at(self, time: int) -> int:
        with self._changed:
            blocks = [one for one in self._blocks if one.head.latest >= time]
        for spooled in blocks:
            block = self._block(spooled)
            rows = np.flatnonzero(block.received >= time)
            if len(rows):
                return block.first + int(rows[0])
        return self.end

    def close(self) -> None:
        """End the program and remove the temporary file."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._program.poll() is None:
            self._program.terminate()
            try:
                self._program.wait(_ENDS_WITHIN)
            except subprocess.TimeoutExpired:
                self._program.kill()
                self._program.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self._program.stdout, self._program.stderr):
            if pipe is not None:
                pipe.close()
        self._spool.close()

    def _between(self, first: int, end: int) -> list[_Spooled]:
        with self._changed:
            low = max(bisect_right(self._firsts, first) - 1, 0)
            high = bisect_right(self._firsts, end - 1)
            return self._blocks[low:high]

    def _block(self, spooled: _Spooled) -> Block:
        head, offset = spooled
        body = os.pread(self._spool.fileno(), head.body, offset)
        with self._changed:
            if offset + len(body) > self._played:
                self._played = offset + len(body)
                self._changed.notify_all()
        try:
            return unpack_block(head, body)
        except BadBodyError as error:
            raise ReplayError(f"the rows of the query changed in the temporary file: {error}") from None

    # In the threads that read

    def _read(self) -> None:
        pipe = self._program.stdout
        assert pipe is not None
        failure: FeedError | None = None
        try:
            while self._read_block(pipe):
                pass
        except FeedError as error:
            failure = error
        except (OSError, ValueError) as error:
            failure = ReplayError(f"the rows of the query cannot be read: {error}")
        if failure is not None:
            with suppress(OSError):
                self._program.terminate()
        code = self._program.wait()
        self._threads[1].join()
        with self._changed:
            if failure is None and code and not self._closing:
                words = " · ".join(self._words) or "it said nothing"
                failure = ReplayError(f"the query ended with exit code {code}: {words}")
            self.failure = failure
            self._complete = True
        self.on_more()

    def _listen(self) -> None:
        """Keep the last lines of the program's messages, for its failure."""
        pipe = self._program.stderr
        assert pipe is not None
        for line in pipe:
            text = line[:500].decode("utf-8", "replace").strip()
            if text:
                self._words.append(text)

    def _read_block(self, pipe: IO[bytes]) -> bool:
        """Read one block and make it known; return False at the end."""
        data = _whole(pipe, HEAD_SIZE)
        if not data:
            return False
        head = parse_head(data)
        if head is None or head.kind != RECORDS or not head.is_known:
            raise ReplayError("the query did not write blocks of records", "it needs the option --stream")
        body = _whole(pipe, head.size - HEAD_SIZE)[: head.body]
        try:
            block = unpack_block(head, body)
        except BadBodyError as error:
            raise ReplayError(f"the query wrote a damaged block: {error}") from None
        if self._blocks and head.first < self._blocks[-1].head.end:
            raise ReplayError("the rows of the query are not in the order of their numbers")
        if np.any(block.flags & np.uint32(ASIDE)):
            raise ReplayError("the query wrote payloads that lie elsewhere", "it has to write them whole")
        return self._keep(head, body)

    def _keep(self, head: Head, body: bytes) -> bool:
        if self._size + len(body) > SPOOL_MOST:
            limit = readable_size(SPOOL_MOST)
            raise ReplayError(f"the query has more than {limit} of rows", "choose fewer of them")
        os.pwrite(self._spool.fileno(), body, self._size)
        with self._changed:
            earliest, latest = self._span if self._blocks else (head.earliest, head.latest)
            self._span = min(earliest, head.earliest), max(latest, head.latest)
            self._blocks.append(_Spooled(head, self._size))
            self._firsts.append(head.first)
            self._size += len(body)
        self.on_more()
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._size - self._played < AHEAD)
            return not self._closing


def _whole(pipe: IO[bytes], size: int) -> bytes:
    """Return so many bytes; none at the end. Raises ReplayError if the end comes earlier."""
    data = pipe.read(size)
    if data and len(data) < size:
        raise ReplayError("the rows of the query end in the middle of a block")
    return data
