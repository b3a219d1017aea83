"""The place of a log: a proof that a folder is where its log was written, and not a copy or an older state.

A copied or restored log does not know what it agreed to after the copy was made. Beside each log stand an
empty file, the *anchor*, and a file with a random identity, the machine, the anchor's inode and change time,
and the end of the log. No tool that copies files can set a change time, and an older log ends earlier. A log
that fits keeps the identity; another one begins anew, and its replicas no longer vote as before.

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

from liven.liveobjects.channel.store.segments import sync_folder
from liven.runtime.files import read_json, read_start, write_file

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
            proven = told["anchor"] == _fingerprint(folder) and tuple(told["end"]) <= end
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
        with suppress(OSError):
            told = {"identity": self.identity.hex(), "anchor": _fingerprint(self.folder), "end": end}
            write_file(self.folder / _PLACE, json.dumps(told).encode(), _PRIVATE)


def _fingerprint(folder: Path) -> list[Any]:
    anchor = (folder / _ANCHOR).lstat()
    machine = ""
    with suppress(OSError):
        machine = read_start(_MACHINE, _MOST).decode(errors="replace").strip()
    return [machine, anchor.st_ino, anchor.st_ctime_ns]
