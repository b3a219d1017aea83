"""A token bucket: a burst at once, then a steady rate."""

from __future__ import annotations


class TokenBucket:
    """Tokens that return at a steady rate, up to a burst. The last one may be overdrawn, so that an amount
    of any size can be taken. A rate of 0 means that there is no limit."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst, self._left, self._at = rate, burst, burst, now

    def take(self, amount: float) -> None:
        """Take tokens."""
        if self._rate:
            self._left -= amount

    def is_empty(self, now: float) -> bool:
        """True if nothing may be taken now."""
        self._refill(now)
        return bool(self._rate) and self._left <= 0

    def is_full(self, now: float) -> bool:
        """True if the whole burst may be taken now."""
        self._refill(now)
        return self._left >= self._burst

    def delay(self, now: float) -> float:
        """Return the seconds until the bucket is no longer empty; 0 if it is not."""
        return -self._left / self._rate if self._rate and self.is_empty(now) else 0.0

    def _refill(self, now: float) -> None:
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
