"""The logs of this user's other processes, in the folders beside this process's own.

The log of an ended process is *free*: it stays locked here until its content is on this process's own disk,
and is then removed. The log of a running process is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.store.channel_store import ChannelStore
from liven.liveobjects.channel.store.folder_lock import FolderLock, lock_folder
from liven.liveobjects.channel.store.log_format import other_format
from liven.liveobjects.channel.store.place import FolderPlace
from liven.liveobjects.channel.store.records import Record, StoreFullError, key_of
from liven.liveobjects.channel.store.segments import segment_files
from liven.liveobjects.channel.store.shared_log import SharedLog

LOOK_AGAIN: Final = 1.0
"""Seconds for which the content of a log that is being written is cached."""


class OtherProcess:
    """One log, locked by this process if it is free."""

    def __init__(self, log: SharedLog, slot: FolderLock | None) -> None:
        self._log = log
        self._slot = slot
        self._place = FolderPlace.found(log.segments.folder, log.segments.end)
        self._wrote = False

    @property
    def free(self) -> bool:
        """True if its process has ended."""
        return self._slot is not None

    @property
    def place(self) -> bytes:
        """The identity of the folder; empty if it was copied or restored."""
        return b"" if self._place is None else self._place.identity

    def names(self) -> list[str]:
        """Return the channels in it."""
        return self._log.names()

    def open(self, name: str) -> ChannelStore:
        """Return its store of one channel."""
        return ChannelStore(self, self._log, key_of(name), name)

    def write(self, records: Sequence[Record]) -> None:
        """Append records, for its channels."""
        if self._slot is None:
            raise StoreFullError("the log of a running process belongs to it")
        self._log.write(records)
        self._wrote = True

    def write_at_once(self, records: Sequence[Record], done: Callable[[], object]) -> None:
        """Append records and force them to disk, for its channels."""
        self.write(records)
        self.when_durable(done)

    @property
    def failing(self) -> bool:
        """False: a write that fails raises."""
        return False

    def flush(self) -> None:
        """Do nothing: everything is written at once."""

    def waiting(self, _: bytes) -> list[Record]:
        """Return nothing: everything is written at once."""
        return []

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Force everything to disk, for its channels."""
        self._log.segments.sync_job()()
        callback()

    def put_aside(self, _: Callable[[bool], bytes], done: Callable[[bytes | None], object]) -> None:
        """Do nothing: no long payloads are written here."""
        done(None)

    def close(self) -> None:
        """Release it."""
        if self._wrote and self._place is not None:
            self._place.record(self._log.segments.end)
        self._log.close()
        if self._slot is not None:
            self._slot.close()


class OtherProcesses:
    """The folders below the root of a user's logs, except this process's own."""

    def __init__(self, root: Path, own: Path, now: Callable[[], float]) -> None:
        self._root = root
        self._own = own
        self._now = now
        self._seen: dict[Path, tuple[float, object, frozenset[bytes]]] = {}

    def having(self, *names: str) -> Iterator[OtherProcess]:
        """Return the logs that hold one of these channels. The caller closes them."""
        keys = {key_of(name) for name in names}
        for folder in sorted(self._root.iterdir() if self._root.is_dir() else ()):
            if folder.name.isdigit() and folder != self._own and other_format(folder) is None:
                sibling = self._opened(folder, keys)
                if sibling is not None:
                    yield sibling

    def _opened(self, folder: Path, keys: set[bytes]) -> OtherProcess | None:
        slot = lock_folder(folder)
        try:
            log = self._log_with(folder, keys, reading=slot is None)
        except OSError:
            log = None  # its process is removing records; it is read again next time
        if log is not None:
            return OtherProcess(log, slot)
        if slot is not None:
            slot.close()
        return None

    def _log_with(self, folder: Path, keys: set[bytes], *, reading: bool) -> SharedLog | None:
        """Return the log of a folder if it holds one of these channels, cached until it changes."""
        now, at_present = self._now(), _fingerprint(folder)
        seen_at, known, channels = self._seen.get(folder, (now, (), frozenset[bytes]()))
        fresh = reading and folder in self._seen and now < seen_at + LOOK_AGAIN
        if (known == at_present or fresh) and not keys & channels:
            return None
        log = SharedLog(folder, reading=reading)
        channels = frozenset(key for key, index in log.channels.items() if index.name is not None)
        self._seen[folder] = now, at_present, channels
        if keys & channels:
            return log
        log.close()
        return None


def _fingerprint(folder: Path) -> object:
    """Return a fingerprint by which a changed log is recognized."""
    found: list[tuple[str, int, int]] = []
    with suppress(OSError):
        found = [(name, told.st_size, told.st_mtime_ns) for name, told in segment_files(folder)]
    return tuple(found)
