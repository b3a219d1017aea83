"""The part that both tails share: reading in turns in a worker, giving rows, and telling what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.source.file.line_follower import CHUNK, Mark
from liven.liveobjects.feeds.source.file.tail_reader import Found, TailReader
from liven.liveobjects.feeds.source.row_stream import ENDPOINT, STEP, RowStream
from liven.runtime.capability import Capability, CapabilityKind
from liven.runtime.capability.capability import sends
from liven.runtime.errors import CallFailedError
from liven.runtime.files import user_path
from liven.runtime.objects.context import Context

LOOK_EVERY: Final = 0.5
"""Seconds between two looks at a file that has nothing new."""
_GONE_AFTER: Final = 4
"""Looks in a row at which a file is not there, before that is a problem: rotation takes a moment."""


def tail_capabilities(path: str) -> tuple[Capability, ...]:
    """Return what a tail reaches."""
    return Capability(CapabilityKind.READ_FILE, path), sends(CHUNK / STEP)


def tail_path(path: str) -> Path:
    """Return the path in a recipe; raise CallFailedError."""
    try:
        return user_path(path)
    except OSError as error:
        raise CallFailedError(f"{path}: {error.strerror}") from None


class Tail:
    """One file that is followed."""

    def __init__(self, context: Context, path: Path, reader: TailReader, rate: float) -> None:
        self._context = context
        self._path = path
        self._reader = reader
        self._runs = self._waits = False
        self._done: Mark | None = None
        self._missing = 0
        self.stream = RowStream(context, rate, self._start)

    def end(self) -> None:
        """Remember the position, and close the file."""
        try:
            self._reader.close(self._done)
        except OSError as error:
            self._untold_position(error)

    def _start(self) -> None:
        if not self._runs:
            self._runs = True
            self._context.spawn(self._run())

    async def _run(self) -> None:
        while self._context.connected(ENDPOINT):
            self.stream.faults.tell()
            if self._waits:
                await self._context.sleep(STEP)
                continue
            try:
                found = await self._context.work(self._reader.read, self.stream.group, self._done)
            except OSError as error:
                self.stream.faults.trouble(
                    f"{self._path} cannot be read: {error.strerror or error}",
                    "it is tried again until it can be read",
                )
                await self._context.sleep(LOOK_EVERY)
                continue
            self._took(found)
            await self._context.sleep(STEP if found.more else LOOK_EVERY)
        self._runs = False

    def _took(self, found: Found) -> None:
        self._missing = self._missing + 1 if found.missing else 0
        if self._missing >= _GONE_AFTER:
            self.stream.faults.trouble(
                f"there is no {self._path} any more", "its rows go on when there is a file of this name again"
            )
        elif not found.missing:
            self.stream.faults.fine()
        for number, reason in found.faults:
            self.stream.faults.refuse(f"{self._path}, line {number:,}", reason)
        self._waits = True
        self.stream.give(found.rows, lambda: self._given(found.mark))

    def _given(self, mark: Mark | None) -> None:
        self._waits = False
        self._done = mark

    def _untold_position(self, error: OSError) -> None:
        self._context.report(
            f"the position in {self._path} cannot be saved: {error.strerror or error}",
            "after a restart some rows come twice",
        )
