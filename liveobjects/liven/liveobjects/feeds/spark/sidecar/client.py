"""Asking the resident process to do a job. It imports nothing of Spark."""

from __future__ import annotations

import json
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

LONGEST_LINE: Final = 64 << 20
_CONNECT_WITHIN: Final = 5.0
_GREETED_WITHIN: Final = 600.0
"""A process that listens but says nothing yet is starting Spark, which takes minutes on a busy computer."""
_SAID_AFTER: Final = 0.5


class SidecarGoneError(Exception):
    """The resident process ended or hung up during a job."""


class SidecarClient:
    """A connection to the resident process, for one job."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines = connection.makefile("rb")
        self.hello = self._next()
        """The first message: the process, its version, and its settings."""

    @classmethod
    def connect(cls, path: Path, waiting: Callable[[], object] = lambda: None) -> SidecarClient | None:
        """Return a connection, or None if no process listens there. `waiting` is called if the process is
        still starting Spark."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(_CONNECT_WITHIN)
        try:
            connection.connect(str(path))
            if not select.select([connection], [], [], _SAID_AFTER)[0]:
                waiting()
            connection.settimeout(_GREETED_WITHIN)
            client = cls(connection)
        except (OSError, SidecarGoneError):
            connection.close()
            return None
        connection.settimeout(None)
        return client

    def ask(
        self, job: str, arguments: dict[str, Any], report: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        """Have a job done, report its events, and return the last; raise SidecarGoneError or OSError.

        An interruption cancels the job and waits for its end.
        """
        self._connection.sendall(json.dumps({"job": job, "arguments": arguments}).encode() + b"\n")
        try:
            return self._followed(report)
        except KeyboardInterrupt:
            with suppress(OSError):
                self._connection.sendall(b'{"job":"cancel"}\n')
            return self._followed(report)

    def _followed(self, report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        for event in self._events():
            if event["event"] == "end":
                return event
            report(event)
        raise SidecarGoneError("the process of `liven feeds serve` ended")

    def _events(self) -> Iterator[dict[str, Any]]:
        while True:
            yield self._next()

    def _next(self) -> dict[str, Any]:
        line = self._lines.readline(LONGEST_LINE)
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or "event" not in found:
            raise SidecarGoneError("the process of `liven feeds serve` hung up")
        return found

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
