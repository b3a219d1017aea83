"""What other processes of this user keep, or kept: the logs in the folders beside a process's own.

A log whose process has ended is *free*: it is held here until what was taken from it is on this process's own
disk, and then forgotten there. That of a process that runs is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.store.channel_store import ChannelStore
from liven.liveobjects.channel.store.folder_lock import FolderLock, hold
from liven.liveobjects.channel.store.records import Record, StoreFullError, key_of
from liven.liveobjects.channel.store.segments import segment_files
from liven.liveobjects.channel.store.shared_log import SharedLog

LOOK_AGAIN: Final = 1.0
"""How long what was seen of a log that somebody writes is taken for granted."""


class OtherProcess:
    """One log, and this process's hold on it if it is free."""

    def __init__(self, log: SharedLog, slot: FolderLock | None) -> None:
        self._log = log
        self._slot = slot

    @property
    def free(self) -> bool:
        """Whether its process has ended."""
        return self._slot is not None

    def names(self) -> list[str]:
        """The channels of which it has anything."""
        return self._log.names()

    def open(self, name: str) -> ChannelStore:
        """What it has of one channel."""
        return ChannelStore(self, self._log, key_of(name), name)

    def write(self, records: Sequence[Record]) -> None:
        """Adds records; called by channels."""
        if self._slot is None:
            raise StoreFullError("the log of a process that runs is its own")
        self._log.write(records)

    def flush(self) -> None:
        """All is written at once."""

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Forces all to the disk; called by channels."""
        self._log.segments.sync_job()()
        callback()

    def put_aside(self, _: Callable[[bool], bytes], done: Callable[[bytes | None], object]) -> None:
        """Nothing long is written here."""
        done(None)

    def close(self) -> None:
        """Lets go of it."""
        self._log.close()
        if self._slot is not None:
            self._slot.close()


class OtherProcesses:
    """The folders below the root of a user's logs, without this process's own."""

    def __init__(self, root: Path, own: Path, now: Callable[[], float]) -> None:
        self._root = root
        self._own = own
        self._now = now
        self._seen: dict[Path, tuple[float, object, frozenset[bytes]]] = {}

    def having(self, *names: str) -> Iterator[OtherProcess]:
        """The logs that have anything of one of these channels. Whoever takes one closes it."""
        keys = {key_of(name) for name in names}
        for folder in sorted(self._root.iterdir() if self._root.is_dir() else ()):
            if folder.name.isdigit() and folder != self._own:
                sibling = self._opened(folder, keys)
                if sibling is not None:
                    yield sibling

    def _opened(self, folder: Path, keys: set[bytes]) -> OtherProcess | None:
        slot = hold(folder)
        try:
            log = self._log_with(folder, keys, reading=slot is None)
        except OSError:
            log = None  # its process removes what it needs no more; it is looked at again when asked for next
        if log is not None:
            return OtherProcess(log, slot)
        if slot is not None:
            slot.close()
        return None

    def _log_with(self, folder: Path, keys: set[bytes], *, reading: bool) -> SharedLog | None:
        """The log of a folder, if it has one of these channels, as far as was seen when it last changed."""
        now, at_present = self._now(), _print_of(folder)
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


def _print_of(folder: Path) -> object:
    """By which a log that was changed is told from what it was."""
    found: list[tuple[str, int, int]] = []
    with suppress(OSError):
        found = [(name, told.st_size, told.st_mtime_ns) for name, told in segment_files(folder)]
    return tuple(found)
