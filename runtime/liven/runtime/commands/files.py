"""Reading what the command line names."""

from __future__ import annotations

import sys
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
