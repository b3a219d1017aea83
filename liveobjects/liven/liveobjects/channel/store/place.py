"""The place of a log: a proof that a folder is where its log was written, and not a copy or an older state.

A copied or restored log does not know what it agreed to after the copy was made. Beside each log stands a
file with a random identity, the machine, the end of the log, and which file it is itself: its inode and its
time of birth. No tool that copies files can set those two, and a file of another time is another one, because
each record is a new file. A new mode or owner changes neither. A log that fits keeps the identity; another
one begins anew, and its replicas no longer vote as before.

Where the file system tells no time of birth, an empty file, the *anchor*, takes its place, with its inode and
change time. There a new mode takes the votes, too.

A file system or a virtual machine that is set back as a whole takes the proof back with it. Operations are
safe even then (`history/inheritance.py`).
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from liven.liveobjects.channel.store.birth_time import birth_time
from liven.runtime.files import (
    open_regular,
    read_json,
    read_start,
    sync_folder,
    write_file,
    write_file_about_itself,
)

IDENTITY_BYTES: Final = 16
PLACE_FILES: Final = ("place", "anchor")
_PLACE, _ANCHOR = PLACE_FILES
_MOST: Final = 4096
_MACHINE: Final = Path("/etc/machine-id")
_PRIVATE: Final = 0o600

End = tuple[int, int]
"""The number of the last segment, and its size."""


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """The place of one log."""

    folder: Path
    identity: bytes

    @classmethod
    def found(cls, folder: Path, end: End) -> Self | None:
        """Return the place of a log that ends here; None if it was copied or restored."""
        try:
            told = read_json(folder / _PLACE, _MOST)
            identity = bytes.fromhex(told["identity"])
            proven = _is_where_it_was_written(folder, told) and tuple(told["end"]) <= end
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not proven or len(identity) != IDENTITY_BYTES:
            return None
        return cls(folder, identity)

    @classmethod
    def settled(cls, folder: Path, end: End) -> Self:
        """Return the place of a log that is opened for writing: the one found, or a new one."""
        known = cls.found(folder, end)
        if known is None:
            known = cls(folder, os.urandom(IDENTITY_BYTES))
            with suppress(OSError):  # without an anchor, the next start begins a new place
                (folder / _ANCHOR).unlink(missing_ok=True)
                write_file(folder / _ANCHOR, b"", _PRIVATE)
            known.record(end)
            with suppress(OSError):
                sync_folder(
                    folder
                )  # all logs of a home lose their votes at once if a power cut takes the proof
        else:
            known.record(end)
        return known

    def record(self, end: End) -> None:
        """Record how far the log reaches. A full disk leaves the earlier record, which is true, too."""

        def content(descriptor: int) -> bytes:
            told = {"identity": self.identity.hex(), "itself": _itself(descriptor), "end": end}
            with suppress(OSError):
                told["anchor"] = _anchor(self.folder)
            return json.dumps(told).encode()

        with suppress(OSError):
            write_file_about_itself(self.folder / _PLACE, content, _PRIVATE)


def _is_where_it_was_written(folder: Path, told: dict[str, Any]) -> bool:
    with open_regular(folder / _PLACE) as record:
        itself = _itself(record.fileno())
    if itself is not None and told.get("itself") is not None:
        return bool(told["itself"] == itself)
    return bool(told["anchor"] == _anchor(folder))  # this also reads records of earlier versions


def _itself(descriptor: int) -> list[Any] | None:
    """Return what is known of the file of the record; None if that proves nothing here."""
    born = birth_time(descriptor)
    return None if born is None else [_machine(), os.fstat(descriptor).st_ino, born]


def _anchor(folder: Path) -> list[Any]:
    anchor = (folder / _ANCHOR).lstat()
    return [_machine(), anchor.st_ino, anchor.st_ctime_ns]


def _machine() -> str:
    with suppress(OSError):
        return read_start(_MACHINE, _MOST).decode(errors="replace").strip()
    return ""
