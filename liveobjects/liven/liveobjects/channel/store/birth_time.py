"""The time at which a file was made, from statx(2); Python offers it from version 3.15 on.

Nothing that a program may do to a file changes it: not its mode, its owner, its names or its content. A copy
is a new file.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Final

_AT_EMPTY_PATH: Final = 0x1000
_STATX_BTIME: Final = 0x800
_SIZE: Final = 256
_MASK: Final = struct.Struct("=I")
_BIRTH: Final = struct.Struct("=qI")
_BIRTH_AT: Final = 80
"""Offset of `stx_btime` in `struct statx`."""
_libc = ctypes.CDLL(None)


def birth_time(descriptor: int) -> int | None:
    """Return the time in nanoseconds; None if the file system or the C library does not tell it."""
    statx = getattr(_libc, "statx", None)
    found = ctypes.create_string_buffer(_SIZE)
    if statx is None or statx(descriptor, b"", _AT_EMPTY_PATH, _STATX_BTIME, found) != 0:
        return None
    if not _MASK.unpack_from(found)[0] & _STATX_BTIME:
        return None
    seconds, nanoseconds = _BIRTH.unpack_from(found, _BIRTH_AT)
    return int(seconds) * 10**9 + int(nanoseconds)
