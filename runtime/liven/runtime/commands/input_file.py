"""Reading the files that the command line names."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

from liven.runtime.files import read_start
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.reference.xml.limits import LIMITS


def load(name: str) -> bytes | None:
    """Return the bytes of a file, or of standard input for `-`;
    print why and return None if it is unreadable."""
    try:
        if name != "-":
            return read_file(Path(name))
        if sys.stdin is None:
            raise OSError(errno.EBADF, "there is no standard input; name a file, or give one by `< FILE`")
        return sys.stdin.buffer.read(LIMITS.size + 1)
    except OSError as error:
        print(explain_os_error(error, name), file=sys.stderr)
        return None


def read_file(path: Path) -> bytes:
    """Return the bytes of a file, at most one more than the reader takes, so that it sees the excess."""
    return read_start(path, LIMITS.size + 1)
