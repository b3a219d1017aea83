"""Reading files that a program keeps for itself, plain ones alone: a pipe has one wait, a device may never
end, and a link leads to what was never kept."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_plain(path: Path, most: int) -> bytes:
    """At most so many bytes of a plain file, its first; OSError for whatever else stands there."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
    handle = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", str(path))
        return _all_of(handle, most)
    finally:
        os.close(handle)


def _all_of(handle: int, most: int) -> bytes:
    """Until its end: what is asked for at once may come in parts."""
    found = bytearray()
    while part := os.read(handle, most - len(found)):
        found += part
    return bytes(found)
