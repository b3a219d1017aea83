"""The inbox of a connection: decoded messages on their way from its thread to the thread of all objects."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.feeds.source.formats.decoded import Decoded

MOST: Final = 2_000
"""Messages that wait at most."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One message."""

    topic: str
    found: Decoded
    done: Callable[[], object]
    """Tells the broker that the rows have been given."""


class Inbox:
    """A queue that one thread fills and another empties. `fd` is readable when something has come."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._arrivals: deque[Arrival] = deque()
        self._states: list[str] = []
        self._dropped = 0
        self._closed = False
        self.fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)

    @property
    def is_full(self) -> bool:
        """True if no message has room."""
        return len(self._arrivals) >= self._most

    def put(self, arrival: Arrival) -> bool:
        """Add a message; return False if there is no room."""
        with self._lock:
            if len(self._arrivals) >= self._most:
                return False
            self._arrivals.append(arrival)
            self._wake()
        return True

    def drop(self) -> None:
        """Count a message that was lost because nobody took those before."""
        with self._lock:
            self._dropped += 1
            self._wake()

    def say(self, state: str) -> None:
        """Report the state of the connection: a trouble, or an empty text when all is well."""
        with self._lock:
            self._states = [state]
            self._wake()

    def take(self, most: int) -> list[Arrival]:
        """Return up to `most` messages, the oldest first."""
        with self._lock:
            return [self._arrivals.popleft() for _ in range(min(most, len(self._arrivals)))]

    def news(self) -> tuple[list[str], int]:
        """Return the last state that was not told yet, and the number of messages lost since."""
        with self._lock:
            with suppress(BlockingIOError):  # somebody was faster
                os.eventfd_read(self.fd)
            states, self._states = self._states, []
            dropped, self._dropped = self._dropped, 0
            return states, dropped

    def close(self) -> None:
        """Release the descriptor; what comes later is dropped."""
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self.fd)

    def _wake(self) -> None:
        if not self._closed:
            os.eventfd_write(self.fd, 1)
