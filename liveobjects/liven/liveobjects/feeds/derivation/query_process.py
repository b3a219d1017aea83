"""The process that runs a query: its lines, its end, and its ending.

It ends when its standard input does, so it does not outlive this program. Nothing here waits for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO, Any, Final, Protocol

from liven.runtime.dispatcher.dispatcher import Entry

LONGEST_LINE: Final = 16 << 20
_MOST_ERRORS: Final = 8 << 10
_CHUNK: Final = 1 << 16
_CHUNKS_AT_ONCE: Final = 32
_END_WITHIN: Final = 20.0
"""Seconds until a process that was asked to end is killed."""


class Watch(Protocol):
    """Calls an action whenever a descriptor is readable."""

    def __call__(self, fd: int, action: Callable[[], object]) -> Entry: ...


def query_command(feed: str, query: str, *options: str) -> list[str]:
    """Return the command that runs a query."""
    words = ["feeds", "watch", feed, query, "--json", "--attached", "--no-prepare", *options]
    return [sys.executable, "-P", "-m", "liven.app.main", *words]


class QueryProcess:
    """A running command. Both functions are called on the thread of `watch`."""

    def __init__(
        self,
        command: Sequence[str],
        watch: Watch,
        told: Callable[[dict[str, Any]], object],
        ended: Callable[[str], object],
    ) -> None:
        """Start it; raise OSError. `ended` is called with the reason if it ends unasked."""
        self._told = told
        self._ended = ended
        self._rest = b""
        self._errors = b""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl+C in a terminal is for this program, which ends it in order
        )
        assert self._process.stdout is not None and self._process.stderr is not None
        self._output, self._complaints = self._process.stdout, self._process.stderr
        self._entries = []
        for stream, action in ((self._output, self._read), (self._complaints, self._read_errors)):
            os.set_blocking(stream.fileno(), False)
            self._entries.append(watch(stream.fileno(), action))
        self._open = True

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_closed(self) -> bool:
        """True once it was asked to end, or has ended."""
        return not self._open

    def close(self) -> None:
        """Ask it to end, and listen to it no more; it is killed if it takes long."""
        if not self._open:
            return
        self._open = False
        for entry in self._entries:
            entry.cancel()
        self._ended = _nothing
        threading.Thread(target=_end, args=(self._process,), daemon=True).start()

    def _read(self) -> None:
        for _ in range(_CHUNKS_AT_ONCE):
            data = _available(self._output)
            if data is None:
                return
            if not data:
                self._over()
                return
            *lines, rest = (self._rest + data).split(b"\n")
            self._rest = rest if len(rest) <= LONGEST_LINE else b""
            for line in lines:
                self._take(line)
                if not self._open:
                    return

    def _take(self, line: bytes) -> None:
        try:
            event = json.loads(line)
        except ValueError:
            return
        if isinstance(event, dict) and isinstance(event.get("event"), str):
            self._told(event)

    def _read_errors(self) -> None:
        data = _available(self._complaints)
        if data:
            self._errors = (self._errors + data)[-_MOST_ERRORS:]
        elif data is not None:
            self._entries[1].cancel()

    def _over(self) -> None:
        """Tell the end, with the last line that the process complained with."""
        self._read_errors()
        ended = self._ended
        self.close()
        lines = [line.strip() for line in self._errors.decode(errors="replace").splitlines() if line.strip()]
        reason = lines[-1].removeprefix("liven: ") if lines else "its process ended without a word"
        ended(reason)


def _available(stream: IO[bytes]) -> bytes | None:
    """Return what can be read now: empty at the end of the stream, None if nothing is there."""
    try:
        return os.read(stream.fileno(), _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Close the input of a process, at which it ends, and release it."""
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.close()
    process.stdout.close()
    process.stderr.close()
    try:
        process.wait(_END_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _nothing(_: str) -> None:
    """Ignore the end: nobody waits for it."""
