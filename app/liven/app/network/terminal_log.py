"""What of the log a terminal shows: nothing but what no command says by itself.

Without a handler, Python writes each warning to the terminal, in the middle of whatever a command shows.
"""

from __future__ import annotations

import logging
import sys
from contextlib import suppress

_SPOKEN = frozenset({"strange-service", "epoch"})
"""Nothing comes of waiting for a service with another key, and no command hears of it; whom a service
that runs in a terminal removed, nobody else says there."""


class Spoken(logging.Handler):
    """Says what somebody has to know who waits in front of a terminal."""

    def emit(self, record: logging.LogRecord) -> None:
        """Says a record, if it is one to be said."""
        told = record.levelno >= logging.WARNING and getattr(record, "facts", {}).get("event") in _SPOKEN
        if told and sys.stderr is not None:
            with suppress(OSError, ValueError):  # nobody waits there any more; the program goes on
                sys.stderr.write(f"liven: {record.getMessage()}\n")
                sys.stderr.flush()


def speak() -> None:
    """From now on; a second time is nothing new."""
    logger = logging.getLogger("liven.multicast")
    if not any(isinstance(handler, Spoken) for handler in logger.handlers):
        logger.addHandler(Spoken())
