"""The rate at which a confined process may send messages.

Beyond it the program reads nothing for a while, and the process waits. One that floods for long is ended.
"""

from __future__ import annotations

from liven.runtime.token_bucket import TokenBucket

MESSAGES_A_SECOND = 5_000.0
BURST_SECONDS = 1.0
"""The burst that is read without a pause, as the time in which it is allowed to come."""
PAUSE = 0.1
"""The seconds for which nothing is read when the bucket is empty."""
LONGEST_FLOOD = 10.0
"""The seconds of uninterrupted flood after which a process is ended."""


class Intake:
    """Counts the messages of one process."""

    def __init__(self, now: float) -> None:
        self._bucket = TokenBucket(MESSAGES_A_SECOND, MESSAGES_A_SECOND * BURST_SECONDS, now)
        self._flooded_since: float | None = None

    def take(self, now: float) -> float:
        """Count a message; return the seconds for which to read nothing, 0 if there is room."""
        if self._bucket.is_full(now):
            self._flooded_since = None
        self._bucket.take(1)
        if not self._bucket.is_empty(now):
            return 0.0
        if self._flooded_since is None:
            self._flooded_since = now
        return PAUSE

    def flooded(self, now: float) -> bool:
        """True if the bucket was empty again and again for too long."""
        if self._bucket.is_full(now):
            self._flooded_since = None
        return self._flooded_since is not None and now - self._flooded_since > LONGEST_FLOOD
