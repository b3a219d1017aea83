"""A log for programs: a line of JSON for each record, in a file that does not grow without end."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from liven.multicast.errors import MulticastError

_SIZE_MOST = 5 * 1024 * 1024
_OLDER_KEPT = 3


class JsonLines(logging.Formatter):
    """Each record as one object: when, how bad, of which process, in words, and its facts."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of one record."""
        facts = getattr(record, "facts", {})
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "pid": record.process,
            "logger": record.name,
            "words": record.getMessage(),
            **facts,
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def write_log(path: Path) -> logging.Handler:
    """From now on appends to the file what is logged about multicast. Raises MulticastError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler = RotatingFileHandler(path, maxBytes=_SIZE_MOST, backupCount=_OLDER_KEPT, encoding="utf-8")
    except OSError as error:
        raise MulticastError(-1, f"the log {path} cannot be written: {error.strerror}") from error
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("liven.multicast")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False  # a terminal shows what a command says, not its log
    return handler


def end_log(handler: logging.Handler) -> None:
    """Takes it back."""
    logger = logging.getLogger("liven.multicast")
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)
    logger.propagate = True
    handler.close()
