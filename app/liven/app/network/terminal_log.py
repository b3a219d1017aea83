"""The log messages that a terminal shows: only those that no command prints itself.

Without a handler, Python prints every warning, in the middle of a command's output.
"""

from __future__ import annotations

import logging
import sys
from contextlib import suppress

_SPOKEN = frozenset({"strange-service", "other-version", "unreadable", "epoch"})
"""Events that no command prints: services and members with another key or version, for which waiting is
useless, and members removed by a service that runs in this terminal."""


class TerminalLog(logging.Handler):
    """A log handler that prints what somebody waiting at a terminal needs to know."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record if it is one of those."""
        told = record.levelno >= logging.WARNING and getattr(record, "facts", {}).get("event") in _SPOKEN
        if told and sys.stderr is not None:
            with suppress(OSError, ValueError):  # the terminal was closed; the program continues
                sys.stderr.write(f"liven: {record.getMessage()}\n")
                sys.stderr.flush()


def install() -> None:
    """Install the handler once."""
    logger = logging.getLogger("liven.multicast")
    if not any(isinstance(handler, TerminalLog) for handler in logger.handlers):
        logger.addHandler(TerminalLog())
