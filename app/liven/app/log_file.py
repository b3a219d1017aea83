"""The log file of the desktop program, in the state folder and of limited size.

It holds what went wrong while the program ran: problems, Qt's warnings and network events. `liven doctor`
says where it is. Commands without windows print instead, and the network can have a log of its own (setting
`log`).
"""

from __future__ import annotations

import logging
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from liven.runtime.user_folders import UserFolders

LARGEST: Final = 1_000_000
"""Bytes of one file: about 10,000 lines, small enough for any editor and for a mail."""
KEPT: Final = 3
"""Older files beside the current one, with `.1` to `.3` appended to its name."""
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path(folders: UserFolders, slot: int = 1) -> Path:
    """Return the log file of one of the programs that a user runs at the same time."""
    return folders.state / "logs" / f"desktop-{slot}.log"


def start_log(folders: UserFolders, slot: int) -> _LogFile | None:
    """Write the log from now on; None if the file cannot be opened, which must not stop the program.

    Each program needs a file of its own: two that rotate the same file would overwrite each other's.
    """
    path = log_path(folders, slot)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = _LogFile(path, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", errors="backslashreplace")
    except OSError:
        return None
    log.begin()
    return log


class _LogFile(RotatingFileHandler):
    """The handler for all loggers of Liven. Warnings still appear in the terminal."""

    def begin(self) -> None:
        """Attach the handler."""
        self.setFormatter(_OneEvent(_FORMAT))
        self._terminal = _Terminal(logging.WARNING)
        logger = logging.getLogger("liven")
        logger.addHandler(self)
        logger.addHandler(self._terminal)
        self._level_before = logger.level
        logger.setLevel(logging.INFO)

    def end(self) -> None:
        """Detach the handler and close the file."""
        logger = logging.getLogger("liven")
        logger.removeHandler(self)
        logger.removeHandler(self._terminal)
        logger.setLevel(self._level_before)
        with suppress(OSError):  # the last lines did not fit on a full disk
            self.close()

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore a full disk: the program can do nothing about it, and must go on."""
        del record
        if self.stream is not None and self.stream.closed:
            self.stream = None  # a failed rotation closed it; the next event opens the file again


class _OneEvent(logging.Formatter):
    """One line for each event. Further lines, as of a traceback, are indented."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of an event."""
        return super().format(record).replace("\n", "\n    ")


class _Terminal(logging.Handler):
    """Prints warnings, as Python does for a logger without handlers.

    `network.terminal_log` decides which network events are printed.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Print an event."""
        if logging.lastResort is not None and not record.name.startswith("liven.multicast"):
            with suppress(OSError, ValueError):  # the terminal was closed; the program continues
                logging.lastResort.handle(record)
