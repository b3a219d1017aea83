"""A file of this computer as a stream of values: the LocalFile of the original program."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.api.endpoints import Value, ValueClient
from liven.runtime.capability.capability import Capability, reads_and_writes_file
from liven.runtime.errors import CallFailedError
from liven.runtime.files import open_regular, read_start, refuse_system_file, user_path, write_file
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, proxy

LARGEST: Final = 64 * 1024 * 1024
LOOK_EVERY: Final = 1.0
"""Seconds between two checks for changes by other programs."""


class FileError(Exception):
    """The file cannot be read or written; the text says why."""


@proxy(
    id="0F6280C168784136A591A5B4CB2DB197",
    alias="liven:local-file",
    view="liven.liveobjects.local_file.view:make",
)
class LocalFile:
    """The bytes of the file at `path`. Changes by other programs are noticed and passed on."""

    UI: ExportedUI
    Endpoint: Dual[Value[bytes], ValueClient[bytes]]

    def __init__(self, context: Context, path: str) -> None:
        self.context = context
        try:
            self.path = user_path(path)
        except OSError as error:
            raise CallFailedError(f"{path}: {error.strerror}") from None
        self._known: tuple[int, int] | None = None
        self._looking = False

    @staticmethod
    def capabilities(path: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return reads_and_writes_file(path)

    async def get(self) -> bytes:
        """Return the whole file. The call fails with the reason if the file cannot be read."""
        try:
            return await self.context.errand(read, self.path)
        except FileError as error:
            raise CallFailedError(str(error)) from error

    async def set(self, value: bytes) -> None:
        """Replace the file atomically."""
        try:
            await self.context.errand(write, self.path, value)
        except FileError as error:
            self.context.report(str(error), "the file has not changed")

    def Endpoint_connected(self) -> None:
        if not self._looking:
            self._looking = True
            self.context.spawn(self._look())

    async def _look(self) -> None:
        """Look for a change while somebody is connected, and pass it on."""
        self._known = None
        while self.context.connected("Endpoint"):
            now = await self.context.errand(stamp, self.path)
            if now is not None and now != self._known and self.context.connected("Endpoint"):
                await self._tell()
            self._known = now
            await self.context.sleep(LOOK_EVERY)
        self._looking = False

    async def _tell(self) -> None:
        try:
            data = await self.context.errand(read, self.path)
        except FileError as error:
            self.context.report(str(error), "its content is not passed on")
            return
        if self.context.connected("Endpoint"):
            self.Endpoint.peer.set(data)


@dataclass(frozen=True, slots=True)
class Facts:
    """Size and date of a file, for people."""

    size: int
    modified: float
    """Seconds since 1970."""


def facts(path: Path) -> Facts | None:
    """Return the facts of a file; None if there is none. For a worker: the disk may be slow or gone."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return Facts(found.st_size, found.st_mtime)


def stamp(path: Path) -> tuple[int, int] | None:
    """Return a value that differs after each write, or None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def read(path: Path) -> bytes:
    """Return the bytes of a regular file. Raise FileError for anything else: a pipe may never start, a
    device may never end."""
    try:
        refuse_system_file(path)
        data = read_start(path, LARGEST + 1)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise FileError(f"{path} has more than {LARGEST:,} bytes, which is too large for a value")
    return data


def write(path: Path, data: bytes) -> None:
    """Replace a file. Raise FileError if that is impossible."""
    try:
        refuse_system_file(path)
        with suppress(FileNotFoundError):
            open_regular(path).close()  # the new file takes its place, which a device or pipe must keep
        write_file(path, data)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror or error}; it has not changed") from None
