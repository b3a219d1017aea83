"""Reading plain files, and no others: a pipe has one wait, and a device may never end."""

from __future__ import annotations

import errno
import json
import os
import stat
from io import FileIO
from pathlib import Path
from typing import Any


def opened(path: Path) -> FileIO:
    """A plain file, to be read; OSError for whatever else stands there."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from None
    try:
        kind = os.fstat(handle).st_mode
        if stat.S_ISDIR(kind):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, "it is a device or a pipe, and no file", str(path))
        return FileIO(handle)
    except BaseException:
        os.close(handle)
        raise


def noted(path: Path, most: int) -> Any:
    """What a program wrote down as JSON; ValueError or OSError for what is none."""
    try:
        return json.loads(content(path, most))
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def content(path: Path, most: int) -> bytes:
    """What a plain file holds; OSError also where that is more than `most` bytes, of which none is read."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(most + 1) if size <= most else b""
        if max(size, len(data)) > most:  # it may grow while it is read, or tell no size, as in /proc
            size = max(size, len(data))
            raise OSError(errno.EFBIG, f"it has {size:,} bytes, and {most:,} are the most", str(path))
        return data
