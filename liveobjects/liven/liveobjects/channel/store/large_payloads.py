"""Payloads too long for the log: one file each beside it, named by channel and serial.

A record that points to a file is written only when the file is on disk, so a readable record has its file.
The file of a removed record is deleted when the store is next opened.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from liven.runtime.files import PRIVATE, sync_folder, write_file

LONG: Final = 256 * 1024
_POINTER: Final = struct.Struct("<Q16s")


class LargePayloads:
    """The folder of these files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def put(self, channel: bytes, serial: int, pieces: Iterable[bytes], *, sync: bool) -> bytes:
        """Write a file and return the pointer to it. Raises OSError and leaves nothing if that fails."""
        digest, length = hashlib.blake2b(digest_size=16), 0

        def counted() -> Iterator[bytes]:
            nonlocal length
            for piece in pieces:
                digest.update(piece)
                length += len(piece)
                yield piece

        write_file(self._path(channel, serial), counted(), PRIVATE, sync=sync, follow_links=False)
        if sync:
            sync_folder(self._folder)
        return _POINTER.pack(length, digest.digest())

    def get(self, channel: bytes, serial: int, pointer: bytes) -> bytes | None:
        """Return the payload of a pointer; None if it is damaged or missing."""
        try:
            length, digest = _POINTER.unpack(pointer)
            data = self._path(channel, serial).read_bytes()
        except (OSError, struct.error):
            return None
        whole = len(data) == length and hashlib.blake2b(data, digest_size=16).digest() == digest
        return data if whole else None

    def has(self, channel: bytes, serial: int) -> bool:
        """True if there is a file of this record."""
        return self._path(channel, serial).is_file()

    def remove(self, channel: bytes, serial: int) -> None:
        """Delete a file whose record is gone for good."""
        self._path(channel, serial).unlink(missing_ok=True)

    def sweep(self, wanted: Collection[tuple[bytes, int]]) -> None:
        """Delete all files except these."""
        names = {self._path(channel, serial).name for channel, serial in wanted}
        for path in self._folder.iterdir():
            if path.name not in names:
                path.unlink(missing_ok=True)

    def _path(self, channel: bytes, serial: int) -> Path:
        return self._folder / f"{channel.hex()}-{serial:x}"
