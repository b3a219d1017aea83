"""A folder of this computer as a stream of what happens to its files.

It is looked at in turns. A notification of the kernel would be faster, but is not given for network drives,
has an overflow after which everything must be looked at anyway, and would be one more dependency.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.api.endpoints import Value, ValueClient
from liven.liveobjects.feeds.source.file.folder_snapshot import MOST_FILES, FolderSnapshot, Look
from liven.liveobjects.feeds.source.file.remembered import Remembered
from liven.liveobjects.feeds.source.file.tail import tail_path
from liven.liveobjects.feeds.source.formats.records import FileChange
from liven.liveobjects.feeds.source.row_stream import ENDPOINT, STEP, RowStream, checked_pause
from liven.runtime.capability import Capability, CapabilityKind
from liven.runtime.capability.capability import sends
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, proxy

_FASTEST: Final = 0.1
_ROW: Final = 1_000
"""Bytes of a row, about."""


@proxy(id="49C6C7D685C62646CA54353D6454C65D", alias="liven:directory-watch", delegates=(ENDPOINT,))
class DirectoryWatch:
    """The files of the folder at `path` that are added, changed and removed; first all that are there.

    It looks `every` so many seconds, at files whose name fits the `pattern`, and with `deep` into the folders
    inside. With `remember`, a restarted object tells what happened meanwhile instead of all.
    """

    Endpoint: Dual[Value[FileChange], ValueClient[FileChange]]

    def __init__(
        self,
        context: Context,
        path: str,
        pattern: str = "*",
        deep: bool = False,
        every: float = 1.0,
        remember: str = "",
        rate: float = 1000.0,
    ) -> None:
        self._context = context
        self._path = tail_path(path)
        self._every = checked_pause(every, _FASTEST)
        self._snapshot = FolderSnapshot(self._path, pattern or "*", Remembered(remember), deep=deep)
        self._runs = False
        self._given = True
        self._stream = RowStream(context, rate, self._start)
        context.serve(ENDPOINT, self._stream)

    @staticmethod
    def capabilities(path: str, rate: float = 1000.0) -> tuple[Capability, ...]:
        """State what a recipe with these parameters reaches."""
        return Capability(CapabilityKind.READ_FOLDER, path), sends(rate * _ROW)

    def on_end(self) -> None:
        """Remember what was told."""
        try:
            if self._given:
                self._snapshot.close()
        except OSError as error:
            self._context.report(
                f"the state of {self._path} cannot be saved: {error.strerror or error}",
                "after a restart some files are told again",
            )

    def _start(self) -> None:
        if not self._runs:
            self._runs = True
            self._context.spawn(self._run())

    async def _run(self) -> None:
        faults = self._stream.faults
        while self._context.connected(ENDPOINT):
            if not self._given:
                await self._context.sleep(STEP)
                continue
            try:
                found = await self._context.work(self._snapshot.look)
            except OSError as error:
                what = f"the folder {self._path} cannot be read: {error.strerror or error}"
                faults.trouble(what, "it is tried again until it can be read")
            else:
                self._told(found)
            await self._context.sleep(self._every)
        self._runs = False

    def _told(self, found: Look) -> None:
        if found.left_out:
            self._stream.faults.trouble(
                f"{found.left_out:,} files of {self._path} are left out: a watch holds {MOST_FILES:,}",
                "watch a smaller folder, or give a pattern",
            )
        else:
            self._stream.faults.fine()
        self._given = False
        self._stream.give([FileChange(**row) for row in found.rows], self._done)

    def _done(self) -> None:
        self._given = True
