"""Payloads too long for a block: one file each beside the segments, named by the sequence of its record.

A record that points to a file is written only when the file is on the disk, so a readable record has its
file. The file of a record that was never written is replaced or deleted when the log is next opened for
writing.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from liven.runtime.files import PRIVATE, read_regular, sync_folder, write_file

NAME: Final = "aside"
_POINTER: Final = struct.Struct("<Q16s")
POINTER_SIZE: Final = _POINTER.size
_FILE: Final = re.compile("[0-9a-f]{16}")


class MissingPayloadError(Exception):
    """The file of a payload is missing or damaged; the text says which."""


def put(folder: Path, sequence: int, payload: bytes) -> bytes:
    """Write the file of a payload and return the pointer to it; raise OSError and leave nothing."""
    aside = folder / NAME
    if not aside.is_dir():
        aside.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder)
    write_file(_path(folder, sequence), payload, PRIVATE, follow_links=False)
    sync_folder(aside)
    return _POINTER.pack(len(payload), _digest(payload))


def get(folder: Path, sequence: int, pointer: bytes) -> bytes:
    """Return the payload of a record; raise MissingPayloadError."""
    path = _path(folder, sequence)
    try:
        length, digest = _POINTER.unpack(pointer)
        data = read_regular(path, length)
    except FileNotFoundError:
        raise MissingPayloadError(f"its payload, {path}, is missing") from None
    except (OSError, struct.error):
        raise MissingPayloadError(f"its payload, {path}, cannot be read") from None
    if len(data) != length or _digest(data) != digest:
        raise MissingPayloadError(f"its payload, {path}, is damaged")
    return data


def length_of(pointer: bytes) -> int:
    """Return the length of the payload that a pointer names."""
    return int.from_bytes(pointer[:8], "little")


def sequences(folder: Path) -> list[int]:
    """Return the records that have a file, in order."""
    try:
        names = os.listdir(folder / NAME)  # noqa: PTH208 - names alone
    except FileNotFoundError:
        return []
    return sorted(int(name, 16) for name in names if _FILE.fullmatch(name))


def sizes(folder: Path) -> list[tuple[int, int]]:
    """Return the records that have a file, in order, each with the size of its payload."""
    return [(sequence, _path(folder, sequence).stat().st_size) for sequence in sequences(folder)]


def remove_before(folder: Path, begin: int) -> None:
    """Delete the files of records before `begin`."""
    for sequence in _those(folder, 0, begin):
        _path(folder, sequence).unlink(missing_ok=True)


def remove_from(folder: Path, end: int) -> None:
    """Delete the files of records that were never written, `end` and later ones."""
    for sequence in _those(folder, end, 1 << 64):
        _path(folder, sequence).unlink(missing_ok=True)


def _those(folder: Path, low: int, high: int) -> Iterator[int]:
    return (sequence for sequence in sequences(folder) if low <= sequence < high)


def _path(folder: Path, sequence: int) -> Path:
    return folder / NAME / f"{sequence:016x}"


def _digest(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=16).digest()
