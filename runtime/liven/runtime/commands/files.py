"""Reading what the command line names, and writing it back whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

BAD_USE = 2
ENVIRONMENT = 3


def load(name: str) -> bytes | None:
    """The bytes of a file, or of standard input for `-`; None, and a word why, if it cannot be read."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        print(f"{name}: {error.strerror or error}", file=sys.stderr)
        return None


def replace(path: Path, data: bytes) -> None:
    """Puts `data` in the file's place with its permissions; a crash leaves the old or the new, whole."""
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(target.stat().st_mode & 0o7777)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
